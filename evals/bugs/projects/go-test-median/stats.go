// Package stats sums up lists of numbers.
package stats

import "sort"

// Mean is the average.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// Median is the value in the middle.
func Median(values []float64) float64 {
	ordered := append([]float64(nil), values...)
	sort.Float64s(ordered)
	middle := len(ordered) / 2
	return ordered[middle]
}

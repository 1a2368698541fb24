// Package tree keeps values in order.
package tree

// Node is one value with those below it.
type Node struct {
	Value       int
	Left, Right *Node
}

// Insert adds a value.
func Insert(n *Node, value int) *Node {
	if n == nil {
		return &Node{Value: value}
	}
	if value < n.Value {
		n.Left = Insert(n.Left, value)
	} else {
		n.Right = Insert(n.Right, value)
	}
	return n
}

// Smallest is the least value below a node.
func Smallest(n *Node) int {
	if n.Left == nil {
		return n.Value
	}
	return Smallest(n.Left)
}

// Gap is the difference between the two smallest values on each side.
func Gap(n *Node) int {
	return Smallest(n.Right) - Smallest(n.Left)
}

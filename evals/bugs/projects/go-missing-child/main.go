package main

import (
	"fmt"

	"example.com/tree/tree"
)

func build(values []int) *tree.Node {
	var root *tree.Node
	for _, value := range values {
		root = tree.Insert(root, value)
	}
	return root
}

func main() {
	fmt.Println(tree.Gap(build([]int{5, 3, 8})))
	fmt.Println(tree.Gap(build([]int{5, 6, 8})))
}

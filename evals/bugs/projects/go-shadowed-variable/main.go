package main

import (
	"fmt"

	"example.com/vault/store"
)

func main() {
	fmt.Println(store.Describe("blue"))
}

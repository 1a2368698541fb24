package main

import (
	"fmt"

	"example.com/headers/header"
)

func main() {
	lines := []string{"Host: example.com", "Accept: */*", "broken"}
	fmt.Println(header.ParseAll(lines))
}

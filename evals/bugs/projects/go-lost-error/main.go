package main

import (
	"fmt"

	"example.com/config/config"
)

func title(path string) string {
	c := config.Load(path)
	return "Hello " + config.First(c)
}

func main() {
	fmt.Println(title("settings.json"))
}

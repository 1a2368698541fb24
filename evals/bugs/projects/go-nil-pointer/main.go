package main

import (
	"fmt"

	"example.com/people/people"
)

func main() {
	r := &people.Register{}
	r.Add(&people.Person{Name: "ada", Boss: "grace"})
	r.Add(&people.Person{Name: "grace", Boss: "alan"})
	fmt.Println(people.Chain(r, "ada"))
}

package main

import (
	"fmt"

	"example.com/stock/store"
)

func fill(s *store.Store, articles []string) {
	for _, article := range articles {
		s.Put(article, 1)
	}
}

func main() {
	s := store.New("cellar")
	fmt.Println(s.Count("pen"))
	fill(s, []string{"pen", "ink"})
}

// Package slug makes names for addresses.
package slug

import "strings"

func clean(word string) string {
	return strings.Trim(word, ".,!?")
}

// Make joins the words of a title.
func Make(title string) string {
	words := strings.Split(strings.ToLower(title), " ")
	for i, word := range words {
		words[i] = clean(word)
	}
	return strings.Join(words, "-")
}

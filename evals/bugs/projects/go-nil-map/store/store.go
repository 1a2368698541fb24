// Package store counts what is in stock.
package store

// Store holds counts by article.
type Store struct {
	name   string
	counts map[string]int
}

// New makes an empty store.
func New(name string) *Store {
	return &Store{name: name}
}

// Put adds pieces of an article.
func (s *Store) Put(article string, pieces int) {
	s.counts[article] += pieces
}

// Count says how many pieces there are.
func (s *Store) Count(article string) int {
	return s.counts[article]
}

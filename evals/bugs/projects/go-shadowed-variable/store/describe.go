package store

import "fmt"

// Describe says in one line what a vault holds.
func Describe(name string) string {
	vault := Open(name)
	return fmt.Sprintf("%s: %d items", vault.Name, len(vault.Items))
}

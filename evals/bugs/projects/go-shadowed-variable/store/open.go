package store

// Vault holds what is kept under a name.
type Vault struct {
	Name  string
	Items []string
}

// Open gives the vault of a name; an unknown one is made.
func Open(name string) *Vault {
	var vault *Vault
	if known, ok := vaults[name]; ok {
		vault = known
	} else {
		vault := &Vault{Name: name}
		vaults[name] = vault
	}
	return vault
}

var vaults = map[string]*Vault{}

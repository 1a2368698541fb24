// Package people knows who is who.
package people

// Person is somebody.
type Person struct {
	Name string
	Boss string
}

// Register holds people by name.
type Register struct {
	all []*Person
}

// Add takes somebody in.
func (r *Register) Add(p *Person) { r.all = append(r.all, p) }

// Find returns the person of that name.
func (r *Register) Find(name string) *Person {
	for _, p := range r.all {
		if p.Name == name {
			return p
		}
	}
	return nil
}

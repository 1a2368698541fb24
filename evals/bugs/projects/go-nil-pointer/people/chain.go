package people

// Chain lists the bosses above somebody, the nearest first.
func Chain(r *Register, name string) []string {
	var bosses []string
	person := r.Find(name)
	for person.Boss != "" {
		bosses = append(bosses, person.Boss)
		person = r.Find(person.Boss)
	}
	return bosses
}

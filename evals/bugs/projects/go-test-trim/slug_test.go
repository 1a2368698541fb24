package slug

import "testing"

func TestMake(t *testing.T) {
	cases := map[string]string{
		"Hello, World!":  "hello-world",
		"two  blanks":    "two-blanks",
	}
	for title, want := range cases {
		if got := Make(title); got != want {
			t.Errorf("Make(%q) = %q, want %q", title, got, want)
		}
	}
}

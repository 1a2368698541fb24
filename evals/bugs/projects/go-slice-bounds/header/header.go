// Package header reads lines such as `Host: example.com`.
package header

import "strings"

// separator says where the name of a header ends.
func separator(line string) int {
	return strings.Index(line, ":")
}

// Parse cuts a line into name and value.
func Parse(line string) (string, string) {
	at := separator(line)
	return line[:at], strings.TrimSpace(line[at+1:])
}

// ParseAll reads every line.
func ParseAll(lines []string) map[string]string {
	headers := make(map[string]string)
	for _, line := range lines {
		name, value := Parse(line)
		headers[strings.ToLower(name)] = value
	}
	return headers
}

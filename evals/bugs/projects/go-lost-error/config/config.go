// Package config reads settings.
package config

import (
	"encoding/json"
	"os"
)

// Config is what can be set.
type Config struct {
	Names []string
}

// Load reads a file.
func Load(path string) *Config {
	var c Config
	data, _ := os.ReadFile(path)
	json.Unmarshal(data, &c)
	return &c
}

// First is the name that counts.
func First(c *Config) string {
	return c.Names[0]
}

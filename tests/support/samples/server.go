// Package web serves pages.
package web

import (
	"fmt"
	h "net/http"
)

// MaxSize is the largest body.
const MaxSize = 1 << 20

const (
	StateNew = iota
	StateDone
)

var ErrClosed, errOpen = fmt.Errorf("closed"), fmt.Errorf("open")

// Handler answers one request.
type Handler func(*Context)

// Engine runs handlers.
type Engine struct {
	mu    sync.Mutex
	Hosts []string
}

type Runner interface {
	Run(addr string) error
}

// Run starts the engine.
// It blocks.
func (e *Engine) Run(addr string) error {
	go func() { e.mu.Lock() }()
	return h.ListenAndServe(addr, e)
}

func NewPair[T any](left T) *Pair[T] { return &Pair[T]{left: left} }

func (p Pair[T]) Swap() {
	NewPair(p.right)
}

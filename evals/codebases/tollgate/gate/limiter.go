// Package gate stands in front of the services.
package gate

import (
	"sync"
	"time"
)

// Limiter is a token bucket per client address.
type Limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	rate    float64 // tokens per second
	burst   float64
	now     func() time.Time
}

type bucket struct {
	tokens float64
	seen   time.Time
}

// NewLimiter allows rate requests a second, and burst at once.
func NewLimiter(rate, burst float64) *Limiter {
	return &Limiter{buckets: map[string]*bucket{}, rate: rate, burst: burst, now: time.Now}
}

// Allow takes one token of the client, and says whether there was one.
func (l *Limiter) Allow(client string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b, known := l.buckets[client]
	if !known {
		b = &bucket{tokens: l.burst, seen: now}
		l.buckets[client] = b
	}
	b.tokens = min(l.burst, b.tokens+now.Sub(b.seen).Seconds()*l.rate)
	b.seen = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

package routing

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

const (
	attempts  = 5
	firstWait = 200 * time.Millisecond
)

// Publisher sends `parcel.routed`.
type Publisher interface {
	Routed(ctx context.Context, parcelID, carrier string) error
}

// Router routes booked parcels and forgets cancelled ones.
type Router struct {
	carriers  []Carrier
	publisher Publisher
	sleep     func(time.Duration)

	mu        sync.Mutex
	cancelled map[string]bool
}

// NewRouter makes a router; it is safe for many goroutines.
func NewRouter(carriers []Carrier, publisher Publisher) *Router {
	return &Router{carriers: carriers, publisher: publisher, sleep: time.Sleep, cancelled: map[string]bool{}}
}

// Booked chooses a carrier and says so. A parcel that was cancelled meanwhile is left alone.
func (r *Router) Booked(ctx context.Context, parcel Parcel) error {
	if r.wasCancelled(parcel.ID) {
		return nil
	}
	carrier, err := Choose(r.carriers, parcel)
	if errors.Is(err, ErrNoCarrier) {
		slog.Warn("parcel stays", "parcel", parcel.ID, "country", parcel.Country)
		return err
	}
	return r.publish(ctx, parcel.ID, carrier.Name)
}

// Cancelled makes sure that a parcel is never routed from now on.
func (r *Router) Cancelled(parcelID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancelled[parcelID] = true
}

// publish tries again with doubled waits while the stream is away.
func (r *Router) publish(ctx context.Context, parcelID, carrier string) error {
	wait := firstWait
	var err error
	for range attempts {
		if err = r.publisher.Routed(ctx, parcelID, carrier); err == nil {
			return nil
		}
		r.sleep(wait)
		wait *= 2
	}
	return err
}

func (r *Router) wasCancelled(parcelID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cancelled[parcelID]
}

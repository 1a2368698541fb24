// Command dispatch reads the parcels stream and routes what was booked.
package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"parcelline/dispatch/internal/routing"
)

type message struct {
	Type     string `json:"type"`
	ParcelID string `json:"parcelId"`
	Body     struct {
		Country     string `json:"country"`
		WeightGrams int    `json:"weightGrams"`
		Express     bool   `json:"express"`
	} `json:"body"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	carriers, err := loadCarriers(os.Getenv("CARRIERS_FILE"))
	if err != nil {
		slog.Error("no carriers", "error", err)
		os.Exit(1)
	}
	router := routing.NewRouter(carriers, newStream(os.Getenv("STREAM_URL")))
	for raw := range messages(ctx, os.Getenv("STREAM_URL")) {
		handle(ctx, router, raw)
	}
}

func handle(ctx context.Context, router *routing.Router, raw []byte) {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		slog.Error("unreadable message", "error", err)
		return
	}
	switch m.Type {
	case "parcel.booked":
		parcel := routing.Parcel{ID: m.ParcelID, Country: m.Body.Country, Grams: m.Body.WeightGrams, Express: m.Body.Express}
		if err := router.Booked(ctx, parcel); err != nil {
			slog.Error("not routed", "parcel", m.ParcelID, "error", err)
		}
	case "parcel.cancelled":
		router.Cancelled(m.ParcelID)
	}
}

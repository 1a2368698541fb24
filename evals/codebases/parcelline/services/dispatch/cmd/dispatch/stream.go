package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"parcelline/dispatch/internal/routing"
)

type stream struct {
	url string
}

func newStream(url string) stream { return stream{url: url} }

// Routed publishes `parcel.routed` with the carrier's name.
func (s stream) Routed(ctx context.Context, parcelID, carrier string) error {
	body, err := json.Marshal(map[string]any{"type": "parcel.routed", "parcelId": parcelID, "body": map[string]string{"carrier": carrier}})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/parcels", bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("stream answered %s", response.Status)
	}
	return nil
}

// messages yields one line of the stream at a time until the context ends.
func messages(ctx context.Context, url string) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/parcels?group=dispatch", nil)
		if err != nil {
			return
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return
		}
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			out <- bytes.Clone(lines.Bytes())
		}
	}()
	return out
}

func loadCarriers(path string) ([]routing.Carrier, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("carriers: %w", err)
	}
	var carriers []routing.Carrier
	return carriers, json.Unmarshal(raw, &carriers)
}

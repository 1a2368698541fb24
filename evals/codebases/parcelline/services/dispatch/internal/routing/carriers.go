// Package routing chooses a carrier for each parcel.
package routing

import (
	"errors"
	"sort"
)

// ErrNoCarrier says that nobody delivers there, or not that much.
var ErrNoCarrier = errors.New("no carrier takes this parcel")

// Carrier is somebody who delivers for us.
type Carrier struct {
	Name      string
	Countries map[string]bool
	MaxGrams  int
	Cents     int
	Express   bool
}

// Parcel is what routing needs to know.
type Parcel struct {
	ID      string
	Country string
	Grams   int
	Express bool
}

// Choose returns the cheapest carrier that can take the parcel; an express parcel only goes by an express carrier.
func Choose(carriers []Carrier, parcel Parcel) (Carrier, error) {
	var able []Carrier
	for _, carrier := range carriers {
		if carrier.takes(parcel) {
			able = append(able, carrier)
		}
	}
	if len(able) == 0 {
		return Carrier{}, ErrNoCarrier
	}
	sort.Slice(able, func(i, j int) bool { return able[i].Cents < able[j].Cents })
	return able[0], nil
}

func (c Carrier) takes(parcel Parcel) bool {
	return c.Countries[parcel.Country] && parcel.Grams <= c.MaxGrams && (c.Express || !parcel.Express)
}

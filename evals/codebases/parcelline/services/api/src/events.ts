import type { Booking } from "./bookings";

export interface ParcelEvent {
  type: "parcel.booked" | "parcel.cancelled" | "parcel.routed";
  parcelId: string;
  at: string;
  body: Record<string, unknown>;
}

export interface EventStream {
  publish(event: ParcelEvent): Promise<void>;
}

export function parcelBooked(booking: Booking): ParcelEvent {
  const { to, weightGrams, express } = booking;
  return event("parcel.booked", booking.id, { country: to.country, postcode: to.postcode, weightGrams, express });
}

export function parcelCancelled(parcelId: string): ParcelEvent {
  return event("parcel.cancelled", parcelId, {});
}

function event(type: ParcelEvent["type"], parcelId: string, body: Record<string, unknown>): ParcelEvent {
  return { type, parcelId, at: new Date().toISOString(), body };
}

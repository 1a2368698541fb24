import { Address, validateAddress } from "./address";
import { EventStream, parcelBooked, parcelCancelled } from "./events";
import { priceCents } from "./prices";

export const MAX_WEIGHT_GRAMS = 31_500;

export interface Booking {
  id: string;
  to: Address;
  weightGrams: number;
  express: boolean;
  state: "booked" | "cancelled" | "routed";
}

export class TooHeavy extends Error {}
export class TooLate extends Error {}

/** Books and cancels parcels; every change goes out as an event before the caller hears of it. */
export class Bookings {
  private readonly byId = new Map<string, Booking>();

  constructor(private readonly stream: EventStream, private readonly newId: () => string) {}

  async book(to: Address, weightGrams: number, express: boolean): Promise<{ booking: Booking; cents: number }> {
    if (weightGrams > MAX_WEIGHT_GRAMS) throw new TooHeavy(`more than ${MAX_WEIGHT_GRAMS} g`);
    const booking: Booking = { id: this.newId(), to: validateAddress(to), weightGrams, express, state: "booked" };
    await this.stream.publish(parcelBooked(booking));
    this.byId.set(booking.id, booking);
    return { booking, cents: priceCents(weightGrams, booking.to.country, express) };
  }

  /** A parcel that has been routed is on its way and can no longer be cancelled. */
  async cancel(id: string): Promise<Booking> {
    const booking = this.byId.get(id);
    if (!booking) throw new RangeError(`no booking ${id}`);
    if (booking.state === "routed") throw new TooLate(id);
    booking.state = "cancelled";
    await this.stream.publish(parcelCancelled(booking.id));
    return booking;
  }
}

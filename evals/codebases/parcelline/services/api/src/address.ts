/** Addresses as people type them, and what we accept of them. */

export interface Address {
  name: string;
  street: string;
  postcode: string;
  country: string;
}

export class InvalidAddress extends Error {
  constructor(readonly field: keyof Address, reason: string) {
    super(`${field}: ${reason}`);
  }
}

const POSTCODES: Record<string, RegExp> = {
  DE: /^\d{5}$/,
  NL: /^\d{4} ?[A-Z]{2}$/,
  PT: /^\d{4}-\d{3}$/,
  JP: /^\d{3}-\d{4}$/,
};

/** Throws InvalidAddress for the first field that is wrong; returns the address with its spaces trimmed. */
export function validateAddress(address: Address): Address {
  const trimmed = {
    name: address.name.trim(),
    street: address.street.trim(),
    postcode: address.postcode.trim().toUpperCase(),
    country: address.country.trim().toUpperCase(),
  };
  if (!trimmed.name) throw new InvalidAddress("name", "must not be empty");
  if (!trimmed.street) throw new InvalidAddress("street", "must not be empty");
  const shape = POSTCODES[trimmed.country];
  if (!shape) throw new InvalidAddress("country", "we do not deliver there");
  if (!shape.test(trimmed.postcode)) throw new InvalidAddress("postcode", "is not one of this country");
  return trimmed;
}

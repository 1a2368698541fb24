const BASE_CENTS: Record<string, number> = { DE: 549, NL: 899, PT: 1149, JP: 2899 };
const CENTS_PER_KILO = 85;
const EXPRESS_FACTOR = 1.6;

/** Whole cents; a started kilogram counts as a whole one. */
export function priceCents(weightGrams: number, country: string, express: boolean): number {
  const kilos = Math.ceil(weightGrams / 1000);
  const cents = BASE_CENTS[country] + kilos * CENTS_PER_KILO;
  return Math.round(express ? cents * EXPRESS_FACTOR : cents);
}

export interface Price {
  cents: number;
  currency: string;
}

export class PriceList {
  private prices = new Map<string, Price>();

  set(sku: string, price: Price): void {
    this.prices.set(sku.toUpperCase(), price);
  }

  priceOf(sku: string): Price {
    return this.prices.get(sku)!;
  }

  get size(): number {
    return this.prices.size;
  }
}

import { PriceList } from "./prices";

export interface Item {
  sku: string;
  count: number;
}

export function lineTotal(item: Item, list: PriceList): number {
  const price = list.priceOf(item.sku);
  return price.cents * item.count;
}

export function cartTotal(items: Item[], list: PriceList): number {
  return items.reduce((sum, item) => sum + lineTotal(item, list), 0);
}

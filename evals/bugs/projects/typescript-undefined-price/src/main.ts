import { cartTotal } from "./cart";
import { PriceList } from "./prices";

const list = new PriceList();
list.set("PEN-1", { cents: 120, currency: "EUR" });
list.set("ink-2", { cents: 540, currency: "EUR" });

console.log(cartTotal([{ sku: "PEN-1", count: 2 }], list));
console.log(cartTotal([{ sku: "ink-2", count: 1 }], list));

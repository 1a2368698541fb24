import { best } from "./ratings.js";

/** The line under a product's name. */
export function headline(product) {
  const top = best(product.ratings);
  return `${product.name}: ${top.stars} stars`;
}

/** Ratings that count: given by people who bought the thing. */
export function counted(ratings) {
  return ratings.filter((rating) => rating.verified && rating.stars > 0);
}

/** The best rating of a product. */
export function best(ratings) {
  return counted(ratings).reduce((one, other) => (one.stars >= other.stars ? one : other));
}

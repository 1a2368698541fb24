import { expect, test } from "vitest";
import { mean, median } from "../src/statistics";

test("the mean of a list", () => {
  expect(mean([1, 2, 3])).toBe(2);
});

test("the median is the value in the middle", () => {
  expect(median([9, 100, 20, 5, 60])).toBe(20);
});

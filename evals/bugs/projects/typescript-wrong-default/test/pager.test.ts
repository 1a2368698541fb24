import { expect, test } from "vitest";
import { normalise, offset } from "../src/pager";

test("the first page is the default", () => {
  expect(normalise({}).page).toBe(1);
});

test("the first page begins at the first item", () => {
  expect(offset({ page: 1, size: 20 })).toBe(0);
});

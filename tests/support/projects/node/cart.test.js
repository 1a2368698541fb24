import assert from "node:assert";
import { describe, it, test } from "node:test";

import { total } from "./cart.js";

test("adds all", () => {
  assert.equal(total([1, 2]), 3);
});

describe("an empty cart", () => {
  it("has no total", () => assert.throws(() => total([]), RangeError));
  it("says why", () => {
    console.log("printed by the test");
    total([]);
  });
  it.skip("is not sold", () => {});
});

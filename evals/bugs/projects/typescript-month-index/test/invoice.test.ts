import { describe, expect, it } from "vitest";
import { pad } from "../src/format";
import { invoiceName } from "../src/invoice";

describe("invoices", () => {
  it("pads numbers", () => {
    expect(pad(3)).toBe("03");
  });

  it("are named by the day they were issued", () => {
    const name = invoiceName({ number: 7, issued: new Date(2024, 4, 17) });
    expect(name).toBe("invoice-7-2024-05-17");
  });
});

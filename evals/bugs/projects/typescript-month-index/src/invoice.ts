import { isoDay } from "./format";

export interface Invoice {
  number: number;
  issued: Date;
}

export function invoiceName(invoice: Invoice): string {
  return `invoice-${invoice.number}-${isoDay(invoice.issued)}`;
}

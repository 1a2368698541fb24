import { parsePayment } from "./payments";

export function formatMoney(amount: number): string {
  return amount.toFixed(2) + " EUR";
}

export function receipt(text: string): string {
  const payment = parsePayment(text);
  return `${payment.payer} paid ${formatMoney(payment.amount)}`;
}

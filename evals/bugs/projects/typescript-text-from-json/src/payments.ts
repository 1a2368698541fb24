export interface Payment {
  payer: string;
  amount: number;
}

export function parsePayment(text: string): Payment {
  const body = JSON.parse(text);
  return { payer: body.payer, amount: body.amount };
}

export function sumOf(payments: Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.amount, 0);
}

import type { Payment } from './records';
import { Refusal } from './refusal';

/** Every payment, in memory. Each is brought to date before it is handed out. */
export interface PaymentStore {
  add(payment: Payment): void;
  /** @throws Refusal NOT_FOUND */
  find(paymentId: string): Payment;
  /** Oldest first. */
  all(): Payment[];
}

export function createPaymentStore(bringToDate: (payment: Payment) => void): PaymentStore {
  const payments = new Map<string, Payment>();
  return {
    add: (payment) => void payments.set(payment.paymentId, payment),
    find: (paymentId) => {
      const payment = payments.get(paymentId);
      if (payment === undefined) throw new Refusal('NOT_FOUND', 'there is no such payment');
      bringToDate(payment);
      return payment;
    },
    all: () => {
      const found = [...payments.values()];
      found.forEach(bringToDate);
      return found;
    },
  };
}

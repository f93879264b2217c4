import type { Merchant } from '../merchants/merchant';
import { Refusal } from '../refusal';
import type { Payment } from './records';

/** Every payment, in memory. Each is brought to date before it is handed out. */
export interface PaymentStore {
  add(payment: Payment): void;
  /** @throws Refusal NOT_FOUND */
  find(paymentId: string): Payment;
  /** A payment of another merchant is as unknown as one that is none. @throws Refusal NOT_FOUND */
  requireOwner(paymentId: string, merchant: Merchant): void;
  /** Oldest first. */
  all(): Payment[];
}

const NO_SUCH_PAYMENT = 'there is no such payment';

export function createPaymentStore(bringToDate: (payment: Payment) => void): PaymentStore {
  const payments = new Map<string, Payment>();
  return {
    add: (payment) => void payments.set(payment.paymentId, payment),
    find: (paymentId) => {
      const payment = payments.get(paymentId);
      if (payment === undefined) throw new Refusal('NOT_FOUND', NO_SUCH_PAYMENT);
      bringToDate(payment);
      return payment;
    },
    requireOwner: (paymentId, merchant) => {
      const owner = payments.get(paymentId)?.merchant;
      if (owner !== undefined && owner !== merchant) throw new Refusal('NOT_FOUND', NO_SUCH_PAYMENT);
    },
    all: () => {
      const found = [...payments.values()];
      found.forEach(bringToDate);
      return found;
    },
  };
}

import type { Merchant } from '../merchants/merchant';
import { Refusal } from '../refusal';
import type { Payment } from './records';

export type PaymentStore = ReturnType<typeof createPaymentStore>;

const NO_SUCH_PAYMENT = 'there is no such payment';

/** Every payment, in memory. Each is brought up to date before it is returned. */
export function createPaymentStore(bringUpToDate: (payment: Payment) => void) {
  const payments = new Map<string, Payment>();
  return {
    add: (payment: Payment) => void payments.set(payment.paymentId, payment),
    has: (paymentId: string) => payments.has(paymentId),
    /** @throws Refusal NOT_FOUND */
    find: (paymentId: string) => {
      const payment = payments.get(paymentId);
      if (payment === undefined) throw new Refusal('NOT_FOUND', NO_SUCH_PAYMENT);
      bringUpToDate(payment);
      return payment;
    },
    /** A payment of another merchant is not found, just like one that does not exist. @throws Refusal NOT_FOUND */
    requireOwner: (paymentId: string, merchant: Merchant) => {
      const owner = payments.get(paymentId)?.merchant;
      if (owner !== undefined && owner !== merchant) throw new Refusal('NOT_FOUND', NO_SUCH_PAYMENT);
    },
    /** Oldest first. */
    all: () => {
      const found = [...payments.values()];
      found.forEach(bringUpToDate);
      return found;
    },
  };
}

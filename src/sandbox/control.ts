import { accountOf, debitsOf, type Debit, type PaymentAccount } from './accounts';
import { actAsPayer, type PayerAction } from './consent-session';
import { changeWallet } from './payments';
import { Refusal } from './refusal';
import type { RecordedRefusal } from './refusal-log';
import type { Service } from './service';
import { settleNow } from './settlement';
import { parseWallet, WALLETS } from './wallets';

/** What people and tests do to the simulation, and what it has on record; the same in process and under /_sandbox. */
export interface Control {
  /** Every debit of every payment, payment by payment. */
  debits(): Debit[];
  payments(): PaymentAccount[];
  /** @throws Refusal NOT_FOUND */
  payment(paymentId: string): PaymentAccount;
  refusals(): readonly RecordedRefusal[];
  refusalCounts(): Readonly<Record<string, number>>;
  /** @throws Refusal NOT_FOUND, STATE_CONFLICT */
  act(paymentId: string, action: PayerAction): PaymentAccount;
  /** `slow-30+auto`. @throws Refusal NOT_FOUND, INVALID_REQUEST */
  setWallet(paymentId: string, hint: string): PaymentAccount;
  /** Makes everything pending final now. @throws Refusal NOT_FOUND */
  settle(paymentId: string): PaymentAccount;
}

export function createControl(service: Service): Control {
  const { payments, refusals } = service;
  return {
    debits: () => payments.all().flatMap(debitsOf),
    payments: () => payments.all().map(accountOf),
    payment: (paymentId) => accountOf(payments.find(paymentId)),
    refusals: () => refusals.list(),
    refusalCounts: () => refusals.counts(),
    act: (paymentId, action) => {
      const payment = payments.find(paymentId);
      actAsPayer(service, payment, action);
      return accountOf(payment);
    },
    setWallet: (paymentId, hint) => {
      const payment = payments.find(paymentId);
      const wallet = parseWallet(hint);
      if (wallet === null) {
        throw new Refusal(
          'INVALID_REQUEST',
          `wallet: no such wallet; expected one of ${Object.keys(WALLETS).join(', ')}`,
        );
      }
      changeWallet(service, payment, wallet);
      return accountOf(payment);
    },
    settle: (paymentId) => {
      const payment = payments.find(paymentId);
      settleNow(service, payment);
      return accountOf(payment);
    },
  };
}

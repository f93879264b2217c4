import { accountOf, debitsOf, type Debit, type PaymentAccount } from './bank/accounts';
import { instantOf, iso } from './payments/calendar';
import { actAsPayer, type PayerAction } from './payments/consent-session';
import type { Merchant, MerchantTerms } from './merchants/merchant';
import { changeWallet } from './payments/payments';
import { Refusal } from './refusal';
import type { RecordedRefusal } from './refusal-log';
import type { Service } from './service';
import { settleNow } from './bank/settlement';
import { parseWallet, WALLETS } from './bank/wallets';

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
  /** Moves the time of one payment alone. @throws Refusal NOT_FOUND, INVALID_REQUEST where its time would run back */
  moveClock(paymentId: string, move: ClockMove): PaymentTime;
  /** Makes one access token so many seconds older. @throws Refusal NOT_FOUND */
  ageToken(token: string, seconds: number): void;
  /** Another merchant, with credentials and terms of its own. @throws Refusal INVALID_REQUEST */
  addMerchant(terms: MerchantTerms): Merchant;
}

export interface ClockMove {
  /** ISO; business time stands there from now on. */
  readonly businessTime?: string | undefined;
  /** So many more seconds of real time have passed. */
  readonly realSeconds?: number | undefined;
}

/** ISO. */
export interface PaymentTime {
  readonly businessTime: string;
  readonly realTime: string;
}

export function createControl(service: Service): Control {
  const { payments, refusals, tokens, merchants } = service;
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
    moveClock: (paymentId, { businessTime, realSeconds }) => {
      const { clock } = payments.find(paymentId);
      if (businessTime !== undefined) orRefuse(() => clock.holdAt(instantOf(businessTime)));
      if (realSeconds !== undefined) clock.passReal(realSeconds * 1000);
      return { businessTime: iso(clock.now()), realTime: iso(clock.realNow()) };
    },
    ageToken: (token, seconds) => {
      if (!tokens.age(token, seconds * 1000)) throw new Refusal('NOT_FOUND', 'there is no such token');
    },
    addMerchant: (terms) => orRefuse(() => merchants.add(terms)),
  };
}

/** What was asked for cannot be done; the answer says why. */
function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('INVALID_REQUEST', error.message);
    throw error;
  }
}

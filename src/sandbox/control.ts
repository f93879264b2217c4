import { accountOf, debitsOf } from './bank/accounts';
import { instantOf, iso } from './payments/calendar';
import { actAsPayer, type PayerAction } from './payments/consent-session';
import type { MerchantTerms } from './merchants/merchant';
import { authorizeElsewhere, type ForeignAuthorization, grantElsewhere } from './payments/elsewhere';
import type { PaymentRequest } from './payments/payment-request';
import { changeWallet } from './payments/payments';
import type { Payment } from './payments/records';
import { Refusal } from './refusal';
import type { Service } from './service';
import { settleNow } from './bank/settlement';
import { NO_SUCH_WALLET, parseWallet } from './bank/wallets';

export interface ClockMove {
  /** ISO; stops business time at this instant. */
  readonly businessTime?: string | undefined;
  /** Advances real time by this many seconds. */
  readonly realSeconds?: number | undefined;
}

export type Control = ReturnType<typeof createControl>;

/** Control of the simulation and access to its records, for tests in the same process and for the routes under /_sandbox. */
export function createControl(service: Service) {
  const { payments, refusals, tokens, merchants } = service;
  const changed = (paymentId: string, change: (payment: Payment) => void) => {
    const payment = payments.find(paymentId);
    change(payment);
    return accountOf(payment);
  };
  return {
    /** Every debit of every payment, payment by payment. */
    debits: () => payments.all().flatMap(debitsOf),
    payments: () => payments.all().map(accountOf),
    /** @throws Refusal NOT_FOUND */
    payment: (paymentId: string) => accountOf(payments.find(paymentId)),
    refusals: refusals.list,
    refusalCounts: refusals.counts,
    /** @throws Refusal NOT_FOUND, STATE_CONFLICT */
    act: (paymentId: string, action: PayerAction) =>
      changed(paymentId, (payment) => actAsPayer(service, payment, action)),
    /** @param hint such as `slow-30+auto` @throws Refusal NOT_FOUND, INVALID_REQUEST */
    setWallet: (paymentId: string, hint: string) =>
      changed(paymentId, (payment) => {
        const wallet = parseWallet(hint);
        if (wallet === null) throw new Refusal('INVALID_REQUEST', `wallet: ${NO_SUCH_WALLET}`);
        changeWallet(service, payment, wallet);
      }),
    /** Makes every pending authorization, capture and refund final now. @throws Refusal NOT_FOUND */
    settle: (paymentId: string) => changed(paymentId, (payment) => settleNow(service, payment)),
    /**
     * Adds an authorization by another system of the merchant, on the same mandate.
     * @throws Refusal NOT_FOUND, STATE_CONFLICT, INVALID_REQUEST
     */
    authorizeElsewhere: (paymentId: string, made: ForeignAuthorization) =>
      changed(paymentId, (payment) => void authorizeElsewhere(service, payment, made)),
    /** Adds a mandate granted to another system of the merchant. @throws Refusal NOT_FOUND, INVALID_REQUEST */
    grantElsewhere: (request: PaymentRequest, createdAt: number, clientId?: string) =>
      accountOf(grantElsewhere(service, merchants.require(clientId), request, createdAt)),
    /** Moves the time of a single payment. @throws Refusal NOT_FOUND, or INVALID_REQUEST if its time would run backwards */
    moveClock: (paymentId: string, { businessTime, realSeconds }: ClockMove) => {
      const { clock } = payments.find(paymentId);
      if (businessTime !== undefined) orRefuse(() => clock.holdAt(instantOf(businessTime)));
      if (realSeconds !== undefined) clock.passReal(realSeconds * 1000);
      return { businessTime: iso(clock.now()), realTime: iso(clock.realNow()) };
    },
    /** Makes an access token older by this many seconds. @throws Refusal NOT_FOUND */
    ageToken: (token: string, seconds: number) => {
      if (!tokens.age(token, seconds * 1000)) throw new Refusal('NOT_FOUND', 'there is no such token');
    },
    /** Adds a merchant with its own credentials and terms. @throws Refusal INVALID_REQUEST */
    addMerchant: (terms: MerchantTerms) => orRefuse(() => merchants.add(terms)),
  };
}

/** Turns a RangeError into a refusal of the request. */
function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('INVALID_REQUEST', error.message);
    throw error;
  }
}

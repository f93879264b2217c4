import { bookingDelay, startCapture } from '../bank/bookings';
import type { Merchant } from '../merchants/merchant';
import { Refusal } from '../refusal';
import { newId, newRecordId, type Service } from '../service';
import { datesAround, type ScheduledDate, scheduledAt } from './calendar';
import { MAX_DEVIATION } from '../limits/subscription-limits';
import type { PaymentRequest } from './payment-request';
import { openPayment } from './payments';
import type { Authorization, Payment } from './records';

/** An authorization by another system of the merchant, on the same mandate. */
export interface ForeignAuthorization {
  /** Cents. */
  readonly amount: number;
  /** Business time; past or now. */
  readonly createdAt: number;
  /** Its cycle; by default, the nearest date within range that has no authorization yet. */
  readonly cycle?: number | undefined;
  /** A successful one is captured at once; a pending one is booked as usual. */
  readonly result: 'pending' | 'successful' | 'failed';
}

/** Records an authorization of another system. Limits are not checked, since it already exists. @throws Refusal */
export function authorizeElsewhere(service: Service, payment: Payment, made: ForeignAuthorization): Authorization {
  if (payment.request.useCase !== 'SUBSCRIPTION') {
    throw new Refusal('STATE_CONFLICT', 'only subscriptions are authorized by request');
  }
  if (made.createdAt > payment.clock.now())
    throw new Refusal('INVALID_REQUEST', 'createdAt: must not be in the future');
  const now = payment.clock.realNow();
  const isPending = made.result === 'pending';
  const authorization: Authorization = {
    authorizationId: newRecordId(service, 'aut', payment.authorizations),
    amount: made.amount,
    createdAt: made.createdAt,
    date: dateOf(payment, made),
    result: made.result,
    rejection: made.result === 'failed' ? REJECTED : null,
    booking: isPending ? { finalAt: now + Math.ceil(bookingDelay(service, payment) / 2), rejection: null } : null,
    hiddenUntil: 0,
  };
  payment.authorizations.push(authorization);
  payment.authorizations.sort((one, other) => one.createdAt - other.createdAt);
  const plan = { contradictions: [], isRefused: false, isBooked: false };
  service.contradictions.record(payment, 'authorizations', authorization, plan, now);
  if (made.result === 'successful') {
    startCapture(service, payment, authorization, { amount: made.amount, finalCapture: null, at: now, delay: 0 });
  }
  return authorization;
}

/** Records a mandate that a payer granted to another system of the merchant at `createdAt`. */
export function grantElsewhere(
  service: Service,
  merchant: Merchant,
  request: PaymentRequest,
  createdAt: number,
): Payment {
  if (request.useCase !== 'SUBSCRIPTION')
    throw new Refusal('INVALID_REQUEST', 'useCase: only a subscription has a mandate');
  const payment = openPayment(service, merchant, request, createdAt);
  payment.consent.result = 'successful';
  payment.consent.walletId = newId('wal');
  payment.decidesAt = null;
  return payment;
}

const REJECTED = {
  detail: 'AUTHORIZATION_REJECTION_FINAL',
  description: "The payer's bank rejected the payment for good.",
};

function dateOf(
  { request, authorizations }: Payment,
  { cycle, createdAt }: ForeignAuthorization,
): ScheduledDate | null {
  const { repetition, firstPaymentAt, endAt = null } = request;
  if (repetition === undefined || firstPaymentAt === undefined) return null;
  const schedule = { repetition, firstPaymentAt, endAt };
  if (cycle !== undefined) return { cycle, scheduledAt: scheduledAt(schedule, cycle) };
  const taken = new Set(authorizations.map(({ date }) => date?.cycle));
  const distance = (date: ScheduledDate): number => Math.abs(date.scheduledAt - createdAt);
  const free = datesAround(schedule, createdAt, MAX_DEVIATION).filter((date) => !taken.has(date.cycle));
  return free.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

import type { Plan } from './world';

export const REPETITIONS = ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'] as const;
export type Repetition = (typeof REPETITIONS)[number];

/** What a row requests; everything else is the same for all. */
export interface PlanRequest {
  readonly plan: Plan;
  /** Cents; {@link USUAL} if omitted. */
  readonly cents?: number;
  readonly repetition?: Repetition;
  /** Fields of the wire that differ; undefined removes one. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** Cents. Less than the 50 EUR of restricted merchants, so that most rows can be played with them, too. */
export const USUAL = 40_00;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const ADDRESS = { name: 'Ada Example', street: 'Weg 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

export function euros(cents: number): { readonly value: number; readonly currency: 'EUR' } {
  return { value: cents, currency: 'EUR' };
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/**
 * The body of `POST /payments`.
 * @param now the service's time, epoch ms
 * @param lead business ms until the first payment of a subscription
 */
export function requestFor(wanted: PlanRequest, now: number, lead: number): Record<string, unknown> {
  const { plan, cents = USUAL, repetition = 'MONTHLY', changes = {} } = wanted;
  const schedule = { repetition, startAt: iso(now - DAY), firstPaymentAt: iso(now + lead) };
  return {
    useCase: plan,
    amount: euros(cents),
    returnURL: 'https://merchant.example/return?from=conformance',
    billingAddress: ADDRESS,
    ...(plan === 'SUBSCRIPTION' ? schedule : {}),
    ...changes,
  };
}

const MONTHS: Readonly<Record<Repetition, number>> = {
  WEEKLY: 0,
  MONTHLY: 1,
  QUARTERLY: 3,
  HALF_YEARLY: 6,
  YEARLY: 12,
};

/** The nth date of a subscription, epoch ms, counted from its first; if a month lacks the day, its last day. */
export function dateOf(firstPaymentAt: number, repetition: Repetition, n: number): number {
  return repetition === 'WEEKLY' ? firstPaymentAt + n * 7 * DAY : plusMonths(firstPaymentAt, n * MONTHS[repetition]);
}

export function plusMonths(instant: number, months: number): number {
  const from = new Date(instant);
  const target = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return Date.UTC(target.getUTCFullYear(), target.getUTCMonth(), day) + (instant % DAY);
}

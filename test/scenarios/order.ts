import { randomBytes } from 'node:crypto';
import { DAY, HOUR, toIso } from '../../src/domain/time';

/** The terms of a scenario's subscription. Lengths in business milliseconds. */
export interface Terms {
  /** The name of the scenario, which is part of ids. */
  readonly name: string;
  readonly cents: number;
  /** Derived from the name by default. */
  readonly subscriptionId?: string;
  /**
   * The time until the first payment, two days by default. That is 24 s at the default speed, enough for the first
   * request to a program that has just started, and for the payer to answer.
   */
  readonly lead?: number;
  /** The time from the first payment to the end of the agreement. */
  readonly lasts?: number;
  readonly onExhausted?: 'continue' | 'pause' | 'cancel';
  readonly repetition?: 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  /** Instead of a lead: epoch ms of business time. */
  readonly firstPaymentAt?: number;
  /** The subscription that it replaces. */
  readonly replaces?: string;
}

export type Order = ReturnType<typeof orderOf>;

/** Personal data whose words occur nowhere else, so that a search finds each copy. */
export const PERSONAL = { name: 'Quixotine Abendroth', street: 'Nachtigallenweg 77', email: /quixotine\.[0-9a-f]+@/i };

/** The body of `POST /v1/subscriptions`. The first payment falls on a full hour. */
export function orderOf(terms: Terms, now: number) {
  const { name, cents, lead = 2 * DAY, lasts, onExhausted, replaces } = terms;
  const firstPaymentAt = terms.firstPaymentAt ?? Math.ceil((now + lead) / HOUR) * HOUR;
  const tag = randomBytes(3).toString('hex');
  return {
    subscriptionId: terms.subscriptionId ?? `${name}-${tag}`,
    amount: { value: cents, currency: 'EUR' },
    repetition: terms.repetition ?? 'WEEKLY',
    ...(replaces === undefined ? {} : { replaces }),
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    ...(lasts === undefined ? {} : { endAt: toIso(firstPaymentAt + lasts) }),
    ...(onExhausted === undefined ? {} : { onExhausted }),
    returnURL: 'https://shop.example/return',
    billingAddress: {
      name: PERSONAL.name,
      street: PERSONAL.street,
      postalCode: '10115',
      city: 'Berlin',
      country: 'DE',
      email: `quixotine.${tag}@billing.example`,
    },
    payer: { email: `quixotine.${tag}@payer.example`, reference: `customer ${tag}` },
  };
}

import type { Life } from '../../src/console/views/subscription/life';

type Subscription = Life['subscription'];
type Cycle = Life['cycles'][number];
type Attempt = Cycle['attempts'][number];

export const euros = (value: number) => ({ value, currency: 'EUR' as const });

/** 09:00 UTC on that day of January 2027. */
export const at = (day: number) => `2027-01-${String(day).padStart(2, '0')}T09:00:00.000Z`;

/** Noon on that day, epoch ms. */
export const noon = (day: number) => Date.parse(at(day)) + 3 * 3_600_000;

/** 19.99 weekly from 1 January on, in good standing. */
export function subscription(more: Partial<Subscription> = {}): Subscription {
  return {
    subscriptionId: 'sub_a',
    paymentId: 'pay_a',
    status: 'active',
    standing: 'good',
    repetition: 'WEEKLY',
    amount: euros(1999),
    consentAmount: euros(1999),
    startAt: at(1),
    firstPaymentAt: at(1),
    endAt: null,
    nextDueAt: at(8),
    cyclesCollected: 1,
    consent: { status: 'successful', checkedAt: at(1) },
    payer: {},
    createdAt: at(1),
    workflowId: 'subscription/sub_a',
    metadata: {},
    ...more,
  };
}

/** Cycle 0 is due on the 1st, cycle 1 on the 8th; each can be collected for five days. */
export function cycle(number: number, more: Partial<Cycle> = {}): Cycle {
  const day = 1 + 7 * number;
  return {
    cycle: number,
    dueAt: at(day),
    collectBy: at(day + 5),
    amount: euros(1999),
    status: 'collected',
    retriesLeft: 3,
    attempts: [],
    refunds: [],
    ...more,
  };
}

export function attempt(outcome: Attempt['outcome'], more: Partial<Attempt> = {}): Attempt {
  return { attempt: 0, send: 0, at: at(8), amount: euros(1999), outcome, adopted: false, ...more };
}

export const toCome = (number: number) => {
  const { cycle: n, dueAt, collectBy, amount } = cycle(number);
  return { cycle: n, dueAt, collectBy, amount };
};

export function life(more: Partial<Life> = {}): Life {
  const coming = [toCome(1), toCome(2)];
  return {
    subscription: subscription(),
    cycles: [cycle(0)],
    hasEarlier: false,
    coming,
    notices: [],
    changes: [],
    ...more,
  };
}

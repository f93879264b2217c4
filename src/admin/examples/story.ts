/**
 * One scenario that all examples share: Ada Byron pays 19.99 EUR a month for coffee from 31 January 2027 on, once at the
 * second attempt, and buys a coffee machine for 89.00 EUR, part of which is refunded.
 */

/** The examples of one operation: request body as JSON or CSV, and successful responses by status or media type. */
export type Example = Readonly<
  Partial<
    Record<
      'request' | 'csvRequest' | 200 | 201 | 202 | 'text/csv' | 'text/event-stream' | 'application/x-ndjson',
      unknown
    >
  >
>;

/** The examples of operations by `operationId`. */
export type Examples = Readonly<Record<string, Example>>;

export function eur(value: number) {
  return { value, currency: 'EUR' } as const;
}

export function pageOf(...items: readonly unknown[]) {
  return { items, nextCursor: null };
}

/** The named fields of an example, in the order of `names`. */
export function shared<Source extends object, Name extends keyof Source>(source: Source, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;
}

/** The consent until the payer has answered. */
export function pendingConsent(paymentId: string) {
  return { status: 'pending', redirectURL: `https://pay.example/payer/${paymentId}`, checkedAt: null };
}

/** The service's ids. */
export const SERVICE = {
  link: 'pay_c4d0e6b1-3a7f-4d28-9e05-8b1c7f2a6d34',
  mandate: 'pay_7f1c2f0a-6f0e-4b6b-9a7e-2f3f5a1c2b7d',
  machine: 'pay_1b2f9a44-20c7-4f0e-8a35-9d1e6a7b3c52',
  authorization: 'aut_b7a1f4de-0a51-4a63-8a57-0d6de7b54a10',
  refused: 'aut_35c9d2e1-7b64-4f08-9c1d-6e2f4a8b7d90',
  capture: 'cap_e0c5d0a2-9d3f-4a1f-b2a5-2d0b7a6a9c11',
  refund: 'ref_94d7a3b8-5e12-4c6f-8b90-1a2d3e4f5c67',
} as const;

/** A typical reason. */
export const REASON = { reason: 'Ada asked for it on the phone' };

export const ADDRESS = {
  name: 'Ada Byron',
  street: 'Analytical Way 12',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
};

export const METADATA = { shop: 'berlin' };

export const FEBRUARY = { from: '2027-02-01T00:00:00.000Z', to: '2027-03-01T00:00:00.000Z' };

/** The real time of the scenario, which keys and endpoints use. */
export const REAL = '2027-01-15T09:30:00.000Z';

/** The payer's details in the request that creates the subscription. */
export const PAYER_DETAILS = { email: 'ada@example.org', reference: 'customer-7', language: 'de' };

/** Active after the first payment. */
export const SUBSCRIPTION = {
  subscriptionId: 'coffee-7',
  paymentId: SERVICE.mandate,
  status: 'active',
  standing: 'good',
  repetition: 'MONTHLY',
  amount: eur(1999),
  consentAmount: eur(1999),
  startAt: '2027-01-31T10:00:00.000Z',
  firstPaymentAt: '2027-01-31T10:00:00.000Z',
  endAt: null,
  nextDueAt: '2027-02-28T10:00:00.000Z',
  cyclesCollected: 1,
  consent: { status: 'successful', checkedAt: '2027-01-30T16:02:11.480Z' },
  payer: { name: ADDRESS.name, ...PAYER_DETAILS },
  metadata: METADATA,
  createdAt: '2027-01-30T16:00:00.310Z',
  workflowId: 'subscription/coffee-7',
};

/** The second cycle of the subscription: refused once, at 10:00:02.870, with a retry planned. */
export const CYCLE = {
  cycle: 1,
  dueAt: '2027-02-28T10:00:00.000Z',
  collectBy: '2027-03-05T10:00:00.000Z',
  amount: eur(1999),
  status: 'dunning',
  nextAttemptAt: '2027-03-01T10:00:02.870Z',
  retriesLeft: 3,
  retryUntil: '2027-03-03T09:59:02.870Z',
  attempts: [
    {
      attempt: 0,
      send: 0,
      at: '2027-02-28T10:00:00.310Z',
      amount: eur(1999),
      outcome: 'rejected_retryable',
      authorizationId: SERVICE.refused,
      detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
      description: 'insufficient funds',
      payerNotifiedAt: '2027-02-28T10:00:04.120Z',
      adopted: false,
    },
  ],
  refunds: [],
};

/** The first cycle of the subscription. */
export const COLLECTED_CYCLE = {
  cycle: 0,
  dueAt: '2027-01-31T10:00:00.000Z',
  collectBy: '2027-02-05T10:00:00.000Z',
  amount: eur(1999),
  status: 'collected',
  collectedAt: '2027-01-31T10:00:04.120Z',
  retriesLeft: 0,
  attempts: [
    {
      attempt: 0,
      send: 0,
      at: '2027-01-31T10:00:00.310Z',
      amount: eur(1999),
      outcome: 'successful',
      authorizationId: SERVICE.authorization,
      captureId: SERVICE.capture,
      adopted: false,
    },
  ],
  refunds: [],
};

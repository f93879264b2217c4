import { type Agreement, DAY, HOUR } from './calendar';
import { type Model, newModel } from './model';
import type { Seen } from './seen';

export const FIRST = Date.parse('2027-01-31T09:00:00.000Z');
export const AGREEMENT: Agreement = {
  repetition: 'MONTHLY',
  first: FIRST,
  end: null,
  cents: 1999,
  onExhausted: 'continue',
};

type Authorization = Seen['serviceAfter']['authorizations'][number];
type Attempt = Seen['attempts'][number];

/** The records of a life that invariants read, as plain objects; omitted fields are as before anything has happened. */
export interface Sample {
  readonly authorizations?: readonly Authorization[];
  readonly attempts?: readonly Attempt[];
  readonly cycles?: readonly { readonly cycle: number; readonly status: string; readonly reason?: string | null }[];
  readonly told?: readonly { readonly attempt: number; readonly at: number }[];
  readonly refusals?: readonly string[];
  readonly refunds?: readonly Seen['serviceAfter']['refunds'][number][];
  readonly debits?: readonly {
    readonly captureId: string;
    readonly status: string;
    readonly cents: number;
    readonly cycle?: number;
  }[];
  /** The states of debits by link, for each cycle that was paid by one. */
  readonly paid?: readonly (readonly [cycle: number, states: readonly string[]])[];
  readonly standing?: string;
}

export function seen(sample: Sample): Seen {
  const service = {
    authorizations: sample.authorizations ?? [],
    refunds: sample.refunds ?? [],
    debits: (sample.debits ?? []).map(({ cents, ...debit }) => ({ ...debit, amount: { value: cents } })),
  } as unknown as Seen['serviceAfter'];
  return {
    serviceBefore: service,
    serviceAfter: service,
    status: 'active',
    standing: sample.standing ?? 'good',
    refusals: sample.refusals ?? [],
    cycles: (sample.cycles ?? []).map((cycle) => ({ reason: null, ...cycle })) as unknown as Seen['cycles'],
    attempts: sample.attempts ?? [],
    linkDebits: new Map(sample.paid?.map(([cycle, states]) => [cycle, states.map((status) => ({ status }))])) as never,
    told: (sample.told ?? []).map((each) => ({ ...each, type: 'payment.failed', subscriptionId: 'x', cycle: 0 })),
  };
}

export function authorization(at: number, result: Authorization['result'] = 'successful', cycle = 0): Authorization {
  const createdAt = new Date(at).toISOString();
  return { authorizationId: `aut_${at}`, amount: 1999, createdAt, cycle, scheduledAt: null, result, rejection: null };
}

export function attempt(at: number, state: Attempt['state'], rest: Partial<Attempt> = {}): Attempt {
  const about = {
    cycle: 0,
    attempt: 0,
    send: 0,
    at,
    outcomeAt: at + 50,
    detail: null,
    amount: { value: 1999, currency: 'EUR' },
  };
  return { ...about, state, authorizationId: `aut_${at}`, captureId: `cap_${at}`, ...rest } as unknown as Attempt;
}

export function model(now: number, rest: Partial<Model> = {}): Model {
  return { ...newModel(AGREEMENT, true, FIRST - DAY, FIRST + 400 * DAY), now, ...rest };
}

/** An instant at which the first cycle has just been collected. */
export const SOON = FIRST + HOUR;

import type { ContradictionOrder } from '../../src/sandbox';
import type { ChaosPlan } from './chaos-plan';

/** How the service contradicts itself about the subscription of one seed. */
export interface PlannedContradiction {
  readonly name: string;
  /** Every date is collected, and no item opens. */
  readonly isHarmless: boolean;
  /** The cycle before which it starts. */
  readonly fromCycle: number;
  readonly order: ContradictionOrder | null;
  /** Which part of the amount another system collects with the same mandate, 40 hours before the cycle; null: none. */
  readonly elsewhere: number | null;
  /** How many ms after the due date the payer pays the first cycle, which counts as failed, by a link; null: not at all. */
  readonly link: number | null;
  readonly wallet: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WINDOW = 120 * HOUR;
const FINAL = 'AUTHORIZATION_REJECTION_FINAL';
const RETRYABLE = 'AUTHORIZATION_REJECTION_RETRYABLE';

type Drawn = Partial<Omit<PlannedContradiction, 'name'>>;
/** @param n varies what the kind leaves open */
type Kind = (n: number) => Drawn;

const of = (order: ContradictionOrder, more: Drawn = {}): Drawn => ({ order, ...more });
const one = <T>(n: number, ...choices: readonly [T, ...T[]]): T => choices[n % choices.length] ?? choices[0];
const in1 = { cycle: 1 };

/** The settle time is 15 minutes here; days and collection windows have their real length. */
const KINDS: Readonly<Record<string, Kind>> = {
  'refused, then successful': (n) =>
    of({
      kind: 'refused_then_successful',
      delayMs: one(n, MINUTE, HOUR, 20 * HOUR),
      pendingMs: one(n, 0, HOUR),
      named: n % 3 > 0,
      detail: one(n, RETRYABLE, RETRYABLE, FINAL),
      match: { cycle: 0, attempt: 0 },
    }),
  'paid by a link, then successful': (n) =>
    of(
      {
        kind: 'refused_then_successful',
        delayMs: WINDOW + one(n, -2 * HOUR, 30 * MINUTE, 20 * HOUR),
        named: true,
        detail: FINAL,
        match: { cycle: 0, attempt: 0 },
      },
      { link: WINDOW + one(Math.floor(n / 3), MINUTE, HOUR) },
    ),
  'refused, pending, refused again': (n) =>
    of({
      kind: 'refused_then_failed',
      delayMs: one(n, MINUTE, HOUR),
      pendingMs: 2 * HOUR,
      match: { cycle: 0, attempt: 0 },
    }),
  'refused by GET while it books': (n) =>
    of({ kind: 'refused_while_booking', detail: one(n, RETRYABLE, FINAL), match: { cycle: 0 } }),
  'successful, then failed': (n) =>
    of({ kind: 'success_withdrawn', delayMs: one(n, 0, MINUTE), match: { cycle: 0 } }, { wallet: 'slow-600' }),
  'opened again': () => of({ kind: 'same_id', match: { cycle: 0, attempt: 1 } }, { wallet: 'rejected-with-id-once' }),
  'one id for all': () => of({ kind: 'same_id', as: 'first', times: null }),
  'an id of another cycle': () => of({ kind: 'same_id', as: 'other_cycle', match: in1 }),
  'no longer listed': (n) => of({ kind: 'vanishing', delayMs: one(n, 5_000, MINUTE), match: in1 }),
  'no longer listed, and booked': (n) =>
    of({ kind: 'vanishing', books: true, delayMs: one(n, 5_000, MINUTE), match: in1 }),
  'a new status word': (n) => of({ kind: 'new_status', word: one(n, 'refunded', 'reversed'), match: { cycle: 0 } }),
  'a date past year 9999': () => of({ kind: 'far_date', match: in1 }),
  'an answer that cannot be stored': (n) =>
    of({ kind: 'unstorable_answer', variant: one(n, 'date', 'nul_id', 'long_id', 'no_id'), match: in1 }),
  'a list that lags': (n) =>
    of({ kind: 'list_lag', delayMs: one(n, 5_000, MINUTE, 10 * MINUTE) }, { isHarmless: true }),
  'a list with the newest first': () => of({ kind: 'list_newest_first' }, { isHarmless: true }),
  'a list of the last ten': () =>
    of({ kind: 'list_cut', keeps: 'newest', count: 10 }, { isHarmless: true, wallet: 'insufficient-funds-2' }),
  'a list of the last 90 days': () => of({ kind: 'list_days', days: 90 }, { isHarmless: true }),
  'a list without refused ones': () =>
    of({ kind: 'list_without_refused' }, { isHarmless: true, wallet: 'rejected-with-id-once' }),
  'a list that is cut': (n) =>
    of({
      kind: 'list_cut',
      count: 1,
      keeps: one(n, 'oldest', 'newest'),
      says: one(n, 'nothing', 'has_more', 'next_cursor', 'total', 'endless_link', 'foreign_link'),
    }),
  'a list in linked pages': () => of({ kind: 'list_cut', count: 1, says: 'link' }, { isHarmless: true }),
  'an empty list': () => of({ kind: 'list_empty' }, { fromCycle: 1 }),
  // Shorter than two settle times: other seeds share the ledger, and their answered POSTs show that the service is back.
  'POSTs answering 503': () => of({ kind: 'outage', minutes: 25 }, { isHarmless: true, fromCycle: 1 }),
  'collected elsewhere': () => ({ elsewhere: 1, fromCycle: 1 }),
  'another amount elsewhere': () => ({ elsewhere: 0.5, fromCycle: 1 }),
};

export const CONTRADICTION_NAMES = Object.keys(KINDS);

/** The contradiction of a seed. Three of four seeds have one, each kind equally often. */
export function contradictionOf(seed: number): PlannedContradiction | null {
  if (seed % 4 === 0) return null;
  const number = Math.floor(seed / 4) * 3 + (seed % 4) - 1;
  const name = CONTRADICTION_NAMES[number % CONTRADICTION_NAMES.length] ?? '';
  const drawn = KINDS[name]?.(Math.floor(number / CONTRADICTION_NAMES.length)) ?? {};
  return {
    isHarmless: false,
    fromCycle: 0,
    order: null,
    elsewhere: null,
    link: null,
    wallet: 'approves',
    ...drawn,
    name,
  };
}

/**
 * The seed's plan under its contradiction: at least two cycles, the payer that the kind needs, no one-time payment, and
 * neither changes of amounts nor refunds, for which the ledger would have to know debits that the service denies.
 */
export function contradicted(plan: ChaosPlan, contradiction: PlannedContradiction | null): ChaosPlan {
  if (contradiction === null) return plan;
  const { wallet, order } = contradiction;
  // An outage uses up two sends of an attempt: a third one without an answer would be the last.
  const misfortunes = order?.kind === 'outage' ? plan.misfortunes.filter(isQuestions) : plan.misfortunes;
  return { ...plan, misfortunes, wallet, cycles: Math.max(2, plan.cycles), changes: [], refunds: [], payment: null };
}

function isQuestions(each: ChaosPlan['misfortunes'][number]): boolean {
  return each.what === 'fault' && each.on === 'GET';
}

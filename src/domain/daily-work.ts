import type { Period } from './time';
import { DAY, HOUR, type Instant } from './time';
import { firstDailyFrom, CHECK_AHEAD, COMPARE_BACK, nextDailyAfter } from './subscription/schedule';

/** The parts of a day's work, in their order. Comparing with the service may last until the next day, so it comes last. */
export const DAILY_PARTS = ['consents', 'leftovers', 'workflows', 'reconciliation'] as const;
export type DailyPart = (typeof DAILY_PARTS)[number];

/** The progress of the daily work. */
export interface DailyState {
  /** When the last day's work started; null before the first. */
  readonly startedAt: Instant | null;
  /** When the first day's work starts; null before this is decided, and once the work has started. */
  readonly firstAt: Instant | null;
  /** The part in progress; null between two days. Before the first day, the workflows are checked once. */
  readonly part: DailyPart | null;
  /** The position in a part that is done in pages; null at its beginning. */
  readonly after: string | null;
  /** Sums over the pages of the part. */
  readonly counts: Counts;
  /** The results of this day's parts, as text. */
  readonly done: Report;
  readonly last: DailyReport | null;
}

/** Counts by their names. */
export type Counts = Readonly<Record<string, number>>;
type Report = Readonly<Partial<Record<DailyPart, string>>>;

export interface DailyReport {
  readonly at: Instant;
  readonly parts: Report;
}

/** What comes next. */
export type DailyStep =
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'consents'; readonly dueBy: Instant; readonly after: string | null }
  | { readonly kind: 'leftovers' }
  | { readonly kind: 'workflows'; readonly after: string | null }
  /** Compares the records of a period; what was not compared by `until` is compared the next day. */
  | { readonly kind: 'reconciliation'; readonly period: Period; readonly until: Instant; readonly timeout: number };

/** The result of a step: a page of a part, the whole part as text, or its failure. */
export type DailyOutcome =
  | { readonly kind: 'page'; readonly counts: Counts; readonly after: string | null }
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** When the daily work first starts, Temporal may be new or restored: the workflows are checked immediately. */
export const FIRST: DailyState = {
  startedAt: null,
  firstAt: null,
  part: 'workflows',
  after: null,
  counts: {},
  done: {},
  last: null,
};

/** Business ms after which the day's check of consents ends; the rest is checked the next day. */
const MAX_CHECK_TIME = 12 * HOUR;
/** Real ms for which calls to an unavailable service are retried for the day's comparison. */
const RECONCILIATION_TIMEOUT = 2 * HOUR;

/**
 * Continues with the result `came` of the previous step, null after a wait. A part that fails is repeated the next day.
 * Pure.
 */
export function nextDaily(
  before: DailyState,
  came: DailyOutcome | null,
  now: Instant,
): { readonly state: DailyState; readonly step: DailyStep } {
  const state = startedIfDue(came === null ? before : applied(before, came, now), now);
  return { state, step: stepOf(state, now) };
}

function applied(state: DailyState, came: DailyOutcome, now: Instant): DailyState {
  if (state.part === null) return state;
  if (came.kind === 'done') return partDone(state, came.words);
  if (came.kind === 'failed') {
    const soFar = Object.keys(state.counts).length > 0 ? `${describe(state.counts)}; ` : '';
    return partDone(state, `${soFar}failed: ${came.reason}`);
  }
  const counts = sumOf(state.counts, came.counts);
  const isLate = state.part === 'consents' && now >= (state.startedAt ?? now) + MAX_CHECK_TIME;
  if (came.after !== null && !isLate) return { ...state, counts, after: came.after };
  return partDone(state, describe(counts));
}

function partDone(state: DailyState, summary: string): DailyState {
  const { part, startedAt } = state;
  if (part === null) return state;
  const done = { ...state.done, [part]: summary };
  const next = startedAt === null ? null : (DAILY_PARTS[DAILY_PARTS.indexOf(part) + 1] ?? null);
  const common = { ...state, part: next, after: null, counts: {} };
  if (next !== null) return { ...common, done };
  return { ...common, done: {}, last: startedAt === null ? state.last : { at: startedAt, parts: done } };
}

function startedIfDue(state: DailyState, now: Instant): DailyState {
  if (state.part !== null) return state;
  const next = nextDayOf(state, now);
  if (next <= now) return { ...state, startedAt: now, firstAt: null, part: DAILY_PARTS[0] };
  return state.startedAt === null ? { ...state, firstAt: next } : state;
}

/** However many days were missed, the work of one day makes up for them. */
function nextDayOf({ startedAt, firstAt }: DailyState, now: Instant): Instant {
  return startedAt === null ? (firstAt ?? firstDailyFrom(now)) : nextDailyAfter(startedAt);
}

function stepOf(state: DailyState, now: Instant): DailyStep {
  const { part, after } = state;
  const startedAt = state.startedAt ?? now;
  switch (part) {
    case null:
      return { kind: 'wait', until: nextDayOf(state, now) };
    case 'consents':
      return { kind: part, dueBy: startedAt + CHECK_AHEAD, after };
    case 'leftovers':
      return { kind: part };
    case 'workflows':
      return { kind: part, after };
    case 'reconciliation':
      return {
        kind: part,
        period: { from: startedAt - COMPARE_BACK, to: startedAt },
        until: startedAt + DAY,
        timeout: RECONCILIATION_TIMEOUT,
      };
  }
}

function sumOf(one: Counts, other: Counts): Counts {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

function describe(counts: Counts): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

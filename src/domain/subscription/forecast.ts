import { type Figure, NOTHING, sumOf, addExactly, euros, type Money } from '../money';
import type { AttemptState } from '../send';
import { type Instant, daysOf, type Period, DAY, HOUR, startOfDay } from '../time';
import { type Calendar, COLLECTION_WINDOW, collectionWindow, dueAt, firstCycleFrom } from './schedule';
import type { CycleStatus, PendingChange } from './state';

/** Of a cycle that is not final. */
export const OPEN_STATUSES = ['scheduled', 'collecting', 'dunning', 'unresolved'] as const satisfies CycleStatus[];

/** What is known of an open cycle. */
export interface OpenCycleFacts {
  readonly status: (typeof OPEN_STATUSES)[number];
  readonly hold: 'pause' | 'cancel' | null;
  /** The state of its last send; null if there was none. */
  readonly lastSend: AttemptState | null;
  /** The state of the payer's notice about the last send's rejection; null if none was ordered. */
  readonly notice: 'pending' | 'delivered' | 'undeliverable' | null;
  readonly isOtherUnknown: boolean;
  /** All sending of the installation is halted. */
  readonly isHalted: boolean;
  /** Until when a hold stops its attempts; past once the hold has ended, null if there was none. */
  readonly heldUntil: Instant | null;
  /** The end of the time to send: the retries' limit if there is one, else the window's. */
  readonly deadline: Instant;
}

/** What keeps an open cycle from being collected, in the order in which they are shown. */
const BLOCKED_BY = {
  /** Nothing may be sent any more: the collection window or the time for retries has passed (rules 3, 14). */
  time_over: ({ deadline }, now) => deadline <= now,
  /** All sending is halted, by an operator or because the ledger was restored (rule 45). */
  halted: ({ isHalted }) => isHalted,
  /** A hold by filter stops its attempts (rule 16). */
  on_hold: ({ heldUntil }, now) => heldUntil !== null && now < heldUntil,
  /** The hold of a pause (rule 23). */
  paused: ({ hold }) => hold === 'pause',
  /** The hold of a cancellation (rule 24). */
  cancelling: ({ hold }) => hold === 'cancel',
  /** The service's answers fit nothing, or cannot be had: an operator has to decide (rule 18). */
  outcome_unresolved: ({ status, lastSend }) => status === 'unresolved' || lastSend === 'unresolved',
  /** dueday is asking whether a debit was made (rule 17). */
  outcome_unknown: ({ lastSend }) => lastSend === 'unknown',
  /** An attempt of another cycle has an unknown outcome: nothing is sent until it is settled (rule 18). */
  other_cycle_in_doubt: ({ isOtherUnknown }) => isOtherUnknown,
  /** The POST is on the wire, or was when its process ended. */
  awaiting_answer: ({ lastSend }) => lastSend === 'sending',
  /** The service knows the authorization and has not decided (rule 10). */
  pending_at_service: ({ lastSend }) => lastSend === 'pending',
  /** Authorized, and the debit failed: for an operator (rule 11). */
  capture_failed: ({ lastSend }) => lastSend === 'capture_failed',
  /** The last send never reached the bank; tried again (rule 17). */
  not_sent: ({ lastSend }) => lastSend === 'not_sent',
  /** No notice, no retry (rule 13). */
  notice_undelivered: ({ lastSend, notice }) =>
    lastSend === 'rejected_retryable' && (notice ?? 'pending') === 'pending',
  notice_undeliverable: ({ lastSend, notice }) => lastSend === 'rejected_retryable' && notice === 'undeliverable',
} satisfies Record<string, (facts: OpenCycleFacts, now: Instant) => boolean>;

export type Blocker = keyof typeof BLOCKED_BY;
export const BLOCKERS = Object.keys(BLOCKED_BY) as [Blocker, ...Blocker[]];

/** Empty if the cycle only waits for its time. */
export function blockersOf(facts: OpenCycleFacts, now: Instant): Blocker[] {
  return BLOCKERS.filter((blocker) => BLOCKED_BY[blocker](facts, now));
}

/**
 * What a day's due dates and one-time payments came to: `due` is the sum of `collected`, `failed`, `skipped`, `missed` and `open`; `refunded` is
 * part of `collected`.
 */
export const COLLECTION_FIGURES = ['due', 'collected', 'failed', 'skipped', 'missed', 'open', 'refunded'] as const;
export type CollectionFigure = (typeof COLLECTION_FIGURES)[number];
export type Collections = Readonly<Record<CollectionFigure, Figure>>;

/** The cycles and one-time payments of one day in one status, or the refunds made of them. */
export interface CollectionSum extends Figure {
  /** The beginning of the UTC day of the due date, or of the capture. */
  readonly day: Instant;
  readonly status: CycleStatus | 'refunded';
}

export interface CollectionDay extends Collections {
  readonly day: Instant;
}

/** Every day of the period, also those on which nothing fell due. */
export function collectionsByDay(period: Period, sums: readonly CollectionSum[]): CollectionDay[] {
  const byDay = new Map<Instant, CollectionSum[]>(daysOf(period).map((day) => [day, []]));
  for (const sum of sums) byDay.get(sum.day)?.push(sum);
  return [...byDay].map(([day, ofDay]) => ({ day, ...collectionsOf(ofDay) }));
}

/** Of the sums of all days together. */
export function collectionsOf(sums: readonly CollectionSum[]): Collections {
  const figures = COLLECTION_FIGURES.map((figure) => [figure, sumOf(sums.filter((sum) => counts(sum, figure)))]);
  return Object.fromEntries(figures) as Collections;
}

function counts({ status }: CollectionSum, figure: CollectionFigure): boolean {
  return figure === 'due' ? status !== 'refunded' : figure === FIGURE_OF[status];
}

const FIGURE_OF: Readonly<Record<CollectionSum['status'], CollectionFigure>> = {
  scheduled: 'open',
  collecting: 'open',
  dunning: 'open',
  unresolved: 'open',
  collected: 'collected',
  failed: 'failed',
  skipped: 'skipped',
  missed: 'missed',
  refunded: 'refunded',
};

/** What of a subscription says when it falls due next and at what amount. */
export interface Expected extends Calendar {
  readonly status: 'active' | 'paused';
  /** The first due date that has not been tried. */
  readonly nextDueAt: Instant;
  /** The end of a pause; null where it has none, or the subscription is not paused. */
  readonly pausedUntil: Instant | null;
  /** What the next cycle collects. */
  readonly amount: Money;
  /** A change of amount to come. */
  readonly pendingChange: Pick<PendingChange, 'amount' | 'effectiveAt'> | null;
  /** Future due dates that an operator has skipped. */
  readonly skipped: readonly Instant[];
}

export interface ForecastDay extends Figure {
  /** The beginning of the UTC day. */
  readonly day: Instant;
}

/**
 * The due dates in the period that are still to be collected: from `nextDueAt` on, and of a paused subscription from the
 * end of its pause on, a due date equal to it too (rule 23). None if the pause has no end.
 */
export function dueDatesWithin(expected: Expected, period: Period): Instant[] {
  return [...eachDueDate(expected, period)];
}

/** The same, one by one. */
export function* eachDueDate(expected: Expected, period: Period): Generator<Instant, void> {
  const { nextDueAt, status, pausedUntil, endAt, skipped } = expected;
  const resumedAt = status === 'paused' ? (pausedUntil ?? Infinity) : -Infinity;
  const from = Math.max(period.from, nextDueAt, resumedAt);
  const to = Math.min(period.to, endAt ?? Infinity);
  if (from >= to) return;
  for (let cycle = firstCycleFrom(expected, from); ; cycle += 1) {
    const due = dueAt(expected, cycle);
    if (due >= to) return;
    if (!skipped.includes(due)) yield due;
  }
}

/** What a cycle due then collects, as far as is known today. */
export function amountDue({ amount, pendingChange }: Pick<Expected, 'amount' | 'pendingChange'>, due: Instant): Money {
  return pendingChange !== null && pendingChange.effectiveAt <= due ? pendingChange.amount : amount;
}

/** Sums up what falls due a day, one subscription at a time: memory grows with the period, not with their number. */
export class Forecast {
  private readonly sums: readonly { readonly day: Instant; cents: number; count: number }[];

  constructor(private readonly period: Period) {
    this.sums = daysOf(period).map((day) => ({ day, cents: 0, count: 0 }));
  }

  /** @throws RangeError if a sum is not a safe integer. */
  add(expected: Expected): void {
    const firstDay = startOfDay(this.period.from);
    for (const due of dueDatesWithin(expected, this.period)) {
      const sum = this.sums[Math.floor((due - firstDay) / DAY)];
      if (sum === undefined) throw new RangeError(`a due date of ${due} ms is on no day of the period`);
      sum.cents = addExactly(sum.cents, amountDue(expected, due).value);
      sum.count += 1;
    }
  }

  /** Every day of the period in order. */
  days(): ForecastDay[] {
    return this.sums.map(({ day, cents, count }) => ({ day, amount: euros(cents), count }));
  }
}

/** What of a subscription on hold says which windows it loses. */
export interface HeldSubscription extends Omit<Expected, 'nextDueAt'> {
  /** Null if no due date is left. */
  readonly nextDueAt: Instant | null;
  /** Business ms before the end of a window after which nothing is sent. */
  readonly transit: number;
  /** The cycle in progress and the end of its time to send; null if there is none, or an attempt of it is under way. */
  readonly open: { readonly sendBefore: Instant; readonly amount: Money } | null;
}

/** The time to send a cycle, which ends while the hold is in force. */
export interface LostWindow {
  readonly at: Instant;
  readonly amount: Money;
}

/**
 * The windows that end after `now` and not after `until`, the earliest first: a cycle that was never tried is then missed, and
 * one that waits for a retry fails (rules 4, 15).
 */
export function* windowsLost(held: HeldSubscription, now: Instant, until: Instant): Generator<LostWindow, void> {
  for (const each of windowsOf(held, now, until)) {
    if (each.at > until) return;
    if (each.at > now) yield each;
  }
}

function* windowsOf(held: HeldSubscription, now: Instant, until: Instant): Generator<LostWindow, void> {
  const { nextDueAt, open, transit } = held;
  if (open !== null) yield { at: open.sendBefore, amount: open.amount };
  if (nextDueAt === null) return;
  for (const due of eachDueDate({ ...held, nextDueAt }, { from: now - COLLECTION_WINDOW, to: until })) {
    const { collectBy } = collectionWindow(held, firstCycleFrom(held, due));
    yield { at: collectBy - transit, amount: amountDue(held, due) };
  }
}

/** Windows that end within one hour, and the money of their cycles. */
export interface LostInHour extends Figure {
  /** The beginning of the hour. */
  readonly hour: Instant;
}

/** The earliest hour first; hours without any are left out. @throws RangeError if a sum is not a safe integer. */
export function lostByHour(windows: Iterable<LostWindow>): readonly LostInHour[] {
  const hours = new Map<Instant, Figure>();
  for (const { at, amount } of windows) {
    const hour = at - (at % HOUR);
    hours.set(hour, sumOf([hours.get(hour) ?? NOTHING, { amount, count: 1 }]));
  }
  return [...hours].map(([hour, figure]) => ({ hour, ...figure })).toSorted((one, other) => one.hour - other.hour);
}

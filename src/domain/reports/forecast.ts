import { type Figure, NOTHING, sumOf, addExactly, euros, type Money } from '../money';
import type { AttemptState } from '../send';
import { type Instant, daysOf, type Period, DAY, HOUR, startOfDay } from '../time';
import { type Calendar, COLLECTION_WINDOW, collectionWindow, dueAt, firstCycleFrom } from '../subscription/schedule';
import type { CycleStatus, OPEN_STATUSES, PendingChange } from '../subscription/state';

/** The facts about an open cycle. */
export interface OpenCycleFacts {
  readonly status: (typeof OPEN_STATUSES)[number];
  readonly stoppedBy: 'pause' | 'cancel' | null;
  /** The state of its last send; null if there was none. */
  readonly lastSend: AttemptState | null;
  /** The state of the payer's notice about the last send's rejection; null if none was ordered. */
  readonly notice: 'pending' | 'delivered' | 'undeliverable' | null;
  readonly isOtherUnknown: boolean;
  /** Whether all sending of the installation is halted. */
  readonly isHalted: boolean;
  /** The end of the hold that stops its attempts; in the past if the hold has ended, null if there was none. */
  readonly heldUntil: Instant | null;
  /** The end of the time to send: the limit for retries if there is one, otherwise the end of the window. */
  readonly deadline: Instant;
}

/** What prevents an open cycle from being collected, in the order in which blockers are shown. */
const BLOCKED_BY = {
  /** Nothing may be sent any more: the collection window has closed, or the time for retries has passed (rules 3, 14). */
  time_over: ({ deadline }, now) => deadline <= now,
  /** All sending is halted, by an operator or because the ledger was restored (rule 45). */
  halted: ({ isHalted }) => isHalted,
  /** A hold of the subscriptions that a filter matched stops its attempts (rule 16). */
  on_hold: ({ heldUntil }, now) => heldUntil !== null && now < heldUntil,
  /** A pause (rule 23). */
  paused: ({ stoppedBy }) => stoppedBy === 'pause',
  /** A cancellation (rule 24). */
  cancelling: ({ stoppedBy }) => stoppedBy === 'cancel',
  /** The service's answers are contradictory or missing: an operator must decide (rule 18). */
  outcome_unresolved: ({ status, lastSend }) => status === 'unresolved' || lastSend === 'unresolved',
  /** dueday is asking whether a debit was made (rule 17). */
  outcome_unknown: ({ lastSend }) => lastSend === 'unknown',
  /** An attempt of another cycle has an unknown outcome: nothing is sent until it is settled (rule 18). */
  other_cycle_unknown: ({ isOtherUnknown }) => isOtherUnknown,
  /** The POST is on the wire, or was when its process ended. */
  awaiting_answer: ({ lastSend }) => lastSend === 'sending',
  /** The service has the authorization and has not decided yet (rule 10). */
  pending_at_service: ({ lastSend }) => lastSend === 'pending',
  /** Authorized, but the debit failed: an operator must decide (rule 11). */
  capture_failed: ({ lastSend }) => lastSend === 'capture_failed',
  /** The last send never reached the bank; it is sent again (rule 17). */
  not_sent: ({ lastSend }) => lastSend === 'not_sent',
  /** A retry needs a delivered notice (rule 13). */
  notice_undelivered: ({ lastSend, notice }) =>
    lastSend === 'rejected_retryable' && (notice ?? 'pending') === 'pending',
  notice_undeliverable: ({ lastSend, notice }) => lastSend === 'rejected_retryable' && notice === 'undeliverable',
} satisfies Record<string, (facts: OpenCycleFacts, now: Instant) => boolean>;

export type Blocker = keyof typeof BLOCKED_BY;
export const BLOCKERS = Object.keys(BLOCKED_BY) as [Blocker, ...Blocker[]];

/** Empty if the cycle only waits for its planned time. */
export function blockersOf(facts: OpenCycleFacts, now: Instant): Blocker[] {
  return BLOCKERS.filter((blocker) => BLOCKED_BY[blocker](facts, now));
}

/**
 * The results of the due dates and one-time payments of a day: `due` is the sum of `collected`, `failed`, `skipped`, `missed`
 * and `open`; `refunded` is part of `collected`.
 */
export const COLLECTION_FIGURES = ['due', 'collected', 'failed', 'skipped', 'missed', 'open', 'refunded'] as const;
export type CollectionFigure = (typeof COLLECTION_FIGURES)[number];
export type Collections = Readonly<Record<CollectionFigure, Figure>>;

/** Cycles and one-time payments of one day in one status, or their refunds. */
export interface CollectionSum extends Figure {
  /** The start of the UTC day of the due date, or of the capture. */
  readonly day: Instant;
  readonly status: CycleStatus | 'refunded';
}

export interface CollectionDay extends Collections {
  readonly day: Instant;
}

/** Every day of the period, including those without due dates. */
export function collectionsByDay(period: Period, sums: readonly CollectionSum[]): CollectionDay[] {
  const byDay = new Map<Instant, CollectionSum[]>(daysOf(period).map((day) => [day, []]));
  for (const sum of sums) byDay.get(sum.day)?.push(sum);
  return [...byDay].map(([day, ofDay]) => ({ day, ...collectionsOf(ofDay) }));
}

/** The totals of all days. */
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

/** The fields of a subscription that determine its next due date and amount. */
export interface Expected extends Calendar {
  readonly status: 'active' | 'paused';
  /** The first due date that has not been attempted. */
  readonly nextDueAt: Instant;
  /** The end of the pause in force; null if that pause has no end, or if no pause is in force. */
  readonly pausedUntil: Instant | null;
  /** The amount that the next cycle collects. */
  readonly amount: Money;
  /** A pending change of the amount. */
  readonly pendingChange: Pick<PendingChange, 'amount' | 'effectiveAt'> | null;
  /** Future due dates that an operator has skipped. */
  readonly skipped: readonly Instant[];
}

export interface ForecastDay extends Figure {
  /** The start of the UTC day. */
  readonly day: Instant;
}

/**
 * The due dates in the period that are still to be collected: from `nextDueAt` on and, for a paused subscription, from the end
 * of its pause on (inclusive, rule 23). None if the pause has no end.
 */
export function dueDatesWithin(expected: Expected, period: Period): Instant[] {
  return [...eachDueDate(expected, period)];
}

/** The due dates of {@link dueDatesWithin}, one at a time. */
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

/** The amount that a cycle due at `due` collects, as far as is known today. */
export function amountDue({ amount, pendingChange }: Pick<Expected, 'amount' | 'pendingChange'>, due: Instant): Money {
  return pendingChange !== null && pendingChange.effectiveAt <= due ? pendingChange.amount : amount;
}

/** Sums up what falls due each day, one subscription at a time: memory grows with the period, not with the number of subscriptions. */
export class Forecast {
  private readonly sums: readonly { readonly day: Instant; cents: number; count: number }[];
  private readonly firstDay: Instant;

  constructor(private readonly period: Period) {
    this.firstDay = startOfDay(period.from);
    this.sums = daysOf(period).map((day) => ({ day, cents: 0, count: 0 }));
  }

  /** @throws RangeError if a sum is not a safe integer. */
  add(expected: Expected): void {
    for (const due of dueDatesWithin(expected, this.period)) {
      this.addOn(due, { amount: amountDue(expected, due), count: 1 });
    }
  }

  /** Adds what falls due on a day. @throws RangeError if a sum is not a safe integer. */
  addSum({ day, ...due }: ForecastDay): void {
    this.addOn(day, due);
  }

  private addOn(instant: Instant, { amount, count }: Figure): void {
    const sum = this.sums[Math.floor((instant - this.firstDay) / DAY)];
    if (sum === undefined) throw new RangeError(`the instant ${instant} ms is on no day of the period`);
    sum.cents = addExactly(sum.cents, amount.value);
    sum.count += count;
  }

  /** Every day of the period in order. */
  days(): ForecastDay[] {
    return this.sums.map(({ day, cents, count }) => ({ day, amount: euros(cents), count }));
  }
}

/** The fields of a held subscription that determine which windows it loses. */
export interface HeldSubscription extends Omit<Expected, 'nextDueAt'> {
  /** Null if no due date is left. */
  readonly nextDueAt: Instant | null;
  /** In the last `transit` ms of a window nothing is sent. Business time. */
  readonly transit: number;
  /** The cycle in progress and the end of its time to send; null if there is none, or if one of its attempts is in progress. */
  readonly open: { readonly sendBefore: Instant; readonly amount: Money } | null;
}

/** A window that ends while the hold is in force: when its time to send ends, and the amount of its cycle. */
export interface LostWindow {
  readonly at: Instant;
  readonly amount: Money;
}

/**
 * The windows that end after `now` and no later than `until`, earliest first: a cycle that was never attempted is then missed,
 * and one that waits for a retry fails (rules 4, 15).
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

/** Windows that end within one hour, and the total amount of their cycles. */
export interface LostInHour extends Figure {
  /** The start of the hour. */
  readonly hour: Instant;
}

/**
 * The lost windows by the hour in which they end, the earliest first; hours without any are omitted.
 * @throws RangeError if a sum is not a safe integer.
 */
export function lostByHour(windows: Iterable<LostWindow>): readonly LostInHour[] {
  const hours = new Map<Instant, Figure>();
  for (const { at, amount } of windows) {
    const hour = at - (at % HOUR);
    hours.set(hour, sumOf([hours.get(hour) ?? NOTHING, { amount, count: 1 }]));
  }
  return [...hours].map(([hour, figure]) => ({ hour, ...figure })).toSorted((one, other) => one.hour - other.hour);
}

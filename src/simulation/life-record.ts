import type { Instant } from '../domain/time';
import { type Money, sameMoney } from '../domain/money';
import type { AttemptState } from '../domain/send';
import type { Standing, CancelledBy, CycleStatus, SubscriptionStatus, Terms } from '../domain/subscription/state';
import type { PlayedEvent } from './script';

/** A life as far as it is drawn: nothing here needs more than a browser has. Oldest first throughout; business time. */
export interface DrawnLife {
  readonly terms: Pick<Terms, 'repetition' | 'firstPaymentAt' | 'consentAmount'>;
  /** Until when it was watched: a pause that has not ended is drawn up to it. */
  readonly until: Instant;
  /** Drawn as a line where what comes is shown too. */
  readonly now: Instant | null;
  readonly cancelled: { readonly at: Instant; readonly by: CancelledBy } | null;
  /** `scheduled` ones are still to come. */
  readonly cycles: readonly CycleStory[];
  readonly notices: readonly NoticeStory[];
  readonly pauses: readonly { readonly from: Instant; readonly until: Instant | null }[];
  /** The consent amount, then each cycle that collects another amount than the one before. */
  readonly amounts: readonly { readonly cycle: number; readonly dueAt: Instant; readonly amount: Money }[];
}

/** What really happened, as the ledger has it. */
export interface LifeRecord extends DrawnLife {
  readonly terms: Terms;
  /** Since when it was watched. */
  readonly from: Instant;
  readonly status: SubscriptionStatus;
  readonly standing: Standing;
  readonly scriptedEvents: readonly PlayedEvent[];
}

export interface CycleStory {
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason: string | null;
  readonly collectedAt: Instant | null;
  readonly attempts: readonly AttemptStory[];
}

export interface AttemptStory {
  /** 0 first, then the retries. */
  readonly attempt: number;
  /** 0, and one more after each that never arrived. */
  readonly send: number;
  readonly at: Instant;
  readonly outcome: AttemptState;
  readonly detail: string | null;
  /** When the payer had been notified of its rejection. */
  readonly noticeAt: Instant | null;
}

export interface NoticeStory {
  readonly at: Instant;
  readonly type: string;
  readonly cycle: number | null;
  readonly attempt: number | null;
}

/** An entry of the trail, as far as the record of a life needs it. */
export interface TrailEntry {
  readonly type: string;
  readonly at: Instant;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The pauses that the trail tells of, oldest entry first; null where one has not ended. */
export function pausesOf(events: readonly TrailEntry[]): { from: Instant; until: Instant | null }[] {
  const pauses: { from: Instant; until: Instant | null }[] = [];
  for (const { type, at, data } of events) {
    if (type === 'subscription.paused') pauses.push({ from: at, until: null });
    const current = pauses.at(-1);
    if (type === 'subscription.resumed' && current !== undefined) current.until = Date.parse(String(data['at']));
  }
  return pauses;
}

/** The consent amount, then each cycle that was tried at another amount than the one before. */
export function amountsOf(
  terms: Pick<Terms, 'firstPaymentAt' | 'consentAmount'>,
  cycles: readonly CycleStory[],
): LifeRecord['amounts'] {
  const amounts = [{ cycle: 0, dueAt: terms.firstPaymentAt, amount: terms.consentAmount }];
  for (const { cycle, dueAt, amount, attempts } of cycles) {
    const last = amounts.at(-1);
    if (attempts.length > 0 && last !== undefined && !sameMoney(last.amount, amount)) {
      amounts.push({ cycle, dueAt, amount });
    }
  }
  return amounts;
}

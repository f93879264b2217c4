import type { Instant } from '../domain/time';
import { type Money, sameMoney } from '../domain/money';
import type { AttemptState } from '../domain/send';
import type { Standing, CancelledBy, CycleStatus, SubscriptionStatus, Terms } from '../domain/subscription/state';
import type { PlayedEvent } from './script';

/** The drawn part of a life; usable in a browser. All lists oldest first; business time. */
export interface DrawnLife {
  readonly terms: Pick<Terms, 'repetition' | 'firstPaymentAt' | 'consentAmount'>;
  /** The end of the simulated period: an open pause is drawn up to it. */
  readonly until: Instant;
  /** Drawn as a line if the future is shown too. */
  readonly now: Instant | null;
  readonly cancelled: { readonly at: Instant; readonly by: CancelledBy } | null;
  /** `scheduled` ones are in the future. */
  readonly cycles: readonly CycleStory[];
  readonly notices: readonly NoticeStory[];
  readonly pauses: readonly { readonly from: Instant; readonly until: Instant | null }[];
  /** The consent amount, then each cycle whose amount differs from the previous one. */
  readonly amounts: readonly { readonly cycle: number; readonly dueAt: Instant; readonly amount: Money }[];
}

/** What actually happened, from the ledger. */
export interface LifeRecord extends DrawnLife {
  readonly terms: Terms;
  /** The start of the simulated period. */
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
  /** 0, plus one after each send that never arrived. */
  readonly send: number;
  readonly at: Instant;
  readonly outcome: AttemptState;
  readonly detail: string | null;
  /** When the payer was notified of its rejection. */
  readonly noticeAt: Instant | null;
}

export interface NoticeStory {
  readonly at: Instant;
  readonly type: string;
  readonly cycle: number | null;
  readonly attempt: number | null;
}

/** The fields of an audit entry that the record of a life needs. */
export interface AuditLogEntry {
  readonly type: string;
  readonly at: Instant;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The pauses in the audit log, whose oldest entry comes first; `until` is null for a pause that has not ended. */
export function pausesOf(events: readonly AuditLogEntry[]): { from: Instant; until: Instant | null }[] {
  const pauses: { from: Instant; until: Instant | null }[] = [];
  for (const { type, at, data } of events) {
    if (type === 'subscription.paused') pauses.push({ from: at, until: null });
    const current = pauses.at(-1);
    if (type === 'subscription.resumed' && current !== undefined) current.until = Date.parse(String(data['at']));
  }
  return pauses;
}

/** The consent amount, then each attempted cycle whose amount differs from the previous one. */
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

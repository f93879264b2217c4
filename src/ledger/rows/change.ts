import type { NoticeKind } from '../../contract/notices';
import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { CycleStatus, StandingParts, SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import type { NewEntry } from '../audit/entries';

/**
 * A change of one subscription: its row, a cycle, audit entries and notices, in one transaction. A change that the workflow
 * must be notified of raises the revision of the row.
 */
export interface LedgerChange extends Actor {
  readonly subscriptionId: SubscriptionId;
  /** Identifies the change: an entry or a notice that is written again under the same key is not created twice. */
  readonly key: string;
  readonly at: Instant;
  readonly events: readonly NewEntry[];
  readonly subscription?: SubscriptionPatch;
  readonly cycle?: CycleRecordPatch;
  readonly notices?: readonly NoticeOrder[];
  readonly raisesRevision?: boolean;
}

/** What a decision writes in addition to the new state. */
export type Decision = Pick<LedgerChange, 'events' | 'cycle' | 'notices'> &
  Partial<Pick<LedgerChange, 'actor' | 'keyId'>> & {
    readonly stoppedBy?: SubscriptionPatch['stoppedBy'];
  };

/** The part of the state that the row shows directly. */
type RowState = Pick<SubscriptionState, 'status' | 'cancelledBy' | 'replacedBy' | 'pendingChange' | 'lastIncreaseAt'>;

/** The part of the state that the row stores so that the state can be rebuilt from it. */
type Memory = Pick<SubscriptionState, 'pauses' | 'skips' | 'replacements' | 'current' | 'cancellation'>;

/** Only the given fields are written. */
export interface SubscriptionPatch extends Partial<StandingParts & RowState & Memory> {
  readonly stoppedBy?: 'pause' | 'cancel' | null;
  readonly pausedUntil?: Instant | null;
  readonly nextDueAt?: Instant | null;
  /** What the next cycle collects. */
  readonly amount?: Money;
  /** When the end of the consent was noticed, while a due date before that is still open. */
  readonly endSeenAt?: Instant | null;
}

export interface CycleRecordPatch {
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason?: string | null;
  readonly nextAttemptAt?: Instant | null;
  readonly retriesLeft?: number;
  readonly retryUntil?: Instant | null;
  /** The earliest time of the next retry, which an operator requested. */
  readonly retryFrom?: Instant;
  /** Until when its first attempt is postponed. */
  readonly postponedUntil?: Instant | null;
}

export interface NoticeOrder {
  readonly type: NoticeKind;
  readonly cycle: number | null;
  readonly attempt: number | null;
  /** The notice's own fields; subscription, payment and payer are added when it is delivered. */
  readonly data: Readonly<Record<string, unknown>>;
}

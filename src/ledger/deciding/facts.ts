import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { type LedgerFacts, stateFromLedger } from '../../domain/subscription/state-from-ledger';
import type { NoticeState, PendingChange, SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Db, readValue } from '../sql/statements';

/** What a subscription was created with, and keeps. */
export type Frozen = Pick<SubscriptionState, 'policy' | 'spread'>;

/** A subscription as its rows have it at one instant. */
export interface Current {
  readonly state: SubscriptionState;
  /** The newest revision of which its workflow has been notified. */
  readonly acknowledged: number;
  /** What the row shows that follows from the state, as it was written last. */
  readonly shown: Shown;
  /** How far announcing a change of amount had come when that was written last. */
  readonly announcement: NoticeState['kind'] | 'not_needed' | null;
}

interface Shown {
  readonly nextDueAt: Instant | null;
  readonly pausedUntil: Instant | null;
  readonly amount: Money;
}

/** As the function `subscription_facts` answers them. */
export interface SubscriptionFacts extends LedgerFacts, Omit<Current, 'state'> {}

/** Null if there is no such subscription, a draft being none. */
export async function readCurrent(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<Current | null> {
  const facts = await readValue<SubscriptionFacts>(db, 'select subscription_facts($1)', [subscriptionId]);
  return facts === null ? null : currentOf(facts, now);
}

export function currentOf({ acknowledged, shown, announcement, ...facts }: SubscriptionFacts, now: Instant): Current {
  return { state: stateFromLedger(facts, now), acknowledged, shown, announcement };
}

/** @throws if the subscription is not in the ledger, a draft being none. */
export async function readState(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<SubscriptionState> {
  const current = await readCurrent(db, subscriptionId, now);
  if (current === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return current.state;
}

/** Of one change: an equal one that was requested again has another. The function `announcement_key` makes the same. */
export function announcementKey({ fromCycle, amount, requestedAt }: PendingChange): string {
  return `increase/${fromCycle}/${amount.value}/${requestedAt}`;
}

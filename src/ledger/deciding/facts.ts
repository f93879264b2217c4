import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { type LedgerFacts, stateFromLedger } from '../../domain/subscription/state-from-ledger';
import type { NoticeState, PendingChange, Standing, SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Db, readValue } from '../sql/statements';

/** What is fixed when a subscription is created. */
export type Frozen = Pick<SubscriptionState, 'policy' | 'spread'>;

/** A subscription as its rows show it at one instant. */
export interface Current {
  readonly state: SubscriptionState;
  /** The newest revision of which its workflow has been notified. */
  readonly acknowledged: number;
  /** The derived values that the row shows, as last written. */
  readonly shown: DerivedValues;
  /** The state of the announcement of the pending change of amount, as last written to the row; null without a pending change. */
  readonly announcement: NoticeState['kind'] | 'not_needed' | null;
}

interface DerivedValues {
  readonly nextDueAt: Instant | null;
  readonly pausedUntil: Instant | null;
  readonly amount: Money;
  /** Computed by the ledger from the open items and the parts of the state (rule 25). */
  readonly standing: Standing;
}

/** The result of the function `subscription_facts`. */
export interface SubscriptionFacts extends LedgerFacts, Omit<Current, 'state'> {}

/** Null if there is no such subscription; a draft does not count. */
export async function readCurrent(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<Current | null> {
  const facts = await readValue<SubscriptionFacts>(db, 'select subscription_facts($1)', [subscriptionId]);
  return facts === null ? null : currentOf(facts, now);
}

export function currentOf({ acknowledged, shown, announcement, ...facts }: SubscriptionFacts, now: Instant): Current {
  return { state: stateFromLedger(facts, now), acknowledged, shown, announcement };
}

/** @throws if the subscription is not in the ledger; a draft does not count. */
export async function readState(db: Db, subscriptionId: SubscriptionId, now: Instant): Promise<SubscriptionState> {
  const current = await readCurrent(db, subscriptionId, now);
  if (current === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return current.state;
}

/**
 * The key of the notice that announces a change; an equal change that was requested again has another key. The SQL function
 * `announcement_key` computes the same key.
 */
export function announcementKey({ fromCycle, amount, requestedAt }: PendingChange): string {
  return `increase/${fromCycle}/${amount.value}/${requestedAt}`;
}

import { isPaused } from '../../domain/subscription/pauses';
import { changeFor } from '../../domain/subscription/pending-change';
import { dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import type { Money } from '../../domain/money';
import type { Postponement, SubscriptionState, Terms } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { NewPayer, PostalAddress, SubscriptionRecord } from '../rows/subscription';
import { creationCursorAt } from '../sql/cursor';
import type { Db } from '../sql/statements';
import { readSubscriptions, type SubscriptionFilter } from './subscriptions';

/** A subscription with everything that another installation needs to continue it. */
export interface ExportedSubscription
  extends
    Terms,
    Pick<
      SubscriptionRecord,
      'paymentId' | 'status' | 'stoppedBy' | 'pendingChange' | 'lastIncreaseAt' | 'metadata' | 'createdAt'
    >,
    Pick<SubscriptionState, 'pauses' | 'skips'> {
  /** The amount collected last or, before the first collection, the consent's; a pending change is not included. */
  readonly currentAmount: Money;
  readonly payer: Pick<NewPayer, 'email' | 'reference' | 'language'> & {
    /** Null once erased. */
    readonly billingAddress: PostalAddress | null;
    readonly shippingAddress: PostalAddress | null;
  };
  readonly postponements: readonly Postponement[] | null;
  /** For an imported subscription: nothing due before this instant is collected here. */
  readonly collectFrom: Instant | null;
  /** The highest cycle that has ended or for which something may have been sent; null if there is none. */
  readonly lastTried: number | null;
}

/** At most `limit` subscriptions that match a filter, the oldest first, after `after`, which is null at the start. */
export function readExported(
  db: Db,
  filter: SubscriptionFilter,
  after: ExportedSubscription | null,
  limit: number,
): Promise<readonly ExportedSubscription[]> {
  const cursor = after === null ? null : creationCursorAt({ createdAt: after.createdAt, id: after.subscriptionId });
  // One more row than the limit is read.
  return readSubscriptions(db, EXPORTED, { ...filter, sort: 'createdAt' }, { limit: limit - 1, cursor });
}

const EXPORTED = {
  columns: `
    s.subscription_id, s.payment_id, s.status, s.stopped_by, s.repetition, s.consent_amount, s.start_at, s.first_payment_at,
    s.end_at, s.on_exhausted, s.pending_change, s.last_increase_at, s.metadata, s.created_at, s.pauses, s.skips,
    s.collect_from, more.current_amount, more.postponements, more.last_tried, p.email as "payer.email",
    p.reference as "payer.reference", p.language as "payer.language", p.billing_address as "payer.billing_address",
    p.shipping_address as "payer.shipping_address"`,
  join: `
    left join payers p using (payer_id)
    left join lateral (
      select coalesce(r.current_amount, first_current(r)) as current_amount,
        (
          select max(c.cycle) from cycles c
          where c.subscription_id = r.subscription_id and c.status <> 'scheduled'
            and not (c.status = 'skipped' and c.cycle = any (r.skips))
        ) as last_tried,
        (
          select jsonb_agg(jsonb_build_object('cycle', c.cycle, 'until', epoch_ms(c.postponed_until)) order by c.cycle)
          from cycles c
          where c.subscription_id = r.subscription_id and c.status = 'scheduled' and c.postponed_until is not null
        ) as postponements
      from subscriptions r where r.subscription_id = s.subscription_id
    ) more on true`,
};

/**
 * The earliest cycle for which nothing has been sent and whose due date lies in no pause that has ended; null if there is none.
 * @param now a pause that ends at this instant or before has ended
 */
export function nextUntriedCycle(exported: ExportedSubscription, now: Instant): number | null {
  const { collectFrom, lastTried, pauses } = exported;
  const ended = pauses.filter(({ until }) => until !== null && until <= now);
  const firstHere = collectFrom === null ? 0 : firstCycleFrom(exported, collectFrom);
  let cycle = Math.max(firstHere, (lastTried ?? -1) + 1);
  while (hasCycle(exported, cycle) && isPaused(ended, dueAt(exported, cycle))) cycle += 1;
  return hasCycle(exported, cycle) ? cycle : null;
}

/**
 * The amount that the cycle collects without the latest change. If a cycle in progress has frozen an earlier change, later cycles
 * collect that amount until the latest change applies (rule 21). The export states it as the current amount: a
 * subscription that is imported has no cycle in progress, and so at most one pending change.
 */
export function amountBeforeChange({ pendingChange, currentAmount }: ExportedSubscription, cycle: number): Money {
  return changeFor({ pendingChange: pendingChange?.earlier ?? null }, cycle)?.amount ?? currentAmount;
}

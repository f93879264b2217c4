import type { SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { CycleStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { IS_REFUSED } from '../rows/any-send';
import { failingCursor, type Page, type PageOf, toPage } from '../sql/cursor';
import { type Db, instantToColumn, readRecords } from '../sql/statements';

/** A payer whose last due cycle was refused and has not been collected. */
export interface FailingPayer {
  readonly subscriptionId: SubscriptionId;
  /** The payer's reference. */
  readonly reference: string | null;
  readonly email: string | null;
  readonly cycle: number;
  readonly status: CycleStatus;
  readonly amount: Money;
  readonly dueAt: Instant;
  /** The code of the last refusal, and when it was received. */
  readonly refusedWith: string;
  readonly refusedAt: Instant;
  /** Null if no retry is planned. */
  readonly nextAttemptAt: Instant | null;
}

export async function listFailingPayers(db: Db, now: Instant, page: Page): Promise<PageOf<FailingPayer>> {
  const payers = await readFailingPayers(db, now, failingCursor.read(page.cursor), page.limit + 1);
  return toPage(payers, page.limit, ({ subscriptionId }) => ['failing', subscriptionId]);
}

/**
 * At most `limit` payers after the id `after`, in the order of subscription ids. The index `subscriptions_failing` finds
 * candidates, the primary keys of cycles and attempts the rest.
 */
export function readFailingPayers(
  db: Db,
  now: Instant,
  after: SubscriptionId | null,
  limit: number,
): Promise<readonly FailingPayer[]> {
  return readRecords<FailingPayer>(
    db,
    `select s.subscription_id, p.reference, p.email, c.cycle, c.status, c.amount, c.due_at, refusal.refused_with,
       refusal.refused_at, c.next_attempt_at
     from subscriptions s
     join payers p using (payer_id)
     cross join lateral (
       select * from cycles where subscription_id = s.subscription_id and due_at <= $1 order by cycle desc limit 1
     ) as c
     cross join lateral (
       select coalesce(a.detail, a.state) as refused_with, a.outcome_at as refused_at from attempts a
       where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state ${IS_REFUSED} and not a.adopted
       order by a.attempt desc, a.send desc limit 1
     ) as refusal
     where (s.past_due or s.dunning) and s.status in ('active', 'paused') and s.subscription_id > $2
       and c.status in ('collecting', 'dunning', 'unresolved', 'failed')
     order by s.subscription_id
     limit $3`,
    [instantToColumn(now), after ?? '', limit],
  );
}

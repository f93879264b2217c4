import { firstCycleFrom } from '../../domain/subscription/schedule';
import { type Instant, toIso } from '../../domain/time';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import type { SubscriptionRecord } from '../rows/subscription';
import { DUEDAY, insertEventsOfMany } from '../audit/entries';

interface Upcoming extends Pick<
  SubscriptionRecord,
  'subscriptionId' | 'repetition' | 'firstPaymentAt' | 'endAt' | 'amount'
> {
  readonly nextDueAt: Instant;
}

/** The most cycles recorded in one pass; the next pass records the rest. */
const AT_ONCE = 500;

/**
 * Records cycles that fall due after `now` and no later than `until` in the audit log, each once. Both are business
 * time. Within the caller's transaction.
 * @returns how many were read; {@link AT_ONCE} if more may be left
 */
export async function recordUpcoming(db: Db, now: Instant, until: Instant): Promise<number> {
  const found = await lockUpcoming(db, now, until);
  if (found.length > 0) await announce(db, found, now);
  return found.length;
}

/** The query has the same condition as its index. Rows locked by other transactions are left to the next pass. */
function lockUpcoming(db: Db, now: Instant, until: Instant): Promise<readonly Upcoming[]> {
  return readRecords<Upcoming>(
    db,
    `select subscription_id, repetition, first_payment_at, end_at, next_due_at, amount from subscriptions
     where status = 'active' and stopped_by is null and upcoming_for is distinct from next_due_at
       and next_due_at > $1 and next_due_at <= $2
     order by next_due_at limit ${AT_ONCE} for update skip locked`,
    [instantToColumn(now), instantToColumn(until)],
  );
}

/** Marks the rows, so that they are not read again; a cycle that is already in the audit log is only marked. */
async function announce(db: Db, found: readonly Upcoming[], at: Instant): Promise<void> {
  await db.query('update subscriptions set upcoming_for = next_due_at where subscription_id = any ($1)', [
    found.map(({ subscriptionId }) => subscriptionId),
  ]);
  const entries = found.map((each) => {
    const { subscriptionId, nextDueAt, amount } = each;
    const data = { cycle: firstCycleFrom(each, nextDueAt), dueAt: toIso(nextDueAt), amount };
    return { subscriptionId, type: 'cycle.upcoming' as const, data, changeKey: `upcoming/${nextDueAt}` };
  });
  await insertEventsOfMany(db, { at, actor: DUEDAY }, entries);
}

/** Removes at most `limit` response bodies from before `beforeReal`. @returns how many */
export async function purgeAnswers(db: Db, beforeReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `update webhook_tries set answer = null where (delivery_id, try) in (
       select delivery_id, try from webhook_tries where answer is not null and real_at < $1 limit $2
     )`,
    [instantToColumn(beforeReal), limit],
  );
  return rowCount ?? 0;
}

/** The backlog of one endpoint. */
export interface EndpointLag {
  readonly endpointId: string;
  readonly pending: number;
  readonly dead: number;
  /** Age in seconds of the oldest pending delivery; 0 if none is pending. */
  readonly lag: number;
}

/** The backlog of each endpoint; pending replays do not count. */
export async function readEndpointLags(db: Db): Promise<readonly EndpointLag[]> {
  return readRecords<EndpointLag>(
    db,
    `select w.endpoint_id, pending.pending, dead.dead,
       coalesce(extract(epoch from clock_timestamp() - pending.since), 0)::float8 as lag
     from webhook_endpoints w, lateral (
       select count(*) as pending, min(created_real_at) as since from webhook_deliveries d
       where d.endpoint_id = w.endpoint_id and d.state = 'pending' and d.rank = 0
     ) as pending, lateral (
       select count(*) as dead from webhook_deliveries d where d.endpoint_id = w.endpoint_id and d.state = 'dead'
     ) as dead order by w.created_real_at`,
  );
}

/** Age in seconds of the oldest event without a position; 0 if each has one. */
export async function readPositionLag(db: Db): Promise<number> {
  const [row] = await readRecords<{ readonly lag: number }>(
    db,
    `select coalesce(extract(epoch from clock_timestamp() - min(recorded_real_at)), 0)::float8 as lag
     from merchant_events where position is null and not is_test`,
  );
  return row?.lag ?? 0;
}

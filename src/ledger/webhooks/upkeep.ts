import { firstCycleFrom } from '../../domain/subscription/schedule';
import { type Instant, toIso } from '../../domain/time';
import { type Db, instantToColumn, readRecords, type StatementPart, withParts } from '../sql/statements';
import type { SubscriptionRecord } from '../rows/subscription';
import { DUEDAY, eventsPart } from '../audit/entries';

interface Upcoming extends Pick<
  SubscriptionRecord,
  'subscriptionId' | 'repetition' | 'firstPaymentAt' | 'endAt' | 'amount'
> {
  readonly nextDueAt: Instant;
}

/** Cycles recorded in one pass; the next pass takes the rest. */
const AT_ONCE = 500;

/**
 * Records cycles that fall due after `now` and before `until` in the audit log, each once. Both are business time.
 * @returns how many were read; {@link AT_ONCE} if more are left
 */
export async function recordUpcoming(db: Db, now: Instant, until: Instant): Promise<number> {
  const found = await readRecords<Upcoming>(
    db,
    `select subscription_id, repetition, first_payment_at, end_at, next_due_at, amount from subscriptions
     where ${IS_TO_ANNOUNCE} and next_due_at > $1 and next_due_at <= $2
     order by next_due_at limit ${AT_ONCE}`,
    [instantToColumn(now), instantToColumn(until)],
  );
  for (const each of found) await announce(db, each, now);
  return found.length;
}

/** The same condition as in its index. */
const IS_TO_ANNOUNCE = `status = 'active' and hold is null and upcoming_for is distinct from next_due_at`;

/** Also marks the row, so that it is not read again; a cycle that is already in the audit log is only marked. */
async function announce(db: Db, upcoming: Upcoming, at: Instant): Promise<void> {
  const { subscriptionId, nextDueAt, amount } = upcoming;
  const marked: StatementPart = (first) => ({
    text: `marked as (
      update subscriptions set upcoming_for = next_due_at
      where subscription_id = $${first} and next_due_at = $${first + 1} and ${IS_TO_ANNOUNCE}
      returning subscription_id
    )`,
    values: [subscriptionId, instantToColumn(nextDueAt)],
  });
  const data = { cycle: firstCycleFrom(upcoming, nextDueAt), dueAt: toIso(nextDueAt), amount };
  const announced = eventsPart(
    {
      subscriptionId,
      at,
      actor: DUEDAY,
      changeKey: `upcoming/${nextDueAt}`,
      entries: [{ type: 'cycle.upcoming', data }],
    },
    'exists (select from marked)',
  );
  const { text, values } = withParts([marked, announced], 'select');
  await db.query(text, values);
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
  /** Age in seconds of the oldest pending event; 0 if none is pending. */
  readonly lag: number;
}

/** For each endpoint, without replays. */
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

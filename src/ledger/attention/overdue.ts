import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { type Instant, MINUTE, toIso } from '../../domain/time';
import { type Backlog, waitingTime } from '../../domain/findings';
import { endItem, openItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords, readValues } from '../sql/statements';
import { firstAttempts } from './first-attempts';
import {
  type Among,
  AT_ONCE,
  commonParameters,
  isFree,
  limitOf,
  type Overdue,
  type OverdueReason,
  type OverdueTerms,
  OVERDUE_AFTER,
  readBacklog,
  RESUMED,
} from './overdue-terms';
import { IS_HALTED } from '../sql/installation';

export type { Overdue, OverdueReason, OverdueTerms } from './overdue-terms';

/** The minimum time between a notice and the retry (rule 14). */
const AFTER_NOTICE = MINUTE;

const keyOf = (subscriptionId: SubscriptionId) => `subscription/${subscriptionId}/overdue`;

/**
 * Opens an `overdue` item for each subscription for which something should have happened and has not, judging by the ledger
 * alone, and ends the items of those for which it has happened since, or which are now stopped (rule 43).
 * @returns what is newly overdue
 */
export async function followOverdue(pool: Pool, terms: OverdueTerms): Promise<readonly Overdue[]> {
  const open = await readValues<SubscriptionId>(
    pool,
    `select subscription_id from attention_items where source = 'overdue' and kind = 'overdue' and closed_real_at is null`,
  );
  const still = open.length === 0 ? [] : await findOverdue(pool, terms, open);
  const late = new Set(still.map(({ subscriptionId }) => subscriptionId));
  for (const subscriptionId of open)
    if (!late.has(subscriptionId)) await inTransaction(pool, (db) => endItem(db, keyOf(subscriptionId)));
  const found = await findOverdue(pool, terms, null);
  for (const each of found) await openOverdue(pool, each, terms.now);
  return found;
}

function openOverdue(pool: Pool, { subscriptionId, reason, cycle, plannedAt }: Overdue, now: Instant): Promise<void> {
  const ledger = { state: reason, at: toIso(plannedAt), detail: DETAILS[reason] };
  const item = { source: 'overdue', kind: 'overdue', subscriptionId, cycle, ledger } as const;
  return inTransaction(pool, (db) => openItem(db, { key: keyOf(subscriptionId), ...item }, now));
}

const DETAILS: Readonly<Record<OverdueReason, string>> = {
  first_attempt: 'the first attempt of the cycle has not started within an hour of its planned time',
  retry: 'the retry has not started within an hour of its planned time, although its notice is delivered',
  sending: 'a request was about to be sent, but no outcome is recorded, not even an unknown one',
  window_closed: 'the collection window closed at least an hour ago, and the cycle is still open',
};

/**
 * What is overdue, by subscription.
 * @param among the subscriptions to check, which have open items; null: all without one, and at most {@link AT_ONCE} findings
 */
export async function findOverdue(
  db: Db,
  terms: OverdueTerms,
  among: readonly SubscriptionId[] | null,
): Promise<readonly Overdue[]> {
  const sendingSince = await readSendingSince(db);
  if (sendingSince === null) return [];
  const found = [
    ...(await sendsWithoutOutcome(db, terms, among)),
    ...(await firstAttempts(db, terms, among, sendingSince.at)),
    ...(await retries(db, terms, among, sendingSince.at)),
    ...(await closedWindows(db, terms, among)),
  ];
  const each = new Map<SubscriptionId, Overdue>();
  for (const one of found) if (!each.has(one.subscriptionId)) each.set(one.subscriptionId, one);
  const all = [...each.values()];
  return among === null ? all.slice(0, AT_ONCE) : all;
}

/** Null while all sending is halted: then nothing is overdue. What waited for the end of a halt counts from its end. */
async function readSendingSince(db: Db): Promise<{ readonly at: Instant } | null> {
  return readRecord(
    db,
    `select coalesce(sending_since, timestamptz 'epoch') as at from installation where not ${IS_HALTED}`,
  );
}

/** Sends without an outcome. By real time, as the sending process may have died. */
async function sendsWithoutOutcome(db: Db, terms: OverdueTerms, among: Among): Promise<readonly Overdue[]> {
  return readRecords<Overdue>(
    db,
    `select s.subscription_id, 'sending' as reason, a.cycle, a.at as planned_at
     from attempts a join subscriptions s using (subscription_id)
     where a.state = 'sending' and a.sending_real_at <= $3 and ${isFree('a.cycle')}
     order by a.sending_real_at, s.subscription_id ${limitOf(among)}`,
    [...commonParameters(terms, among), instantToColumn(terms.realNow - 2 * terms.settle)],
  );
}

interface DueRetry extends Omit<Overdue, 'reason'> {
  readonly nextAttemptAt: Instant;
  readonly resumedAt: Instant | null;
}

/**
 * Overdue retries: the notice of the last failure is delivered, and nothing has started since. Read page by page, because many may
 * have a late notice, or a pause or a hold that has just ended.
 */
async function retries(db: Db, terms: OverdueTerms, among: Among, sendingSince: Instant): Promise<readonly Overdue[]> {
  const found: Overdue[] = [];
  let after: DueRetry | null = null;
  let backlog: Backlog | null = null;
  for (;;) {
    const page: readonly DueRetry[] = await readDueRetries(db, terms, among, after);
    after = page.at(-1) ?? null;
    if (after === null) return found;
    backlog ??= await readBacklog(db, terms, page[0]?.nextAttemptAt ?? terms.now);
    for (const { subscriptionId, cycle, resumedAt, ...each } of page) {
      const plannedAt = Math.max(each.plannedAt, resumedAt ?? 0, sendingSince);
      const waits = waitingTime(backlog, plannedAt, terms.callsPerSecond, terms.speed);
      if (terms.now >= plannedAt + OVERDUE_AFTER + waits)
        found.push({ subscriptionId, cycle, plannedAt, reason: 'retry' });
    }
    if (page.length < AT_ONCE || (among === null && found.length >= AT_ONCE)) return found;
  }
}

function readDueRetries(
  db: Db,
  terms: OverdueTerms,
  among: Among,
  after: Pick<DueRetry, 'nextAttemptAt' | 'subscriptionId'> | null,
): Promise<readonly DueRetry[]> {
  return readRecords<DueRetry>(
    db,
    `select s.subscription_id, c.cycle, c.next_attempt_at, ${RESUMED} as resumed_at,
       greatest(c.next_attempt_at, n.delivered_at + ${AFTER_NOTICE} * interval '1 millisecond') as planned_at
     from cycles c join subscriptions s using (subscription_id)
     cross join lateral (
       select attempt, state from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)
       order by attempt desc, send desc limit 1
     ) as last
     join notices n on (n.subscription_id, n.cycle, n.attempt) = (c.subscription_id, c.cycle, last.attempt)
       and n.type = 'payment.failed' and n.state = 'delivered'
     where c.status = 'dunning' and c.next_attempt_at <= $3::timestamptz - interval '1 hour'
       and ($4::timestamptz is null or (c.next_attempt_at, c.subscription_id) > ($4, $5))
       and last.state = 'rejected_retryable' and s.status = 'active' and ${isFree('c.cycle')}
     order by c.next_attempt_at, c.subscription_id limit ${AT_ONCE}`,
    [
      ...commonParameters(terms, among),
      instantToColumn(terms.now),
      instantToColumn(after?.nextAttemptAt ?? null),
      after?.subscriptionId ?? null,
    ],
  );
}

/**
 * Cycles that are open although their window has closed. Attempts pending at the service are excluded; they are polled and have
 * their own item.
 */
async function closedWindows(db: Db, terms: OverdueTerms, among: Among): Promise<readonly Overdue[]> {
  return readRecords<Overdue>(
    db,
    `select s.subscription_id, 'window_closed' as reason, c.cycle, c.collect_by as planned_at
     from cycles c join subscriptions s using (subscription_id)
     where c.status in ('collecting', 'dunning') and least(c.retry_until, c.collect_by) <= $3::timestamptz - interval '1 hour'
       and c.collect_by <= $3::timestamptz - interval '1 hour'
       and not exists (
         select from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state = 'pending'
       )
       and ${isFree('c.cycle')}
     order by least(c.retry_until, c.collect_by), s.subscription_id ${limitOf(among)}`,
    [...commonParameters(terms, among), instantToColumn(terms.now)],
  );
}

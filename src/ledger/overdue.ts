import type { Pool } from 'pg';
import type { SubscriptionId } from '../domain/ids';
import { amountFreeAt } from '../domain/subscription/next-step';
import { restoreState } from '../domain/subscription/restored-state';
import { type Calendar, collectionWindow, firstCycleFrom } from '../domain/subscription/schedule';
import { DAY, HOUR, type Instant, MINUTE, toIso } from '../domain/time';
import { type Backlog, type BegunInHour, waitingTime } from '../domain/waiting-time';
import { endItem, openItem } from './attention/items';
import { IS_IN_DOUBT } from './attempts/any-send';
import { inTransaction } from './database';
import { IS_HALTED } from './halt/halt';
import { UNTRIED } from './reports';
import { type Db, instantToColumn, readRecord, readRecords, readValue, readValues } from './statements';
import { readFacts } from './subscriptions/facts';

/** By which overdue is judged. */
export interface OverdueTerms {
  /** Business time; `realNow` is real time. */
  readonly now: Instant;
  readonly realNow: number;
  /** Real ms. */
  readonly settle: number;
  /** Cap on the calls of the whole installation, of real time; null without one. */
  readonly callsPerSecond: number | null;
  /** Of business time. */
  readonly speed: number;
}

export type OverdueReason = 'first_attempt' | 'retry' | 'sending' | 'window_closed';

/** What should have happened, and has not. */
export interface Overdue {
  readonly subscriptionId: SubscriptionId;
  readonly reason: OverdueReason;
  readonly cycle: number;
  /** Business time at which it should have happened. */
  readonly plannedAt: Instant;
}

/** Items of one look; the next one opens the others. */
const AT_ONCE = 500;
/** Business ms after which something that should have happened is overdue. */
const PATIENCE = HOUR;
/** As in rule 13: no retry comes sooner after its notice. */
const AFTER_NOTICE = MINUTE;

const keyOf = (subscriptionId: SubscriptionId) => `subscription/${subscriptionId}/overdue`;

/**
 * Opens an item `overdue` for each subscription of which something should have happened and has not, by the ledger alone,
 * and ends those of which it has happened since, or which something holds (rule 43).
 * @returns what is overdue and was not before
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
  first_attempt: 'the first attempt of the cycle has not begun an hour after its time',
  retry: 'the retry has not begun an hour after its planned time, though its notice is delivered',
  sending: 'a request was about to be sent, and no outcome of it is recorded, not even an unknown one',
  window_closed: 'the collection window closed an hour ago, and the cycle is still open',
};

/**
 * @param among those whose items are open; null: those that have none, {@link AT_ONCE} at most
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

/** Null while all sending is halted: then nothing is overdue. What waited for the end of a halt was due then. */
async function readSendingSince(db: Db): Promise<{ readonly at: Instant } | null> {
  return readRecord(
    db,
    `select coalesce(sending_since, timestamptz 'epoch') as at from installation where not ${IS_HALTED}`,
  );
}

/**
 * Of subscriptions `s`: those that nothing holds, and whose last check did not fail a moment ago; $1 are those whose items
 * are open, or null for those that have none, $2 is the instant of real time since when a failed check counts.
 * @param cycle the column of the cycle that is late
 */
const isFree = (cycle: string) => `s.status <> 'paused' and s.hold is null
  and case when $1::text[] is null
    then not exists (
      select from attention_items i
      where i.subscription_id = s.subscription_id and i.source = 'overdue' and i.closed_real_at is null
    )
    else s.subscription_id = any ($1)
  end
  and not exists (
    select from failed_checks f where f.subscription_id = s.subscription_id and f.real_at > $2
  )
  and not exists (
    select from attempts other where other.subscription_id = s.subscription_id and other.state ${IS_IN_DOUBT}
      and other.cycle is distinct from ${cycle}
  )`;

type Among = readonly SubscriptionId[] | null;

function common({ realNow, settle }: OverdueTerms, among: Among): [Among, string] {
  return [among, instantToColumn(realNow - settle)];
}

/** (c): by real time, as the process that sends is what may have died. */
async function sendsWithoutOutcome(db: Db, terms: OverdueTerms, among: Among): Promise<readonly Overdue[]> {
  return readRecords<Overdue>(
    db,
    `select s.subscription_id, 'sending' as reason, a.cycle, a.at as planned_at
     from attempts a join subscriptions s using (subscription_id)
     where a.state = 'sending' and a.sending_real_at <= $3 and ${isFree('a.cycle')}
     order by a.sending_real_at, s.subscription_id ${limitOf(among)}`,
    [...common(terms, among), instantToColumn(terms.realNow - 2 * terms.settle)],
  );
}

const limitOf = (among: Among) => (among === null ? `limit ${AT_ONCE}` : '');

interface DueFirst extends Calendar {
  readonly subscriptionId: SubscriptionId;
  readonly nextDueAt: Instant;
  readonly spread: number;
  readonly transit: number;
  readonly hasChange: boolean;
  /** When its last pause ended; null where there was none. */
  readonly resumedAt: Instant | null;
}

/** Of subscriptions `s`: when the last pause ended that is over. $3 is business time. */
const RESUMED = `(
  select max(to_timestamp((pause ->> 'until')::numeric / 1000)) from jsonb_array_elements(s.pauses) as pause
  where (pause ->> 'until')::numeric <= extract(epoch from $3::timestamptz) * 1000
)`;

/** A replacement that takes the due date over is waited for, until it is granted or ends. */
const IS_LEFT_TO_REPLACEMENT = `exists (
  select from subscriptions r where r.replaces = s.subscription_id
    and r.status in ('pending_consent', 'active', 'paused') and r.first_payment_at <= s.next_due_at
)`;

/** (a): page by page, as many of one due date may wait for their turn within the spread. */
async function firstAttempts(
  db: Db,
  terms: OverdueTerms,
  among: Among,
  sendingSince: Instant,
): Promise<readonly Overdue[]> {
  const found: Overdue[] = [];
  let after: Pick<DueFirst, 'nextDueAt' | 'subscriptionId'> | null = null;
  let backlog: Backlog | null = null;
  for (;;) {
    const page: readonly DueFirst[] = await readDueFirst(db, terms, among, after);
    after = page.at(-1) ?? null;
    if (after === null) return found;
    backlog ??= await readBacklog(db, terms, page[0]?.nextDueAt ?? terms.now);
    for (const each of page) {
      const one = await judgeFirst(db, terms, each, { backlog, sendingSince });
      if (one !== null) found.push(one);
    }
    if (page.length < AT_ONCE || (among === null && found.length >= AT_ONCE)) return found;
  }
}

function readDueFirst(
  db: Db,
  terms: OverdueTerms,
  among: Among,
  after: Pick<DueFirst, 'nextDueAt' | 'subscriptionId'> | null,
): Promise<readonly DueFirst[]> {
  return readRecords<DueFirst>(
    db,
    `select s.subscription_id, s.first_payment_at, s.repetition, s.end_at, s.next_due_at, coalesce(s.spread, 0) as spread,
       coalesce((s.retry_policy ->> 'transit')::integer, 0) as transit, s.pending_change is not null as has_change,
       ${RESUMED} as resumed_at
     from ${UNTRIED} and s.status = 'active' and s.next_due_at <= $3::timestamptz - interval '1 hour'
       and ($4::timestamptz is null or (s.next_due_at, s.subscription_id) > ($4, $5))
       and not ${IS_LEFT_TO_REPLACEMENT} and ${isFree('null')}
     order by s.next_due_at, s.subscription_id limit ${AT_ONCE}`,
    [
      ...common(terms, among),
      instantToColumn(terms.now),
      ...[instantToColumn(after?.nextDueAt ?? null), after?.subscriptionId ?? null],
    ],
  );
}

interface Around {
  readonly backlog: Backlog;
  readonly sendingSince: Instant;
}

async function judgeFirst(db: Db, terms: OverdueTerms, due: DueFirst, around: Around): Promise<Overdue | null> {
  const { subscriptionId, nextDueAt, spread, transit, hasChange, resumedAt } = due;
  const cycle = firstCycleFrom(due, nextDueAt);
  const { collectBy } = collectionWindow(due, cycle);
  const room = Math.max(0, collectBy - transit - nextDueAt);
  const startAt = nextDueAt + Math.min(spread, Math.floor(room / 2));
  const freeAt = hasChange ? await increaseFreeAt(db, subscriptionId, cycle, terms.now) : startAt;
  const plannedAt = Math.max(startAt, freeAt, resumedAt ?? 0, around.sendingSince);
  const waits = waitingTime(around.backlog, plannedAt, terms.callsPerSecond, terms.speed);
  return terms.now < plannedAt + PATIENCE + waits
    ? null
    : { subscriptionId, reason: 'first_attempt', cycle, plannedAt };
}

/** The day from which an increase may be collected. */
async function increaseFreeAt(db: Db, id: SubscriptionId, cycle: number, now: Instant): Promise<Instant> {
  const facts = await readFacts(db, id, { policy: { offsets: [], transit: 0 }, spread: 0 });
  if (facts === null) return 0;
  const state = restoreState(facts, now);
  return state.cycle === cycle ? amountFreeAt(state, collectionWindow(state.terms, cycle)) : 0;
}

/** Attempts of no longer ago: a window is over by then. */
const LONGEST_AGO = 6 * DAY;

/** Not read where nothing caps the calls. */
async function readBacklog(db: Db, { now, callsPerSecond }: OverdueTerms, since: Instant): Promise<Backlog> {
  if (callsPerSecond === null) return { waiting: 0, begun: [] };
  const waiting = await readValue<number>(
    db,
    `select (select count(*) from ${UNTRIED} and s.status = 'active' and s.hold is null and s.next_due_at <= $1)
       + (select count(*) from cycles where status = 'dunning' and next_attempt_at <= $1)`,
    [instantToColumn(now)],
  );
  const begun = await readRecords<BegunInHour>(
    db,
    `select date_trunc('hour', at, 'UTC') as hour, count(*) as count from attempts where at >= $1 and at <= $2 group by 1`,
    [instantToColumn(Math.max(since, now - LONGEST_AGO)), instantToColumn(now)],
  );
  return { waiting: Number(waiting ?? 0), begun };
}

interface Retry extends Omit<Overdue, 'reason'> {
  readonly resumedAt: Instant | null;
}

/** (b): the notice of the last failure is delivered, and nothing was begun since. */
async function retries(
  db: Db,
  terms: OverdueTerms,
  among: Among,
  sendingSince: Instant,
): Promise<readonly Overdue[]> {
  const late = await readRecords<Retry>(
    db,
    `select s.subscription_id, c.cycle, ${RESUMED} as resumed_at,
       greatest(c.next_attempt_at, n.delivered_at + ${AFTER_NOTICE} * interval '1 millisecond') as planned_at
     from cycles c join subscriptions s using (subscription_id)
     cross join lateral (
       select attempt, state from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)
       order by attempt desc, send desc limit 1
     ) as last
     join notices n on (n.subscription_id, n.cycle, n.attempt) = (c.subscription_id, c.cycle, last.attempt)
       and n.type = 'payment.failed' and n.state = 'delivered'
     where c.status = 'dunning' and c.next_attempt_at <= $3::timestamptz - interval '1 hour'
       and last.state = 'rejected_retryable' and s.status = 'active' and ${isFree('c.cycle')}
     order by c.next_attempt_at, s.subscription_id ${limitOf(among)}`,
    [...common(terms, among), instantToColumn(terms.now)],
  );
  if (late.length === 0) return [];
  const earliest = Math.min(...late.map(({ plannedAt }) => plannedAt));
  const backlog = await readBacklog(db, terms, earliest);
  return late.flatMap(({ resumedAt, ...each }) => {
    const plannedAt = Math.max(each.plannedAt, resumedAt ?? 0, sendingSince);
    const waits = waitingTime(backlog, plannedAt, terms.callsPerSecond, terms.speed);
    return terms.now < plannedAt + PATIENCE + waits ? [] : [{ ...each, plannedAt, reason: 'retry' as const }];
  });
}

/** (d): what is pending at the service is followed, and has an item of its own. */
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
    [...common(terms, among), instantToColumn(terms.now)],
  );
}

import type { SubscriptionId } from '../../domain/ids';
import { amountFreeAt } from '../../domain/subscription/next-step';
import {
  type Calendar,
  collectionWindow,
  firstCycleFrom,
  type FirstTry,
  firstTryAt,
} from '../../domain/subscription/schedule';
import type { Instant } from '../../domain/time';
import { type Backlog, waitingTime } from '../../domain/findings';
import { POSTPONED_UNTIL, UNTRIED } from '../rows/subscription';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { readCurrent } from '../deciding/facts';
import {
  type Among,
  AT_ONCE,
  commonParameters,
  isFree,
  type Overdue,
  type OverdueTerms,
  OVERDUE_AFTER,
  readBacklog,
  RESUMED,
} from './overdue-terms';

interface DueFirst extends Calendar, FirstTry {
  readonly subscriptionId: SubscriptionId;
  readonly nextDueAt: Instant;
  readonly hasChange: boolean;
  /** When its last pause or hold ended, or its hold ends; null if there was none. */
  readonly resumedAt: Instant | null;
}

/**
 * A replacement takes over the due date: the old subscription waits until the consent of the new one is granted, or the new one
 * ends.
 */
const IS_LEFT_TO_REPLACEMENT = `exists (
  select from subscriptions r where r.replaces = s.subscription_id
    and r.status in ('pending_consent', 'active', 'paused') and r.first_payment_at <= s.next_due_at
)`;

/** First attempts that are overdue. Read page by page, because many subscriptions with the same due date may be spread over time. */
export async function firstAttempts(
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
       ${RESUMED} as resumed_at, ${POSTPONED_UNTIL} as postponed_until
     from ${UNTRIED} and s.status = 'active' and s.next_due_at <= $3::timestamptz - interval '1 hour'
       and ($4::timestamptz is null or (s.next_due_at, s.subscription_id) > ($4, $5))
       and not ${IS_LEFT_TO_REPLACEMENT} and ${isFree('null')}
     order by s.next_due_at, s.subscription_id limit ${AT_ONCE}`,
    [
      ...commonParameters(terms, among),
      instantToColumn(terms.now),
      instantToColumn(after?.nextDueAt ?? null),
      after?.subscriptionId ?? null,
    ],
  );
}

interface SendingLimits {
  readonly backlog: Backlog;
  readonly sendingSince: Instant;
}

async function judgeFirst(db: Db, terms: OverdueTerms, due: DueFirst, limits: SendingLimits): Promise<Overdue | null> {
  const { subscriptionId, nextDueAt, hasChange, resumedAt } = due;
  const cycle = firstCycleFrom(due, nextDueAt);
  const startAt = firstTryAt(collectionWindow(due, cycle), due);
  const freeAt = hasChange ? await increaseFreeAt(db, subscriptionId, cycle, terms.now) : startAt;
  const plannedAt = Math.max(startAt, freeAt, resumedAt ?? 0, limits.sendingSince);
  const waits = waitingTime(limits.backlog, plannedAt, terms.callsPerSecond, terms.speed);
  return terms.now < plannedAt + OVERDUE_AFTER + waits
    ? null
    : { subscriptionId, reason: 'first_attempt', cycle, plannedAt };
}

/** The instant from which an increase may be collected. */
async function increaseFreeAt(db: Db, id: SubscriptionId, cycle: number, now: Instant): Promise<Instant> {
  const state = (await readCurrent(db, id, now))?.state;
  return state?.cycle === cycle ? amountFreeAt(state, collectionWindow(state.terms, cycle)) : 0;
}

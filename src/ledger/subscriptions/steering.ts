import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { LedgerState } from '../../contract/activities';
import type { AttemptRef, Decision, Request } from '../../contract/messages';
import { patchBetween, project } from '../../contract/projection';
import type { NoticeId, SubscriptionId } from '../../domain/ids';
import { isVerdict } from '../../domain/send';
import type { Refusal } from '../../domain/subscription/requests';
import { type LedgerFacts, restoreState } from '../../domain/subscription/restored-state';
import type { SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/trail/event';
import { inTransaction } from '../database';
import { type Db, readRecord, readRecords, readValues } from '../statements';
import { lockSubscription, readApplied, writeChange } from './changes';
import { type Frozen, readFacts } from './facts';
import { IS_LIVE_SUBSCRIPTION } from './record';

/** What a request asks of a subscription, and how it is judged by the subscription's state. */
export interface Steering extends Actor {
  readonly subscriptionId: SubscriptionId;
  /** When it was accepted for judging (rule 23). */
  readonly at: Instant;
  /** Of a request that may be repeated: what it has steered once, it does not steer again. */
  readonly requestId?: string | undefined;
  readonly otherwise: Frozen;
  /** Null where there is nothing to do. */
  judge(this: void, state: SubscriptionState): Refusal | Steered | null;
}

export interface Steered {
  readonly state: SubscriptionState;
  readonly decision: Decision;
}

export type SteerResult =
  | { readonly kind: 'steered'; readonly revision: number }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Judges by the row, under its lock, and writes what follows before anything is asked of Temporal (rules 25, 31). The
 * workflow has to be notified of the new revision.
 * @throws where the subscription is not in the ledger.
 */
export async function steer(pool: Pool, steering: Steering): Promise<SteerResult> {
  const { subscriptionId, at, otherwise, requestId = randomUUID() } = steering;
  const key = `steered/${requestId}`;
  return inTransaction(pool, async (db): Promise<SteerResult> => {
    const known = await lockSubscription(db, subscriptionId);
    if ((await readApplied(db, subscriptionId, key)) !== null) return { kind: 'steered', revision: known };
    const before = restoreState(await factsOf(db, subscriptionId, otherwise), at);
    const judged = steering.judge(before);
    if (judged === null) return { kind: 'unchanged' };
    if ('code' in judged) return { kind: 'refused', refusal: judged };
    const { hold, ...rest } = judged.decision;
    const patch = patchBetween(project(before), project(judged.state));
    const subscription = { ...patch, ...(hold === undefined ? {} : { hold }) };
    const { revision } = await writeChange(
      db,
      { ...actorOf(steering), subscriptionId, key, at, subscription, ...rest },
      known,
    );
    return { kind: 'steered', revision };
  });
}

/**
 * The state as the ledger has it, and the notices whose delivery has not begun; the row notes that its workflow has
 * heard.
 * @throws where the subscription is not in the ledger.
 */
export async function readLedgerState(
  pool: Pool,
  subscriptionId: SubscriptionId,
  otherwise: Frozen,
  at: Instant,
): Promise<LedgerState> {
  return inTransaction(pool, async (db) => {
    await lockSubscription(db, subscriptionId);
    const state = restoreState(await factsOf(db, subscriptionId, otherwise), at);
    await db.query('update subscriptions set heard_revision = revision where subscription_id = $1', [subscriptionId]);
    return { state, noticeIds: await noticesToBegin(db, subscriptionId) };
  });
}

/** A workflow was begun from this revision of the row: it reads nothing at a signal of what it knows. */
export async function recordHeard(db: Db, subscriptionId: SubscriptionId, revision: number): Promise<void> {
  await db.query('update subscriptions set heard_revision = greatest(heard_revision, $2) where subscription_id = $1', [
    subscriptionId,
    revision,
  ]);
}

/** Those that a steering change has ordered: every other one is started by the process that ordered it. */
async function noticesToBegin(db: Db, subscriptionId: SubscriptionId): Promise<readonly NoticeId[]> {
  return readValues(
    db,
    `select notice_id from notices
     where subscription_id = $1 and state = 'pending' and deliveries = 0 and change_key like 'steered/%'
     order by created_at, notice_id`,
    [subscriptionId],
  );
}

/** What its workflow is to have heard of before it judges a request. Null where the ledger has no such subscription. */
export async function readProgress(
  db: Db,
  subscriptionId: SubscriptionId,
): Promise<Pick<Request, 'revision' | 'settled'> | null> {
  const row = await readRecord<{ revision: number; last: (AttemptRef & { state: string }) | null }>(
    db,
    `select revision, (
       select jsonb_build_object('cycle', cycle, 'attempt', attempt, 'state', state) from attempts
       where subscription_id = $1 order by cycle desc, attempt desc, send desc limit 1
     ) as last
     from subscriptions where subscription_id = $1`,
    [subscriptionId],
  );
  if (row === null) return null;
  const { revision, last } = row;
  if (last === null || !isVerdict(last.state)) return { revision };
  return { revision, settled: { cycle: last.cycle, attempt: last.attempt } };
}

/** Subscriptions behind `after` whose workflow has not heard of the newest revision, and is still to act on it, by id. */
export async function readUnheard(
  db: Db,
  after: string,
  atMost: number,
): Promise<readonly { readonly subscriptionId: SubscriptionId; readonly revision: number }[]> {
  return readRecords(
    db,
    `select subscription_id, revision from subscriptions
     where heard_revision < revision and status ${IS_LIVE_SUBSCRIPTION} and subscription_id > $1
     order by subscription_id limit $2`,
    [after, atMost],
  );
}

async function factsOf(db: Db, subscriptionId: SubscriptionId, otherwise: Frozen): Promise<LedgerFacts> {
  const facts = await readFacts(db, subscriptionId, otherwise);
  if (facts === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return facts;
}

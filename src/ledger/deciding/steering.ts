import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { AmountChange } from '../../domain/subscription/amount-request';
import type { Refusal } from '../../domain/subscription/requests';
import type { SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { actorOf } from '../../domain/audit/event';
import { endItemsOfKind } from '../rows/attention-item';
import { endBackOffs } from '../rows/back-offs';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, readRecords, readValue } from '../sql/statements';
import { advance } from './advance';
import { raiseRevision, readApplied, rememberChange, writeTransition } from './changes';
import { readState } from './facts';
import { IS_LIVE_SUBSCRIPTION, lockOf } from '../rows/subscription';
import { lockWithReplaced } from '../subscriptions/replacements';
import { notifyReplaced } from './replaced';
import { resolveOutcome, type ResolveRequest } from './resolving';
import { JUDGES, type Judgement, type SteerMoment, type Verb, type VerbRequests } from './verbs';

/** Every steering request of a subscription, by its verb in the audit log. */
export interface SteeringRequests extends VerbRequests {
  readonly resolve: ResolveRequest;
}

/** A subscription whose workflow must be notified of the revision. */
export interface ChangedRow {
  readonly subscriptionId: SubscriptionId;
  readonly revision: number;
}

export type SteerResult =
  | {
      readonly kind: 'steered';
      readonly revision: number;
      /** Set for a change of the amount. */
      readonly change?: AmountChange;
      /** The subscription that this one would have replaced, if it has changed too. */
      readonly other?: ChangedRow;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Judges a request by the state under the lock of the row, writes the change with its audit entries and notices, and applies its
 * consequences in the ledger, all in one transaction (rules 23 to 25, 31). Needs no Temporal: the workflow is notified
 * afterwards.
 * @throws if the subscription is not in the ledger.
 */
export async function steer<V extends keyof SteeringRequests>(
  pool: Pool,
  verb: V,
  subscriptionId: SubscriptionId,
  request: SteeringRequests[V],
  moment: SteerMoment,
): Promise<SteerResult> {
  const key = keyOf(verb, request.requestId ?? randomUUID());
  const steerUnderLock = async (db: Db): Promise<SteerResult> => {
    if (verb === 'cancel') await lockWithReplaced(db, subscriptionId);
    const { revision, isApplied } = await readApplied(db, subscriptionId, key);
    if (isApplied) return { kind: 'steered', revision };
    const result =
      verb === 'resolve'
        ? await resolve(db, subscriptionId, request as ResolveRequest, moment)
        : await change(db, subscriptionId, { verb, request: request as VerbRequests[Verb], key }, moment.at);
    if (result.kind !== 'steered') return result;
    await rememberChange(db, subscriptionId, key, moment.at);
    if (CHECKED_AT_ONCE.includes(verb)) await endBackOffs(db, subscriptionId);
    await advance(db, subscriptionId, moment.at);
    return result;
  };
  // A cancellation locks two rows, in the order of their ids.
  return inTransaction(pool, steerUnderLock, verb === 'cancel' ? 'begin' : `begin; ${lockOf(subscriptionId)}`);
}

const keyOf = (verb: string, requestId: string) => `steered/${verb}/${requestId}`;

/** Whether a request was carried out before. @param verb of {@link SteeringRequests}; false for any other */
export async function wasSteered(
  db: Db,
  verb: string,
  subscriptionId: SubscriptionId,
  requestId: string,
): Promise<boolean> {
  const row = await readRecord(db, 'select from changes where (subscription_id, change_key) = ($1, $2)', [
    subscriptionId,
    keyOf(verb, requestId),
  ]);
  return row !== null;
}

/**
 * Requests after which an attempt that is backing off is checked at once. Every other request leaves its back-off
 * unchanged.
 */
const CHECKED_AT_ONCE: readonly (keyof SteeringRequests)[] = ['retry', 'resolve'];

interface Asked {
  readonly verb: Verb;
  readonly request: VerbRequests[Verb];
  readonly key: string;
}

async function change(db: Db, id: SubscriptionId, { verb, request, key }: Asked, at: Instant): Promise<SteerResult> {
  const before = await readState(db, id, at);
  const judge = JUDGES[verb] as (state: SubscriptionState, request: Asked['request'], now: Instant) => Judgement;
  const judgement = judge(before, verb === 'acknowledge' ? await withRefusedWrites(db, id, request) : request, at);
  if (judgement === null) return { kind: 'unchanged' };
  if ('code' in judgement) return { kind: 'refused', refusal: judgement };
  const { after, decision, change: amountChange } = judgement;
  const by = actorOf(request);
  const revision = await writeTransition(db, { ...by, key, at, before, after, decision, raisesRevision: true });
  const other =
    verb === 'cancel' && before.status === 'pending_consent' ? await notifyReplaced(db, before, 'ended', at) : null;
  return {
    kind: 'steered',
    revision,
    ...(amountChange === undefined ? {} : { change: amountChange }),
    ...(other === null ? {} : { other }),
  };
}

/** Ends the items about refused writes, and names them in the request: the state does not contain them (rules 25, 43). */
async function withRefusedWrites(db: Db, id: SubscriptionId, request: Asked['request']): Promise<Asked['request']> {
  const ended = await endItemsOfKind(db, id, UNRECORDABLE);
  return { ...request, others: ended === 0 ? [] : [UNRECORDABLE] };
}

const UNRECORDABLE = 'unrecordable';

async function resolve(db: Db, id: SubscriptionId, request: ResolveRequest, moment: SteerMoment): Promise<SteerResult> {
  const before = await readState(db, id, moment.at);
  const resolved = await resolveOutcome(db, before, request, moment);
  if (resolved.kind === 'refused') return resolved;
  if (resolved.kind === 'unchanged') return { kind: 'unchanged' };
  return { kind: 'steered', revision: await raiseRevision(db, id) };
}

/** Records that the workflow was notified of this revision, and acts on it. */
export async function acknowledgeRevision(db: Db, subscriptionId: SubscriptionId, revision: number): Promise<void> {
  await db.query(
    `update subscriptions set acknowledged_revision = least($2, revision)
     where subscription_id = $1 and acknowledged_revision < least($2, revision)`,
    [subscriptionId, revision],
  );
}

export function readRevision(db: Db, subscriptionId: SubscriptionId): Promise<number | null> {
  return readValue(db, 'select revision from subscriptions where subscription_id = $1', [subscriptionId]);
}

/** Subscriptions after `after`, by id, whose workflow has not acknowledged the newest revision and still has to act on it. */
export async function listUnacknowledged(db: Db, after: string, atMost: number): Promise<readonly ChangedRow[]> {
  return readRecords(
    db,
    `select subscription_id, revision from subscriptions
     where acknowledged_revision < revision and status ${IS_LIVE_SUBSCRIPTION} and subscription_id > $1
     order by subscription_id limit $2`,
    [after, atMost],
  );
}

import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords } from '../sql/statements';
import {
  type SubscriptionFilter,
  selectSubscriptions,
  type SelectedSubscription,
} from '../subscriptions/subscriptions';
import { insertEvent, type TimedAct } from '../audit/entries';

/** A call to be made for each of many subscriptions. */
export interface BulkWork {
  readonly action: string;
  /** The body of the call for one subscription. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly filter: SubscriptionFilter;
}

export interface BulkProposal extends BulkWork {
  /** Whether the filter ignores e-mail addresses because the caller may not see them, as in a list. */
  readonly hidesEmail?: boolean;
  readonly jobId: string;
  /** The name of the requesting API key. */
  readonly actor: string;
  /** The first of the keys that have replaced one another; it represents all of them. */
  readonly firstKeyId: string;
  /** SHA-256. */
  readonly tokenHash: Buffer;
  /** Real time. */
  readonly realAt: number;
  readonly tokenUntilReal: number;
}

/** The most subscriptions that the filter of a dry run or a hold may select. */
export const MAX_SELECTED = 50_000;

/**
 * Stores what a filter selects now, so that exactly these calls can be started. Read and written in one transaction.
 * @returns what is selected, in the order of the list; one more than {@link MAX_SELECTED} if there are too many: then nothing is
 * stored
 */
export async function proposeBulk(pool: Pool, proposal: BulkProposal): Promise<readonly SelectedSubscription[]> {
  const { jobId, action, parameters, filter, hidesEmail } = proposal;
  return inTransaction(pool, async (db) => {
    const selected = await selectSubscriptions(db, { ...filter, hidesEmail }, MAX_SELECTED);
    if (selected.length > MAX_SELECTED) return selected;
    await db.query(
      `insert into jobs (job_id, kind, work, actor, key_id, token_hash, token_until_real, created_real_at)
       values ($1, 'bulk', $2, $3, $4, $5, $6, $7)`,
      [
        jobId,
        jsonToColumn({ action, parameters, filter } satisfies BulkWork),
        proposal.actor,
        proposal.firstKeyId,
        proposal.tokenHash,
        instantToColumn(proposal.tokenUntilReal),
        instantToColumn(proposal.realAt),
      ],
    );
    await insertItems(db, jobId, selected);
    return selected;
  });
}

async function insertItems(db: Db, jobId: string, selected: readonly SelectedSubscription[]): Promise<void> {
  await db.query(
    `insert into job_items (job_id, number, subscription_id, seen)
     select $1, number, subscription_id, seen::jsonb
     from unnest($2::text[], $3::text[]) with ordinality as selected (subscription_id, seen, number)`,
    [jobId, selected.map(({ subscriptionId }) => subscriptionId), selected.map((each) => jsonToColumn(seenOf(each)))],
  );
}

/** The state of a subscription in a dry run; `amount` is in cents. */
function seenOf({ status, standing, stoppedBy, amount, nextDueAt }: SelectedSubscription) {
  return { status, standing, stoppedBy, amount: amount.value, nextDueAt };
}

type DryRunState = ReturnType<typeof seenOf>;

/** A subscription whose state has changed since the dry run. */
export interface ChangedSubscription {
  readonly subscriptionId: SubscriptionId;
  readonly was: DryRunState;
  readonly is: DryRunState;
}

/** A dry run whose token can still start it. */
export interface OpenProposal {
  readonly jobId: string;
  readonly work: BulkWork;
  /** How many subscriptions it has selected. */
  readonly total: number;
}

/** Null if the token is unknown, was used or has expired. @param realNow real time */
export async function findOpenProposal(
  db: Db,
  { tokenHash, firstKeyId }: Pick<StartBulk, 'tokenHash' | 'firstKeyId'>,
  realNow: number,
): Promise<OpenProposal | null> {
  return readRecord<OpenProposal>(
    db,
    `select job_id, work, (select count(*) from job_items i where i.job_id = j.job_id) as total
     from jobs j
     where token_hash = $1 and key_id = $2 and state = 'proposed' and token_until_real > $3`,
    [tokenHash, firstKeyId, instantToColumn(realNow)],
  );
}

/** Extends the validity of the token. @param untilReal real time */
export async function extendProposal(db: Db, jobId: string, untilReal: number): Promise<void> {
  await db.query('update jobs set token_until_real = greatest(token_until_real, $2) where job_id = $1', [
    jobId,
    instantToColumn(untilReal),
  ]);
}

/** How the current selection of the filter differs from that of the dry run. */
export interface SelectionChange {
  readonly added: readonly SubscriptionId[];
  readonly removed: readonly SubscriptionId[];
  readonly changed: readonly ChangedSubscription[];
}

export type StartBulkResult =
  | { readonly kind: 'started'; readonly jobId: string }
  /** The token is not from a dry run of this key. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired'; readonly untilReal: number }
  | { readonly kind: 'used'; readonly jobId: string }
  /** The request does not match the dry run. */
  | { readonly kind: 'other_work'; readonly work: BulkWork }
  | { readonly kind: 'selection_changed'; readonly change: SelectionChange };

/** A request to start what a dry run has proposed, made with the key of the dry run or one that has replaced it. */
export interface StartBulk extends TimedAct {
  readonly tokenHash: Buffer;
  readonly firstKeyId: string;
  /** The address of the caller. */
  readonly address?: string;
  readonly hidesEmail?: boolean;
  /** Whether the work of the dry run matches the request. */
  readonly matches: (work: BulkWork) => boolean;
}

/** Starts what a dry run has proposed, once, if the filter selects the same subscriptions in the same state. */
export async function startBulk(pool: Pool, start: StartBulk): Promise<StartBulkResult> {
  return inTransaction(pool, async (db) => {
    const job = await lockProposal(db, start);
    if (job === null) return { kind: 'unknown' };
    const { jobId, work } = job;
    if (job.state !== 'proposed') return { kind: 'used', jobId };
    if (job.tokenUntilReal <= start.realAt) return { kind: 'expired', untilReal: job.tokenUntilReal };
    if (!start.matches(work)) return { kind: 'other_work', work };
    const change = await changeSince(db, jobId, { ...work.filter, hidesEmail: start.hidesEmail });
    if (change !== null) return { kind: 'selection_changed', change };
    await begin(db, job, start);
    return { kind: 'started', jobId };
  });
}

interface Proposal {
  readonly jobId: string;
  readonly state: string;
  readonly work: BulkWork;
  readonly tokenUntilReal: number;
}

function lockProposal(db: Db, { tokenHash, firstKeyId }: StartBulk): Promise<Proposal | null> {
  return readRecord<Proposal>(
    db,
    'select job_id, state, work, token_until_real from jobs where token_hash = $1 and key_id = $2 for update',
    [tokenHash, firstKeyId],
  );
}

async function begin(db: Db, { jobId, work }: Proposal, { at, address, ...by }: StartBulk): Promise<void> {
  await db.query(`update jobs set state = 'running', started_at = $2, acting_key_id = $3 where job_id = $1`, [
    jobId,
    instantToColumn(at),
    by.keyId ?? null,
  ]);
  const items = await readRecord<{ count: number }>(db, 'select count(*) from job_items where job_id = $1', [jobId]);
  const data = { jobId, action: work.action, total: items?.count ?? 0, address };
  await insertEvent(db, { ...actorOf(by), subscriptionId: null, at, type: 'bulk.started', data });
}

/** Null if nothing has changed. */
async function changeSince(db: Db, jobId: string, filter: SubscriptionFilter): Promise<SelectionChange | null> {
  const before = await readRecords<{ subscriptionId: SubscriptionId; seen: DryRunState }>(
    db,
    'select subscription_id, seen from job_items where job_id = $1 order by number',
    [jobId],
  );
  const was = new Map(before.map(({ subscriptionId, seen }) => [subscriptionId, seen]));
  const now = await selectSubscriptions(db, filter, MAX_SELECTED);
  const is = new Map(now.map((each) => [each.subscriptionId, seenOf(each)]));
  const change = {
    added: [...is.keys()].filter((id) => !was.has(id)),
    removed: [...was.keys()].filter((id) => !is.has(id)),
    changed: [...was].flatMap(([subscriptionId, seen]) => {
      const current = is.get(subscriptionId);
      return current === undefined || isDeepStrictEqual(seen, current)
        ? []
        : [{ subscriptionId, was: seen, is: current }];
    }),
  };
  const isUnchanged = Object.values(change).every((each) => each.length === 0);
  return isUnchanged ? null : change;
}

import type { Pool } from 'pg';
import { type ApprovalState, type Decision, isSamePerson } from '../../domain/approvals';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { toIso } from '../../domain/time';
import { actorOf, type EventData } from '../../domain/audit/event';
import { type Page, type PageOf, approvalCursor, toPage } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { getKey } from './keys';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords } from '../sql/statements';
import { insertEvent, type TimedAct } from '../audit/entries';
import { judgeMakers, type MakerRefusal, readMakers } from './makers';

/** What a request is about: for the person who decides, and for the trail. No personal data. */
export interface ApprovalSubject {
  /** Such as `refundCycle`. */
  readonly operation: string;
  /** Method and path. */
  readonly call: string;
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId | null;
  readonly amount: Money | null;
  readonly facts: EventData;
}

/** All times are real. */
export interface ApprovalRecord extends ApprovalSubject {
  readonly approvalId: string;
  readonly state: ApprovalState;
  /** The name of the key that asks, and the person who has it. */
  readonly requestedBy: string;
  readonly holder: string;
  readonly createdRealAt: number;
  readonly expiresRealAt: number;
  readonly decidedBy: string | null;
  readonly decidedRealAt: number | null;
  readonly usedRealAt: number | null;
}

/** By which a request is known again. */
export interface RequestMark {
  /** The first of the keys that have replaced one another. */
  readonly firstKeyId: string;
  /** SHA-256 of key, method, path and body. */
  readonly fingerprint: Buffer;
  /** SHA-256 of each part of a streamed body, one after the other; null where the body is not streamed. */
  readonly partHashes: Buffer | null;
}

export interface NewApproval extends ApprovalSubject, RequestMark, TimedAct {
  /** A UUID. */
  readonly approvalId: string;
  readonly holder: string;
  readonly expiresRealAt: number;
}

/** @param now the parameter that holds real time */
const stateAt = (now: string) =>
  `case when used_real_at is not null then 'used'
        when decision = 'rejected' then 'rejected'
        when expires_real_at <= ${now} then 'expired'
        else coalesce(decision, 'pending') end`;

/** `$1` is real time. */
const COLUMNS = `approval_id, operation, call, subscription_id, payment_id, amount, facts, requested_by, holder,
  created_real_at, expires_real_at, decided_by, decided_real_at, used_real_at, ${stateAt('$1')} as state`;

/** Asks for an approval; where the same request has asked and can still be permitted, that one is answered. */
export async function requestApproval(pool: Pool, wanted: NewApproval): Promise<ApprovalRecord> {
  return inTransaction(pool, async (db) => {
    const { fingerprint } = wanted;
    await db.query(`select pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))`, [fingerprint]);
    const open = await readRecord<ApprovalRecord>(
      db,
      `select ${COLUMNS} from approvals
       where fingerprint = $2 and ${stateAt('$1')} in ('pending', 'approved')
       order by created_real_at desc limit 1`,
      [instantToColumn(wanted.realAt), fingerprint],
    );
    return open ?? insertApproval(db, wanted);
  });
}

async function insertApproval(db: Db, wanted: NewApproval): Promise<ApprovalRecord> {
  const made = await readRecord<ApprovalRecord>(
    db,
    `insert into approvals (
       approval_id, fingerprint, part_hashes, operation, call, subscription_id, payment_id, amount, facts, key_id,
       requested_by, holder, created_real_at, expires_real_at
     ) values ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $1, $14)
     returning ${COLUMNS}`,
    [
      ...[instantToColumn(wanted.realAt), wanted.approvalId, wanted.fingerprint, wanted.partHashes],
      ...[wanted.operation, wanted.call, wanted.subscriptionId, wanted.paymentId, wanted.amount?.value ?? null],
      ...[
        jsonToColumn(wanted.facts),
        wanted.firstKeyId,
        wanted.actor,
        wanted.holder,
        instantToColumn(wanted.expiresRealAt),
      ],
    ],
  );
  if (made === null) throw new Error(`the approval ${wanted.approvalId} was inserted and is gone`);
  const { holder, expiresRealAt } = made;
  await record(db, 'approval.requested', made, wanted, { holder, expiresAt: toIso(expiresRealAt) });
  return made;
}

/** The request that an approval is of; null where there is no such approval. */
export async function readRequestMark(db: Db, approvalId: string): Promise<RequestMark | null> {
  return readRecord(
    db,
    'select key_id as first_key_id, fingerprint, part_hashes from approvals where approval_id = $1',
    [approvalId],
  );
}

export interface ApprovalUse extends TimedAct {
  readonly approvalId: string;
  /** By which the request is known that is repeated for want of an answer; null where it cannot be. */
  readonly usedFor: string | null;
}

/**
 * Uses an approval up, before what it permits is begun: it permits one request, and that one again where it is repeated.
 * @returns `permitted`, or how it stands instead
 */
export async function useApproval(pool: Pool, use: ApprovalUse): Promise<ApprovalState | 'permitted'> {
  const values = [instantToColumn(use.realAt), use.approvalId];
  return inTransaction(pool, async (db) => {
    const used = await readRecord<ApprovalRecord>(
      db,
      `update approvals set used_real_at = $1, used_for = $3
       where approval_id = $2 and ${stateAt('$1')} = 'approved' returning ${COLUMNS}`,
      [...values, use.usedFor],
    );
    if (used !== null) {
      await record(db, 'approval.used', used, use, { decidedBy: used.decidedBy });
      return 'permitted';
    }
    const stands = await readRecord<{ readonly state: ApprovalState; readonly isRepeated: boolean | null }>(
      db,
      `select ${stateAt('$1')} as state, used_for = $3 and expires_real_at > $1 as is_repeated
       from approvals where approval_id = $2`,
      [...values, use.usedFor],
    );
    if (stands === null) throw new Error(`the approval ${use.approvalId} was read and is gone`);
    return stands.isRepeated === true ? 'permitted' : stands.state;
  });
}

export interface ApprovalDecision extends TimedAct {
  readonly approvalId: string;
  readonly decision: Decision;
  /** The person who has the key that decides. */
  readonly holder: string | null;
  readonly reason: string;
}

export type DecideApprovalResult =
  | { readonly kind: 'decided'; readonly approval: ApprovalRecord }
  | { readonly kind: 'unknown' }
  /** It is decided, used or expired. */
  | { readonly kind: 'over'; readonly state: ApprovalState }
  /** The key that approves has no holder. */
  | { readonly kind: 'no_holder' }
  | { readonly kind: 'same_holder'; readonly holder: string }
  | MakerRefusal;

type DecisionRefusal = Exclude<DecideApprovalResult, { kind: 'decided' }>;

/** Approves or rejects. What was approved may still be rejected until it is used; anybody may reject, also who has asked. */
export async function decideApproval(pool: Pool, act: ApprovalDecision): Promise<DecideApprovalResult> {
  const { approvalId, decision, holder, actor, reason } = act;
  return inTransaction(pool, async (db): Promise<DecideApprovalResult> => {
    const now = instantToColumn(act.realAt);
    const stands = await readRecord<ApprovalRecord>(
      db,
      `select ${COLUMNS} from approvals where approval_id = $2 for update`,
      [now, approvalId],
    );
    if (stands === null) return { kind: 'unknown' };
    const refusal = refusalOf(stands, act) ?? (await refuseMaker(db, act, stands));
    if (refusal !== null) return refusal;
    const decided = await readRecord<ApprovalRecord>(
      db,
      `update approvals set decision = $3, decided_by = $4, decided_holder = $5, decided_real_at = $1
       where approval_id = $2 returning ${COLUMNS}`,
      [now, approvalId, decision, actor, holder],
    );
    if (decided === null) throw new Error(`the approval ${approvalId} was locked and is gone`);
    await record(db, `approval.${decision}`, decided, act, { requestedBy: decided.requestedBy, holder, reason });
    return { kind: 'decided', approval: decided };
  });
}

function refusalOf(
  { state, holder: requester }: ApprovalRecord,
  { decision, holder }: ApprovalDecision,
): DecisionRefusal | null {
  const mayBecome = decision === 'rejected' ? ['pending', 'approved'] : ['pending'];
  if (!mayBecome.includes(state)) return { kind: 'over', state };
  if (decision === 'rejected') return null;
  if (holder === null) return { kind: 'no_holder' };
  return isSamePerson(holder, requester) ? { kind: 'same_holder', holder } : null;
}

async function refuseMaker(
  db: Db,
  { approvalId, decision, holder, keyId }: ApprovalDecision,
  asked: ApprovalRecord,
): Promise<DecisionRefusal | null> {
  if (decision === 'rejected' || holder === null) return null;
  const mark = await readRequestMark(db, approvalId);
  const approving = keyId == null ? null : await getKey(db, keyId);
  const askedWith = { holder: asked.holder, makers: mark === null ? [] : await readMakers(db, mark.firstKeyId) };
  const approvedWith = { holder, makers: approving === null ? [] : await readMakers(db, approving.firstKeyId) };
  return judgeMakers(askedWith, approvedWith);
}

/** Newest first. @param realNow real time */
export async function listApprovals(
  db: Db,
  { state }: { readonly state?: ApprovalState | undefined },
  page: Page,
  realNow: number,
): Promise<PageOf<ApprovalRecord>> {
  const place = approvalCursor.read(page.cursor);
  const rows = await readRecords<ApprovalRecord>(
    db,
    `select ${COLUMNS} from approvals
     where ($2::text is null or ${stateAt('$1')} = $2)
       and ($3::timestamptz is null or (created_real_at, approval_id) < ($3, $4::uuid))
     order by created_real_at desc, approval_id desc limit $5`,
    [
      ...[instantToColumn(realNow), state ?? null],
      ...[instantToColumn(place?.createdAt ?? null), place?.id ?? null, page.limit + 1],
    ],
  );
  return toPage(rows, page.limit, ({ createdRealAt, approvalId }) => [createdRealAt, approvalId]);
}

async function record(
  db: Db,
  type: 'approval.requested' | 'approval.approved' | 'approval.rejected' | 'approval.used',
  { approvalId, operation, subscriptionId, paymentId, amount, facts }: ApprovalRecord,
  act: TimedAct,
  more: EventData,
): Promise<void> {
  const data = { approvalId, operation, amount, facts, ...more };
  await insertEvent(db, { subscriptionId, paymentId, at: act.at, ...actorOf(act), type, data });
}

/** @returns how many requests of before `olderThanReal` were removed, `limit` at most; what became of each is in the audit log. */
export async function purgeApprovals(db: Db, olderThanReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from approvals where approval_id in (
       select approval_id from approvals where created_real_at < $1 order by created_real_at limit $2
     )`,
    [instantToColumn(olderThanReal), limit],
  );
  return rowCount ?? 0;
}

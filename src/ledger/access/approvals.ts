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
import { findSharedAccess, type SharedAccess, readCreators } from './creators';

/** What a request is about, for the person who decides and for the audit log. No personal data. */
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
  /** The name of the requesting key; `holder` is the person who holds it. */
  readonly requestedBy: string;
  readonly holder: string;
  readonly createdRealAt: number;
  readonly expiresRealAt: number;
  readonly decidedBy: string | null;
  readonly decidedRealAt: number | null;
  readonly usedRealAt: number | null;
}

/** Identifies a request, so that its repetition is recognized. */
export interface RequestMark {
  /** The first of the keys that have replaced one another. */
  readonly firstKeyId: string;
  /** SHA-256 of key, method, path and body. */
  readonly fingerprint: Buffer;
  /** SHA-256 of each part of a streamed body, concatenated; null if the body is not streamed. */
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

/** Requests an approval; returns the existing one if the same request has one that is pending or approved. */
export async function requestApproval(pool: Pool, request: NewApproval): Promise<ApprovalRecord> {
  return inTransaction(pool, async (db) => {
    const { fingerprint } = request;
    await db.query(`select pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))`, [fingerprint]);
    const open = await readRecord<ApprovalRecord>(
      db,
      `select ${COLUMNS} from approvals
       where fingerprint = $2 and ${stateAt('$1')} in ('pending', 'approved')
       order by created_real_at desc limit 1`,
      [instantToColumn(request.realAt), fingerprint],
    );
    return open ?? insertApproval(db, request);
  });
}

async function insertApproval(db: Db, request: NewApproval): Promise<ApprovalRecord> {
  const created = await readRecord<ApprovalRecord>(
    db,
    `insert into approvals (
       approval_id, fingerprint, part_hashes, operation, call, subscription_id, payment_id, amount, facts, key_id,
       requested_by, holder, created_real_at, expires_real_at
     ) values ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $1, $14)
     returning ${COLUMNS}`,
    [
      instantToColumn(request.realAt),
      request.approvalId,
      request.fingerprint,
      request.partHashes,
      request.operation,
      request.call,
      request.subscriptionId,
      request.paymentId,
      request.amount?.value ?? null,
      jsonToColumn(request.facts),
      request.firstKeyId,
      request.actor,
      request.holder,
      instantToColumn(request.expiresRealAt),
    ],
  );
  if (created === null) throw new Error(`the approval ${request.approvalId} was inserted and no longer exists`);
  const { holder, expiresRealAt } = created;
  await record(db, 'approval.requested', created, request, { holder, expiresAt: toIso(expiresRealAt) });
  return created;
}

/** The request that an approval belongs to; null if there is no such approval. */
export async function readRequestMark(db: Db, approvalId: string): Promise<RequestMark | null> {
  return readRecord(
    db,
    'select key_id as first_key_id, fingerprint, part_hashes from approvals where approval_id = $1',
    [approvalId],
  );
}

export interface ApprovalUse extends TimedAct {
  readonly approvalId: string;
  /** Identifies the request if it is repeated because the response was lost; null if it cannot be repeated. */
  readonly usedFor: string | null;
}

/**
 * Consumes an approval before the permitted request starts: it permits one request, and repetitions of that request until the
 * approval expires.
 * @returns `permitted`, or the state of the approval
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
    const current = await readRecord<{ readonly state: ApprovalState; readonly isRepeated: boolean | null }>(
      db,
      `select ${stateAt('$1')} as state, used_for = $3 and expires_real_at > $1 as is_repeated
       from approvals where approval_id = $2`,
      [...values, use.usedFor],
    );
    if (current === null) throw new Error(`the approval ${use.approvalId} was read and no longer exists`);
    return current.isRepeated === true ? 'permitted' : current.state;
  });
}

export interface ApprovalDecision extends TimedAct {
  readonly approvalId: string;
  readonly decision: Decision;
  /** The person who holds the deciding key. */
  readonly holder: string | null;
  readonly reason: string;
}

export type DecideApprovalResult =
  | { readonly kind: 'decided'; readonly approval: ApprovalRecord }
  | { readonly kind: 'unknown' }
  /** The approval is already decided, used or expired. */
  | { readonly kind: 'over'; readonly state: ApprovalState }
  /** The key that approves has no holder. */
  | { readonly kind: 'no_holder' }
  | { readonly kind: 'same_holder'; readonly holder: string }
  | SharedAccess;

type DecisionRefusal = Exclude<DecideApprovalResult, { kind: 'decided' }>;

/** Approves or rejects. An approval may still be rejected until it is used; anyone may reject, including the requester. */
export async function decideApproval(pool: Pool, act: ApprovalDecision): Promise<DecideApprovalResult> {
  const { approvalId, decision, holder, actor, reason } = act;
  return inTransaction(pool, async (db): Promise<DecideApprovalResult> => {
    const now = instantToColumn(act.realAt);
    const current = await readRecord<ApprovalRecord>(
      db,
      `select ${COLUMNS} from approvals where approval_id = $2 for update`,
      [now, approvalId],
    );
    if (current === null) return { kind: 'unknown' };
    const refusal = refusalOf(current, act) ?? (await refuseSharedAccess(db, act, current));
    if (refusal !== null) return refusal;
    const decided = await readRecord<ApprovalRecord>(
      db,
      `update approvals set decision = $3, decided_by = $4, decided_holder = $5, decided_real_at = $1
       where approval_id = $2 returning ${COLUMNS}`,
      [now, approvalId, decision, actor, holder],
    );
    if (decided === null) throw new Error(`the approval ${approvalId} was locked and no longer exists`);
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

async function refuseSharedAccess(
  db: Db,
  { approvalId, decision, holder, keyId }: ApprovalDecision,
  approval: ApprovalRecord,
): Promise<DecisionRefusal | null> {
  if (decision === 'rejected' || holder === null) return null;
  const mark = await readRequestMark(db, approvalId);
  const approving = keyId == null ? null : await getKey(db, keyId);
  const requestedWith = {
    holder: approval.holder,
    creators: mark === null ? [] : await readCreators(db, mark.firstKeyId),
  };
  const approvedWith = { holder, creators: approving === null ? [] : await readCreators(db, approving.firstKeyId) };
  return findSharedAccess(requestedWith, approvedWith);
}

/** Newest first. @param realNow real time */
export async function listApprovals(
  db: Db,
  { state }: { readonly state?: ApprovalState | undefined },
  page: Page,
  realNow: number,
): Promise<PageOf<ApprovalRecord>> {
  const after = approvalCursor.read(page.cursor);
  const rows = await readRecords<ApprovalRecord>(
    db,
    `select ${COLUMNS} from approvals
     where ($2::text is null or ${stateAt('$1')} = $2)
       and ($3::timestamptz is null or (created_real_at, approval_id) < ($3, $4::uuid))
     order by created_real_at desc, approval_id desc limit $5`,
    [
      instantToColumn(realNow),
      state ?? null,
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
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

/**
 * Removes at most `limit` approvals that were requested before `olderThanReal`; their results remain in the audit log.
 * @returns how many
 */
export async function purgeApprovals(db: Db, olderThanReal: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from approvals where approval_id in (
       select approval_id from approvals where created_real_at < $1 order by created_real_at limit $2
     )`,
    [instantToColumn(olderThanReal), limit],
  );
  return rowCount ?? 0;
}

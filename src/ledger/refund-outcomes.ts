import type { Pool } from 'pg';
import type { Instant } from '../domain/instant';
import { instantToColumn, textToColumn } from './column';
import type { Db } from './db';
import { DUEDAY, insertEvent } from './events';
import { outcomeData } from './outcome-data';
import {
  lockSubscriptionOf,
  readRefundSend,
  type RefundSendRecord,
  type RefundSendRef,
  type RefundSendState,
} from './refund-sends';
import { inTransaction } from './transaction';

/** What became of a send. `serviceRefundId` and `createdAt` are the service's, as it tells them. */
export type RefundOutcome =
  | {
      readonly state: 'pending' | 'successful';
      readonly serviceRefundId: string;
      readonly createdAt: Instant;
    }
  | {
      readonly state: 'failed';
      readonly detail: string;
      readonly description: string;
      readonly serviceRefundId?: string | undefined;
      readonly createdAt?: Instant | undefined;
    }
  | { readonly state: 'not_sent'; readonly reason: string }
  | { readonly state: 'unknown'; readonly reason: string; readonly sinceReal: number }
  | { readonly state: 'unresolved'; readonly reason: string };

export type RecordRefundOutcomeResult =
  | { readonly kind: 'recorded'; readonly send: RefundSendRecord }
  /** Nothing was written: the send is final already, or further than this outcome. Its row as it stands. */
  | { readonly kind: 'stands'; readonly send: RefundSendRecord };

/** The same table as the trigger `guard_refund_send`, which refuses whatever does not keep to it. */
const FROM: Readonly<Record<RefundSendState, readonly RefundSendState[]>> = {
  sending: ['pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent'],
  pending: ['successful', 'failed'],
  unknown: ['pending', 'unresolved', 'successful', 'failed', 'not_sent'],
  unresolved: ['pending', 'successful', 'failed', 'not_sent'],
  successful: [],
  failed: [],
  not_sent: [],
};

/**
 * Writes what became of a send, and the trail's entry `refund.<state>`, in one transaction. A final outcome is never
 * overwritten; one that speaks against it is left to the trail as `refund.contradicted`.
 * @throws where the send is not in the ledger, or the service's refund is already another send's.
 */
export async function recordRefundOutcome(
  pool: Pool,
  ref: RefundSendRef,
  outcome: RefundOutcome,
  at: Instant,
): Promise<RecordRefundOutcomeResult> {
  return inTransaction(pool, async (db): Promise<RecordRefundOutcomeResult> => {
    await lockSubscriptionOf(db, ref.refundId);
    const standing = await readSend(db, ref);
    if (!FROM[standing.state].includes(outcome.state)) {
      if (contradicts(standing, outcome)) await recordContradiction(db, standing, outcome, at);
      return { kind: 'stands', send: standing };
    }
    await updateSend(db, ref, outcome, at);
    const { subscriptionId, refundId, cycle, send, amount } = standing;
    await insertEvent(db, {
      ...{ subscriptionId, at, actor: DUEDAY, type: `refund.${outcome.state}` },
      data: { refundId, cycle, send, amount, ...outcomeData(outcome) },
    });
    return { kind: 'recorded', send: await readSend(db, ref) };
  });
}

export function isFinalRefundState(state: RefundSendState): boolean {
  return FROM[state].length === 0;
}

async function readSend(db: Db, ref: RefundSendRef): Promise<RefundSendRecord> {
  const send = await readRefundSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${ref.send} of refund ${ref.refundId}`);
  return send;
}

async function updateSend(db: Db, ref: RefundSendRef, outcome: RefundOutcome, at: Instant): Promise<void> {
  const found: Partial<OutcomeColumns> = outcome;
  await db.query(
    `update refund_sends set
       state = $3,
       service_refund_id = coalesce($4, service_refund_id),
       service_created_at = coalesce($5, service_created_at),
       detail = $6, description = $7, reason = $8,
       unknown_since_real = coalesce(unknown_since_real, $9),
       outcome_at = $10
     where (refund_id, send) = ($1, $2)`,
    [
      ref.refundId,
      ref.send,
      outcome.state,
      found.serviceRefundId ?? null,
      instantToColumn(found.createdAt ?? null),
      textToColumn(found.detail ?? null),
      textToColumn(found.description ?? null),
      textToColumn(found.reason ?? null),
      instantToColumn(found.sinceReal ?? null),
      isFinalRefundState(outcome.state) ? instantToColumn(at) : null,
    ],
  );
}

/** Every field that some outcome has. */
interface OutcomeColumns {
  serviceRefundId: string | undefined;
  createdAt: Instant | undefined;
  detail: string;
  description: string;
  reason: string;
  sinceReal: number;
}

/** Another final outcome than the one that stands, or a refund at the service that the final row lacks. */
function contradicts(standing: RefundSendRecord, outcome: RefundOutcome): boolean {
  if (!isFinalRefundState(standing.state)) return false;
  const { serviceRefundId }: Partial<OutcomeColumns> = outcome;
  if (serviceRefundId !== undefined && serviceRefundId !== standing.serviceRefundId) return true;
  return isFinalRefundState(outcome.state) && outcome.state !== standing.state;
}

async function recordContradiction(
  db: Db,
  standing: RefundSendRecord,
  outcome: RefundOutcome,
  at: Instant,
): Promise<void> {
  const { subscriptionId, refundId, cycle, send, state, serviceRefundId } = standing;
  const found: Partial<OutcomeColumns> = outcome;
  await insertEvent(db, {
    ...{ subscriptionId, at, actor: DUEDAY, type: 'refund.contradicted' },
    data: { refundId, cycle, send, stands: { state, serviceRefundId }, found: outcomeData(outcome) },
    changeKey: `contradicted/${refundId}/${send}/${outcome.state}/${found.serviceRefundId ?? ''}`,
  });
}

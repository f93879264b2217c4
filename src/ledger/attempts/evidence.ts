import type { Pool } from 'pg';
import type { Observation } from '../../domain/attempt/action';
import type { KnownRecord } from '../../domain/evidence';
import type { AuthorizationId, PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { AttemptState } from '../../domain/send';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { openContradiction } from './evidence-items';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords, readValue } from '../sql/statements';
import { raiseRevision } from '../deciding/changes';
import { readState } from '../deciding/facts';
import { followOutcome } from '../deciding/outcome';
import { DUEDAY, insertEvent } from '../audit/entries';
import { ATTEMPT_COLUMNS, type AttemptRecord, keyOf, readSend, resultOf, type SendRef } from '../rows/attempt';
import { isOver, readSendContext } from './send-context';
import { type NewSend, writeSend } from './sends';
import { beginWithLock } from '../rows/subscription';

/** An authorization that the ledger has, for checking what the service lists (rules 36 to 39). */
export interface KnownAuthorization extends SendRef, KnownRecord {
  readonly id: AuthorizationId;
  readonly state: AttemptState;
  readonly amount: Money;
  readonly dueAt: Instant;
}

/** All authorizations of a payment that the ledger has, oldest first. */
export async function knownAuthorizations(db: Db, paymentId: PaymentId): Promise<readonly KnownAuthorization[]> {
  const known = await readValue<readonly KnownAuthorization[]>(db, 'select known_authorizations($1)', [paymentId]);
  return known ?? [];
}

/** The send with the authorization, preferably one that was not refused; null if there is none. */
export async function findSendByAuthorization(
  db: Db,
  paymentId: PaymentId,
  authorizationId: string,
): Promise<(SendRef & { readonly state: AttemptState }) | null> {
  return readRecord(
    db,
    `select subscription_id, cycle, attempt, send, state from attempts
     where payment_id = $1 and authorization_id = $2
     order by state in ('rejected', 'rejected_retryable'), sending_real_at desc limit 1`,
    [paymentId, authorizationId],
  );
}

/** The refused attempt of a cycle that the service has since reported otherwise, pending ones first; null if there is none. */
export async function reopenedAttempt(
  db: Db,
  { subscriptionId, cycle }: Pick<SendRef, 'subscriptionId' | 'cycle'>,
): Promise<AttemptRecord | null> {
  return readRecord(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where subscription_id = $1 and cycle = $2 and refused_as is not null
       and state in ('pending', 'successful', 'capture_failed')
     order by state = 'pending' desc, attempt, send limit 1`,
    [subscriptionId, cycle],
  );
}

/** The reopened attempts of a payment that are still pending, oldest first. */
export async function reopenedOf(db: Db, paymentId: PaymentId): Promise<readonly AttemptRecord[]> {
  return readRecords(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts where payment_id = $1 and ${IS_REOPENED} order by cycle, attempt, send`,
    [paymentId],
  );
}

/** Condition on an attempt: it was refused, but later reported as pending or successful, and is polled until its state is final. */
export const IS_REOPENED = `(state = 'pending' and refused_as is not null)`;

/** When something was found, and what the service reported, for the audit log. */
export interface Finding {
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
  readonly found: EventData;
  /** Whether a successful capture of the authorization was seen. */
  readonly isCaptured: boolean;
}

/**
 * Reopens a refused attempt whose authorization the service shows as pending or successful: it is polled again, and meanwhile no
 * further attempt of its cycle is sent (rule 36).
 * @param isWorkflowAsking whether the caller is the workflow of the subscription: if not, the workflow must be notified
 * @returns whether it is open now
 */
export async function reopenAttempt(
  pool: Pool,
  ref: SendRef,
  { at, realAt, found, isCaptured }: Finding,
  isWorkflowAsking: boolean,
): Promise<boolean> {
  const reopen = async (db: Db): Promise<boolean> => {
    const row = await readRecord<AttemptRecord>(
      db,
      `update attempts set state = 'pending', refused_as = state, outcome_at = null, reported_real_at = $5,
         contradicted_since_real = case when $6 then $5::timestamptz end
       where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) and state in ('rejected', 'rejected_retryable')
       returning ${ATTEMPT_COLUMNS}`,
      [...keyOf(ref), instantToColumn(realAt), isCaptured],
    );
    if (row === null) return (await readSend(db, ref))?.state === 'pending';
    const { authorizationId, detail } = row;
    const data = { ...aboutOf(row), authorizationId, detail, found };
    await insertEvent(db, { subscriptionId: ref.subscriptionId, at, actor: DUEDAY, type: 'attempt.reopened', data });
    if (!isWorkflowAsking) await raiseRevision(db, ref.subscriptionId);
    return true;
  };
  return inTransaction(pool, reopen, beginWithLock(ref.subscriptionId));
}

/** Records that a reopened attempt has failed again: its first refusal remains, with time and reason (rule 36). @returns its row */
export async function refuseAgain(pool: Pool, ref: SendRef, at: Instant): Promise<AttemptRecord | null> {
  const refuse = async (db: Db) => {
    const before = await readState(db, ref.subscriptionId, at);
    const row = await readRecord<AttemptRecord>(
      db,
      `update attempts set state = refused_as, outcome_at = $5, contradicted_since_real = null, unlisted_since_real = null
       where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) and state = 'pending' and refused_as is not null
       returning ${ATTEMPT_COLUMNS}`,
      [...keyOf(ref), instantToColumn(at)],
    );
    if (row === null) return readSend(db, ref);
    const { subscriptionId } = ref;
    const data = { ...aboutOf(row), authorizationId: row.authorizationId, detail: row.detail };
    await insertEvent(db, { subscriptionId, at, actor: DUEDAY, type: 'attempt.refused_again', data });
    await followOutcome(db, before, row, resultOf(row), at);
    return row;
  };
  return inTransaction(pool, refuse, beginWithLock(ref.subscriptionId));
}

function aboutOf({ cycle, attempt, send, amount, dueAt }: AttemptRecord): EventData {
  return { cycle, attempt, send, amount, dueAt: toIso(dueAt) };
}

/** Stores an observation for the next poll if the send is pending. @returns the current row of the send; null if there is none */
export async function recordObservation(db: Db, ref: SendRef, seen: Observation): Promise<AttemptRecord | null> {
  const { authorized = false, unlistedSinceReal, contradictedSinceReal } = seen;
  const written = await readRecord<AttemptRecord>(
    db,
    `update attempts set authorized = authorized or $5,
       unlisted_since_real = case when $6 then $7 else unlisted_since_real end,
       contradicted_since_real = case when $8 then $9 else contradicted_since_real end
     where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) and state = 'pending'
     returning ${ATTEMPT_COLUMNS}`,
    [
      ...keyOf(ref),
      authorized,
      unlistedSinceReal !== undefined,
      instantToColumn(unlistedSinceReal ?? null),
      contradictedSinceReal !== undefined,
      instantToColumn(contradictedSinceReal ?? null),
    ],
  );
  return written ?? readSend(db, ref);
}

/** An authorization that another system has created for a cycle, as the service lists it. */
export interface ForeignAuthorization extends Omit<NewSend, 'at' | 'knownIds' | 'revision' | 'grounds'> {
  readonly authorizationId: AuthorizationId;
  /** When the service created it. */
  readonly createdAt: Instant;
  /** Business time of the entry in the audit log. */
  readonly enteredAt: Instant;
}

export type Adoption =
  | { readonly kind: 'adopted'; readonly send: AttemptRecord }
  /** The cycle has ended or now collects another amount, or a send of the payment conflicts with the authorization. */
  | { readonly kind: 'refused' };

/** States of the previous cycle that leave open which of the two cycles was paid (rule 40). */
const UNPAID = ['failed', 'missed'];

/**
 * Enters an authorization of another system as the cycle's attempt, pending and with its id: no POST follows, and the service is
 * polled for it as for one of dueday's own (rule 40). If the previous cycle ended uncollected, an item asks which of the two
 * cycles it paid.
 */
export async function adoptAuthorization(pool: Pool, found: ForeignAuthorization): Promise<Adoption> {
  const { createdAt, enteredAt, authorizationId, ...made } = found;
  const adopt = async (db: Db): Promise<Adoption> => {
    const { subscriptionId, paymentId, cycle, attempt, amount, dueAt } = made;
    const context = await readSendContext(db, made);
    const isFrozen = context.cycleAmount !== null && context.cycleStatus !== 'scheduled';
    if (context.isBlocked || isOver(context.cycleStatus)) return { kind: 'refused' };
    if (isFrozen && context.cycleAmount.value !== amount.value) return { kind: 'refused' };
    const about = { cycle, attempt, send: context.send, amount, dueAt: toIso(dueAt) };
    const data = { ...about, authorizationId, createdAt: toIso(createdAt) };
    const started = await writeSend(db, { ...made, adopted: true, at: createdAt, knownIds: [] }, context, {
      at: enteredAt,
      type: 'attempt.adopted',
      data,
    });
    const pending = await readRecord<AttemptRecord>(
      db,
      `update attempts set state = 'pending', authorization_id = $5, authorization_created_at = $6, reported_real_at = $7
       where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4) returning ${ATTEMPT_COLUMNS}`,
      [...keyOf(started), authorizationId, instantToColumn(createdAt), instantToColumn(made.realAt)],
    );
    if (pending === null) throw new Error('the adopted send was written and no longer exists');
    if (attempt > 0) {
      const detail = `${authorizationId} belongs to no attempt in the ledger, and the payer was notified that cycle ${cycle} had failed. Nothing more is sent for this cycle.`;
      const about = { subscriptionId, paymentId, cycle, amount, authorizationId, detail };
      const ledger = { state: 'rejected_retryable', at: dueAt };
      await openContradiction(db, { ...about, ledger, service: { state: 'listed', at: createdAt } }, enteredAt);
    }
    const before = await previousOf(db, { subscriptionId, cycle });
    if (before !== null && UNPAID.includes(before.status)) {
      const detail = `${authorizationId} was created by another system; cycle ${cycle - 1} is ${before.status}. Find out which of the two cycles it paid. If it paid the earlier one, resolve cycle ${cycle} with outcome "failed" and paidCycle ${cycle - 1}.`;
      await openContradiction(
        db,
        {
          subscriptionId,
          paymentId,
          cycle,
          amount,
          authorizationId,
          detail,
          ledger: { state: before.status, at: before.dueAt },
          service: { state: 'listed', at: createdAt },
        },
        enteredAt,
      );
    }
    return { kind: 'adopted', send: pending };
  };
  return inTransaction(pool, adopt, beginWithLock(found.subscriptionId));
}

async function previousOf(db: Db, { subscriptionId, cycle }: Pick<SendRef, 'subscriptionId' | 'cycle'>) {
  return readRecord<{ status: string; dueAt: Instant }>(
    db,
    'select status, due_at from cycles where subscription_id = $1 and cycle = $2',
    [subscriptionId, cycle - 1],
  );
}

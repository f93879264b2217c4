import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import type { AuditPosition } from '../../domain/audit/event';
import { inStatement } from '../sql/database';
import { type Current, currentOf, type SubscriptionFacts } from '../deciding/facts';
import { isAllOfDebit } from '../deciding/outcome';
import { parameters, readRecord } from '../sql/statements';
import { type AttemptRead, type AttemptRecord, resultOf, SENT } from '../rows/attempt';
import { type Before, collectedColumns } from '../deciding/collected';
import { type Outcome, settledColumns, type Update } from './outcomes';

/** The ordinary end of a send, in one message each: the answer to its POST, and its debit. Anything else is left to `recordOutcome`. */

/** The state on which the end of a debit is decided, as it was when the answer to its POST was written. */
export interface AcceptedDebit {
  readonly facts: SubscriptionFacts;
  readonly before: Before;
  /** Fingerprint of both, see `fingerprint_of`. */
  readonly fingerprint: string;
}

/** The attempt as it was written. */
type Written = AttemptRead & { readonly send: AttemptRecord };

interface Accepted extends AcceptedDebit, Written {}

type WrittenRow = AttemptRecord & AuditPosition & Pick<AttemptRead, 'reopened'>;

type UpdateOf<State extends Outcome['state']> = Omit<Update, 'ref' | 'outcome'> & {
  readonly row: AttemptRecord;
  readonly outcome: Extract<Outcome, { state: State }>;
};

/** @returns null, with nothing written, if the ledger already has the authorization, or if the send may not become pending */
export async function recordAccepted(pool: Pool, { row, ...update }: UpdateOf<'pending'>): Promise<Accepted | null> {
  const text = `select ${SENT}, w.entry, w.epoch, w.reopened, w.facts, w.before, w.fingerprint from record_accepted(${parameters(1, 5)}) w`;
  const values = settledColumns({ ...update, ref: row });
  const record = () => readRecord<WrittenRow & AcceptedDebit>(pool, text, values);
  const written = await inStatement(pool, record);
  if (written === null) return null;
  const { entry, epoch, reopened, facts, before, fingerprint, ...send } = written;
  return { send, mark: { entry, epoch }, reopened, facts, before, fingerprint };
}

interface Booked extends Written {
  /** The subscription after the update. */
  readonly current: Current;
}

/** @returns null, with nothing written, if more follows from it, or if the ledger has changed since the answer was recorded */
export async function recordBooked(
  pool: Pool,
  { row, ...update }: UpdateOf<'successful'>,
  accepted: AcceptedDebit,
): Promise<Booked | null> {
  const { outcome, at } = update;
  const send = bookedAs(row, outcome, at);
  if (!isOrdinary(send, outcome, accepted, at)) return null;
  const settled = settledColumns({ ...update, ref: row });
  const [collected, , ...entries] = collectedColumns(
    { ...send, before: accepted.before },
    { at, nextDueAt: outcome.nextDueAt },
  );
  const text = `select ${SENT}, w.entry, w.epoch, w.reopened, w.facts from record_collected(${parameters(1, 9)}) w`;
  const values = [accepted.fingerprint, ...settled, collected, ...entries];
  const record = () => readRecord<WrittenRow & Pick<AcceptedDebit, 'facts'>>(pool, text, values);
  const written = await inStatement(pool, record);
  if (written === null) return null;
  const { entry, epoch, reopened, facts, ...sent } = written;
  return { send: sent, mark: { entry, epoch }, reopened, current: currentOf(facts, at) };
}

function bookedAs(row: AttemptRecord, outcome: Extract<Outcome, { state: 'successful' }>, at: Instant): AttemptRecord {
  const { state, authorizationId, captureId, createdAt } = outcome;
  return { ...row, state, authorizationId, captureId, authorizationCreatedAt: createdAt, outcomeAt: at };
}

/** Whether nothing contradicts the outcome, and the only consequence is that the cycle is collected. */
function isOrdinary(
  send: AttemptRecord,
  { contradiction }: Extract<Outcome, { state: 'successful' }>,
  { facts, before }: AcceptedDebit,
  at: Instant,
): boolean {
  const isContradicted =
    contradiction !== undefined || before.isCollected || before.wasRefused || send.refusedAs !== null;
  const isSecondDebit = before.paidLink !== null;
  return (
    !isContradicted &&
    !isSecondDebit &&
    isAllOfDebit(currentOf(facts, at).state, send, resultOf(send), at, before.isLast)
  );
}

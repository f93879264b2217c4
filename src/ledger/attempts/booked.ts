import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { type Current, currentOf, type SubscriptionFacts } from '../deciding/facts';
import { isAllOfDebit } from '../deciding/outcome';
import { type AttemptRead, type AttemptRecord, resultOf } from '../rows/attempt';
import { type Before, collectedColumns } from '../deciding/collected';
import { type Outcome, settledColumns, type Update } from './outcomes';
import { writeStep } from './steps';

/**
 * The ordinary course of a send: the answer that accepts its POST, and then its debit, each written in one message to PostgreSQL.
 * Anything else is left to `recordOutcome`.
 */

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

type UpdateOf<State extends Outcome['state']> = Omit<Update, 'ref' | 'outcome'> & {
  readonly row: AttemptRecord;
  readonly outcome: Extract<Outcome, { state: State }>;
};

/** @returns null, with nothing written, if the ledger already has the authorization, or if the send may not become pending */
export async function recordAccepted(pool: Pool, { row, ...update }: UpdateOf<'pending'>): Promise<Accepted | null> {
  const values = settledColumns({ ...update, ref: row });
  const { subscriptionId } = row;
  const written = await writeStep(pool, { name: 'record_accepted', subscriptionId, values });
  if (written === null) return null;
  const { entry, epoch, ...accepted } = written;
  return { ...accepted, mark: { entry, epoch } };
}

interface Booked extends Written {
  /** The subscription after the update. */
  readonly current: Current;
}

/**
 * @returns null, with nothing written, if more follows from the debit than that the cycle is collected, or if the ledger has changed
 * since the answer was recorded
 */
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
  const values = [accepted.fingerprint, ...settled, collected, ...entries];
  const written = await writeStep(pool, { name: 'record_collected', subscriptionId: row.subscriptionId, values });
  if (written === null) return null;
  const { entry, epoch, reopened, facts } = written;
  return { send: written.send, mark: { entry, epoch }, reopened, current: currentOf(facts, at) };
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

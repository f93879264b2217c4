import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import type { TrailMark } from '../../domain/audit/event';
import { inStatement } from '../sql/database';
import { type Current, currentOf, type SubscriptionFacts } from '../deciding/facts';
import { isAllOfOutcome } from '../deciding/outcome';
import { parameters, readRecord } from '../sql/statements';
import { type AttemptRecord, resultOf, SENT } from '../rows/attempt';
import { type Before, collectedColumns } from '../deciding/collected';
import { type Outcome, settledColumns, type Update } from './outcomes';

/** The ordinary end of a send, a message each: the answer to its POST, and its debit. What is not ordinary is left to `recordOutcome`. */

/** What the end of a debit is judged by, as it was when the answer to its POST was written. */
export interface JudgedDebit {
  readonly facts: SubscriptionFacts;
  readonly before: Before;
  /** Names both: see `judged_as`. */
  readonly judged: string;
}

interface Accepted extends JudgedDebit {
  readonly send: AttemptRecord;
  readonly mark: TrailMark;
}

type UpdateOf<State extends Outcome['state']> = Omit<Update, 'ref' | 'outcome'> & {
  readonly row: AttemptRecord;
  readonly outcome: Extract<Outcome, { state: State }>;
};

/** @returns null, and nothing is written, if the ledger has the authorization already, or the send may not become pending */
export async function recordAccepted(pool: Pool, { row, ...update }: UpdateOf<'pending'>): Promise<Accepted | null> {
  const text = `select ${SENT}, w.entry, w.epoch, w.facts, w.before, w.judged from record_accepted(${parameters(1, 5)}) w`;
  const values = settledColumns({ ...update, ref: row });
  const record = () => readRecord<AttemptRecord & TrailMark & JudgedDebit>(pool, text, values);
  const written = await inStatement(pool, record);
  if (written === null) return null;
  const { entry, epoch, facts, before, judged, ...send } = written;
  return { send, mark: { entry, epoch }, facts, before, judged };
}

interface Booked {
  readonly send: AttemptRecord;
  readonly mark: TrailMark;
  /** The subscription after it. */
  readonly current: Current;
}

/** @returns null, and nothing is written, if more follows from it, or the ledger has changed since it was judged */
export async function recordBooked(
  pool: Pool,
  { row, ...update }: UpdateOf<'successful'>,
  judged: JudgedDebit,
): Promise<Booked | null> {
  const { outcome, at } = update;
  const send = bookedAs(row, outcome, at);
  if (!isOrdinary(send, outcome, judged, at)) return null;
  const settled = settledColumns({ ...update, ref: row });
  const [collected, , ...entries] = collectedColumns(
    { ...send, before: judged.before },
    { at, nextDueAt: outcome.nextDueAt },
  );
  const text = `select ${SENT}, w.entry, w.epoch, w.facts from record_collected(${parameters(1, 9)}) w`;
  const values = [judged.judged, ...settled, collected, ...entries];
  const record = () => readRecord<AttemptRecord & TrailMark & Pick<JudgedDebit, 'facts'>>(pool, text, values);
  const written = await inStatement(pool, record);
  if (written === null) return null;
  const { entry, epoch, facts, ...sent } = written;
  return { send: sent, mark: { entry, epoch }, current: currentOf(facts, at) };
}

function bookedAs(row: AttemptRecord, outcome: Extract<Outcome, { state: 'successful' }>, at: Instant): AttemptRecord {
  const { state, authorizationId, captureId, createdAt } = outcome;
  return { ...row, state, authorizationId, captureId, authorizationCreatedAt: createdAt, outcomeAt: at };
}

/** Nothing contradicts it, and nothing follows from it but that the cycle is collected. */
function isOrdinary(
  send: AttemptRecord,
  { contradiction }: Extract<Outcome, { state: 'successful' }>,
  { facts, before }: JudgedDebit,
  at: Instant,
): boolean {
  const isContradicted =
    contradiction !== undefined || before.isCollected || before.wasRefused || send.refusedAs !== null;
  return !isContradicted && isAllOfOutcome(currentOf(facts, at).state, send, resultOf(send), at);
}

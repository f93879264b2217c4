import type { Pool } from 'pg';
import type { AuditPosition } from '../../domain/audit/event';
import type { SubscriptionId } from '../../domain/ids';
import type { SubscriptionFacts } from '../deciding/facts';
import type { Before } from '../deciding/collected';
import { ATTEMPT_COLUMNS, type AttemptRead, type AttemptRecord, SENT } from '../rows/attempt';
import { hasFreeConnection, inStatement, wasRolledBack, withConnection } from '../sql/database';
import { parameters, readRecord, readRecords } from '../sql/statements';

/** A call of an SQL function that writes one step of a collection under the subscription's lock, in one message. */
export interface CollectionStep<Name extends keyof WrittenBy = keyof WrittenBy> {
  readonly name: Name;
  readonly subscriptionId: SubscriptionId;
  /** The arguments of the function, in its order. */
  readonly values: readonly (string | readonly string[] | null)[];
}

/** The columns that each function returns. */
const COLUMNS: Readonly<Record<keyof WrittenBy, string>> = {
  begin_send: ATTEMPT_COLUMNS,
  record_accepted: `${SENT}, w.entry, w.epoch, w.reopened, w.facts, w.before, w.fingerprint`,
  record_collected: `${SENT}, w.entry, w.epoch, w.reopened, w.facts`,
};

/** What all functions together return. */
interface WrittenStep extends AuditPosition, Pick<AttemptRead, 'reopened'> {
  /** The attempt as it was written. */
  readonly send: AttemptRecord;
  readonly facts: SubscriptionFacts;
  readonly before: Before;
  readonly fingerprint: string;
}

/** What each function returns. */
interface WrittenBy {
  readonly begin_send: Pick<WrittenStep, 'send'>;
  readonly record_accepted: WrittenStep;
  readonly record_collected: Omit<WrittenStep, 'before' | 'fingerprint'>;
}

type WrittenRow = AttemptRecord & Omit<WrittenStep, 'send'>;

interface WaitingStep {
  readonly step: CollectionStep;
  readonly resolve: (written: WrittenStep | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The most steps of one message: none of them can be seen by others before all are committed. */
const MAX_STEPS = 50;
/** For each pool, the steps that wait for the same connection. */
const waitingSteps = new WeakMap<Pool, WaitingStep[]>();

/**
 * Writes one step, in a transaction of its own while the pool has a free connection. While all are in use, steps wait together
 * for the next free one, and share one message and one commit.
 * @returns null, with nothing written, if the function found that the ledger does not permit the step, or is no longer
 * as it was when the caller decided
 */
export async function writeStep<Name extends keyof WrittenBy>(
  pool: Pool,
  step: CollectionStep<Name>,
): Promise<WrittenBy[Name] | null> {
  if (hasFreeConnection(pool)) return writeAlone(pool, step);
  return new Promise((resolve, reject) => {
    const waiting = waitingSteps.get(pool);
    const added = { step, resolve, reject };
    if (waiting !== undefined && waiting.length < MAX_STEPS) waiting.push(added);
    else void writeTogether(pool, [added]);
  });
}

async function writeAlone(pool: Pool, { name, values }: CollectionStep): Promise<WrittenStep | null> {
  const text = `select ${COLUMNS[name]} from ${name}(${parameters(1, values.length)}) w`;
  const row = await inStatement(pool, (db) => readRecord<WrittenRow>(db, text, [...values]));
  return row === null ? null : writtenStep(row);
}

/** @param steps to which others are added until there is a connection */
async function writeTogether(pool: Pool, steps: WaitingStep[]): Promise<void> {
  waitingSteps.set(pool, steps);
  const close = () => {
    if (waitingSteps.get(pool) === steps) waitingSteps.delete(pool);
  };
  try {
    const rows = await withConnection(pool, async (client) => {
      close();
      // Every message locks in this order, so that two messages that share subscriptions cannot deadlock.
      steps.sort(bySubscription);
      return readRecords<WrittenRow & { nth: number }>(client, TOGETHER, [JSON.stringify(steps.map(callOf))]);
    });
    const written = new Map(rows.map(({ nth, ...row }) => [nth, writtenStep(row)]));
    for (const [index, { resolve }] of steps.entries()) resolve(written.get(index + 1) ?? null);
  } catch (error) {
    close();
    // It is not known which step failed. After a rollback nothing was written, and each step is tried alone; after a lost
    // connection all may have been written.
    for (const { step, resolve, reject } of steps) {
      if (wasRolledBack(error)) writeAlone(pool, step).then(resolve, reject);
      else reject(error);
    }
  }
}

const TOGETHER = `select w.nth, ${COLUMNS.record_accepted} from write_steps($1) w`;

function bySubscription({ step: one }: WaitingStep, { step: other }: WaitingStep): number {
  return one.subscriptionId < other.subscriptionId ? -1 : Number(one.subscriptionId > other.subscriptionId);
}

function callOf({ step: { name, values } }: WaitingStep): Pick<CollectionStep, 'name' | 'values'> {
  return { name, values };
}

function writtenStep({ entry, epoch, reopened, facts, before, fingerprint, ...send }: WrittenRow): WrittenStep {
  return { send, entry, epoch, reopened, facts, before, fingerprint };
}

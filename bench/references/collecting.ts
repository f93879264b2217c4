import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { ServiceCalls } from './calls';

/** All times are real time: instants in epoch ms, the interval in ms. */
export interface BareInput {
  readonly id: string;
  readonly paymentId: string;
  readonly cents: number;
  readonly firstDueAt: number;
  readonly interval: number;
  readonly cycle: number;
}

export type Cycle = Pick<BareInput, 'id' | 'paymentId' | 'cents' | 'cycle'>;

const BETWEEN_POLLS = 500;
/** Ms after which a request of a process that has died can no longer arrive. */
const SETTLED_AFTER = 5_000;

/**
 * Sends the debit of a cycle exactly once, with three calls and two commits. If the cycle has a row already, the process
 * that inserted the row has died while sending; then it is first found out what became of that debit.
 * @returns the authorization's id
 */
export async function sendCycle(db: Pool, calls: ServiceCalls, { id, paymentId, cents, cycle }: Cycle) {
  if (!(await calls.isGranted(paymentId))) throw new Error(`the consent of ${paymentId} is gone`);
  const before = await calls.list(paymentId);
  const { rowCount } = await db.query(
    `insert into attempts (id, cycle, state) values ($1, $2, 'sending') on conflict do nothing`,
    [id, cycle],
  );
  const known = new Set(before.slice(0, cycle).map((each) => each.id));
  const sent = rowCount === 1 ? null : await findSent(db, calls, { id, paymentId, cycle }, known);
  const authorizationId = sent ?? (await calls.initiate(paymentId, cents));
  await db.query(`update attempts set state = 'pending', authorization_id = $3 where id = $1 and cycle = $2`, [
    ...[id, cycle, authorizationId],
  ]);
  return authorizationId;
}

/** @returns the authorization that the dead process has sent; null if none arrived, so that the caller may send */
async function findSent(
  db: Pool,
  calls: ServiceCalls,
  { id, paymentId, cycle }: Pick<Cycle, 'id' | 'paymentId' | 'cycle'>,
  known: ReadonlySet<string>,
): Promise<string | null> {
  for (;;) {
    const { rows } = await db.query<{ is_settled: boolean }>(
      `select sending_at < clock_timestamp() - $3 * interval '1 millisecond' as is_settled
       from attempts where id = $1 and cycle = $2`,
      [id, cycle, SETTLED_AFTER],
    );
    const sent = (await calls.list(paymentId)).find((each) => !known.has(each.id));
    if (sent !== undefined) return sent.id;
    if (rows[0]?.is_settled === true) break;
    await pause(BETWEEN_POLLS);
  }
  await db.query('update attempts set sending_at = clock_timestamp() where id = $1 and cycle = $2', [id, cycle]);
  return null;
}

/** Polls until the debit is booked; two calls if it is booked already. @returns the capture's id */
export async function untilBooked(calls: ServiceCalls, paymentId: string, authorizationId: string): Promise<string> {
  for (;;) {
    const listed = await calls.list(paymentId);
    const isFinal = listed.some((each) => each.id === authorizationId && each.isFinal);
    const captureId = isFinal ? await calls.booked(paymentId, authorizationId) : null;
    if (captureId !== null) return captureId;
    await pause(BETWEEN_POLLS);
  }
}

/** Records in one statement that the cycle is collected and when the next one is due. */
export async function finishCycle(
  db: Pool | PoolClient,
  { id, cycle, interval }: Pick<BareInput, 'id' | 'cycle' | 'interval'>,
  captureId: string,
): Promise<void> {
  await db.query(
    `with won as (
       update attempts set state = 'collected', capture_id = $3, collected_at = clock_timestamp()
       where id = $1 and cycle = $2
     )
     update subscriptions set next_cycle = $2 + 1, due_at = due_at + $4 * interval '1 millisecond' where id = $1`,
    [id, cycle, captureId, interval],
  );
}

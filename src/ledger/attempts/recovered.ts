import type { Pool } from 'pg';
import type { AuthorizationId, PaymentId } from '../../domain/ids';
import { type Instant, toIso } from '../../domain/time';
import { type Db, inTransaction, readRecords } from '../database';
import { DUEDAY, insertEvent } from '../trail';
import { IS_UNDER_WAY } from './any-send';
import { ATTEMPT_COLUMNS, type AttemptRecord } from './attempts';
import { findObstacle, insertSend, type NewSend, openCycle } from './sends';

/** An attempt that the ledger lost in a restore, as the service shows it. */
export interface RecoveredAttempt extends Omit<NewSend, 'at' | 'knownIds' | 'revision' | 'grounds'> {
  readonly authorizationId: AuthorizationId;
  /** When the service made it. */
  readonly createdAt: Instant;
  /** Business time of the entry in the trail. */
  readonly enteredAt: Instant;
}

/**
 * Enters an attempt that was sent before the ledger was restored: its row stands without an outcome, and no POST follows.
 * @returns null where the ledger has an attempt by now that speaks against it, or the cycle is over.
 */
export async function enterRecovered(pool: Pool, found: RecoveredAttempt): Promise<AttemptRecord | null> {
  return inTransaction(pool, async (db) => {
    const { createdAt, enteredAt, authorizationId, ...made } = found;
    const { subscriptionId, cycle, attempt, amount, dueAt } = made;
    await db.query('select from subscriptions where subscription_id = $1 for update', [subscriptionId]);
    const send = { ...made, at: createdAt, knownIds: [] };
    if ((await findObstacle(db, send)) !== null || (await openCycle(db, send)) !== 'collecting') return null;
    const row = await insertSend(db, send);
    const about = { cycle, attempt, send: row.send, amount, dueAt: toIso(dueAt) };
    await insertEvent(db, {
      subscriptionId,
      at: enteredAt,
      actor: DUEDAY,
      type: 'attempt.recovered',
      data: { ...about, authorizationId, createdAt: toIso(createdAt) },
    });
    return row;
  });
}

/** The sends of a payment whose end the ledger does not have: in doubt, or pending. */
export async function openSends(db: Db, paymentId: PaymentId): Promise<readonly AttemptRecord[]> {
  return readRecords(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where payment_id = $1 and state ${IS_UNDER_WAY} order by cycle, attempt, send`,
    [paymentId],
  );
}

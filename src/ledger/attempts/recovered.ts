import type { Pool } from 'pg';
import type { AuthorizationId, PaymentId } from '../../domain/ids';
import { type Instant, toIso } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, readRecords } from '../sql/statements';
import { IS_NOT_FINAL } from '../rows/any-send';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';
import { isOver, readSendContext } from './send-context';
import { type NewSend, writeSend } from './sends';
import { beginWithLock } from '../rows/subscription';

/** An attempt that the ledger lost in a restore, as the service shows it. */
export interface RecoveredAttempt extends Omit<NewSend, 'at' | 'knownIds' | 'revision' | 'grounds'> {
  readonly authorizationId: AuthorizationId;
  /** When the service created it. */
  readonly createdAt: Instant;
  /** Business time of the entry in the audit log. */
  readonly enteredAt: Instant;
}

/**
 * Enters an attempt that was sent before the ledger was restored: its row has no outcome yet, and no POST follows.
 * @returns null if the ledger now has an attempt that conflicts with it, or the cycle has ended.
 */
export async function enterRecovered(pool: Pool, found: RecoveredAttempt): Promise<AttemptRecord | null> {
  const { createdAt, enteredAt, authorizationId, ...made } = found;
  const enter = async (db: Db) => {
    const { cycle, attempt, amount, dueAt } = made;
    const context = await readSendContext(db, made);
    if (context.isBlocked || isOver(context.cycleStatus)) return null;
    const about = { cycle, attempt, send: context.send, amount, dueAt: toIso(dueAt) };
    const data = { ...about, authorizationId, createdAt: toIso(createdAt) };
    const send = { ...made, at: createdAt, knownIds: [] };
    return writeSend(db, send, context, { at: enteredAt, type: 'attempt.recovered', data });
  };
  return inTransaction(pool, enter, beginWithLock(found.subscriptionId));
}

/** The sends of a payment that are not final: pending, or with an unknown outcome. */
export async function openSends(db: Db, paymentId: PaymentId): Promise<readonly AttemptRecord[]> {
  return readRecords(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where payment_id = $1 and state ${IS_NOT_FINAL} order by cycle, attempt, send`,
    [paymentId],
  );
}

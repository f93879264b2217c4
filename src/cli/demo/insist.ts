import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../domain/time';
import type { OperationId } from '../../client';
import { type Access, ApiUnavailableError, ask, type Asked } from '../api/call';
import { CommandError } from '../../process/command-error';

/** Real ms between two tries. */
const WAIT = SECOND;
/** Real ms after which an API that is still unavailable counts as failed. */
const TIMEOUT = 60 * SECOND;

/**
 * Makes one call, and repeats it with the same Idempotency-Key while the API is not ready, as the integration guide recommends. On
 * a busy machine the ledger may not answer in time.
 * @throws CommandError as {@link ask} does
 */
export async function insist<Answer>(
  admin: Access,
  operation: OperationId,
  asked: Partial<Asked> = {},
): Promise<Answer> {
  const idempotencyKey = randomUUID();
  const timesOutAt = performance.now() + TIMEOUT;
  for (;;) {
    try {
      return await ask<Answer>(admin, operation, { ...asked, idempotencyKey });
    } catch (error) {
      if (!mayPass(error) || performance.now() > timesOutAt) throw error;
      await pause(WAIT);
    }
  }
}

function mayPass(error: unknown): boolean {
  const isStillRunning = error instanceof CommandError && error.message.startsWith('idempotency_in_progress');
  return isStillRunning || error instanceof ApiUnavailableError;
}

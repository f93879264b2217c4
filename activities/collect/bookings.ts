import type { Instant } from '../../src/domain/time';
import type { Outcome } from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';

/** How an authorization that went through has ended. */
export type Booked = Extract<Outcome, { state: 'successful' | 'capture_failed' }>;

/**
 * What an authorization that went through has come to; null while its capture is pending.
 * @param nextDueAt of the subscription; absent where that stays as it is, because later cycles have moved it
 */
export function outcomeOfBooking(
  { authorizationId, createdAt }: Pick<Authorization, 'authorizationId' | 'createdAt'>,
  listed: readonly Capture[],
  nextDueAt: Instant | null | undefined,
): Booked | null {
  const captures = listed.filter((each) => each.authorizationId === authorizationId);
  const booked = captures.find((each) => each.status === 'successful');
  if (booked !== undefined) {
    const { captureId } = booked;
    return {
      state: 'successful',
      authorizationId,
      captureId,
      createdAt,
      ...(nextDueAt === undefined ? {} : { nextDueAt }),
    };
  }
  const failed = captures.find((each) => each.status === 'failed');
  if (failed === undefined || captures.some((each) => each.status !== 'failed')) return null;
  const { captureId, detail = 'CAPTURE_FAILED' } = failed;
  return { state: 'capture_failed', authorizationId, captureId, detail, createdAt };
}

/** What an authorization that did not go through has come to. */
export function outcomeOfRefusal(authorization: Authorization): Outcome {
  const {
    authorizationId,
    createdAt,
    status,
    detail = `AUTHORIZATION_${status.toUpperCase()}`,
    description = '',
  } = authorization;
  const state = detail === 'AUTHORIZATION_REJECTION_RETRYABLE' ? 'rejected_retryable' : 'rejected';
  return { state, authorizationId, createdAt, detail, description };
}

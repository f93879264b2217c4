import type { CaptureId } from '../ids';
import type { Settled } from './action';
import type { Shown, ShownCapture } from './attempt';

/** How an authorization that went through has ended. */
type Booked = Extract<Settled, { state: 'successful' | 'capture_failed' }>;

/** What an authorization that went through has come to; null while its capture is pending. */
export function outcomeOfBooking(
  { id, createdAt }: Pick<Shown, 'id' | 'createdAt'>,
  listed: readonly ShownCapture[],
): Booked | null {
  const captures = listed.filter((each) => each.authorizationId === id);
  const booked = captures.find((each) => each.status === 'successful');
  if (booked !== undefined) return { state: 'successful', id, createdAt, captureId: booked.captureId as CaptureId };
  const failed = captures.find((each) => each.status === 'failed');
  if (failed === undefined || captures.some((each) => each.status !== 'failed')) return null;
  const { captureId, detail = 'CAPTURE_FAILED' } = failed;
  return { state: 'capture_failed', id, createdAt, captureId: captureId as CaptureId, detail };
}

/** What an authorization that did not go through has come to. */
export function outcomeOfRefusal(made: Shown): Extract<Settled, { state: 'refused' }> {
  const { status, detail = `AUTHORIZATION_${status.toUpperCase()}`, description = '' } = made;
  const retryable = detail === 'AUTHORIZATION_REJECTION_RETRYABLE';
  return { state: 'refused', detail, description, retryable, made };
}

import type { PaymentActivities } from '../../src/contract/payments';
import type { PaymentStepInput, Step } from '../../src/contract/steps';
import { slowWait } from '../../src/domain/attempt/waits';
import { HOUR, realDelay } from '../../src/domain/time';
import {
  applyPaymentChange,
  openReleaseItem,
  expirePayment,
  getPaymentOfRequest,
  type PaymentRecord,
} from '../../src/ledger';
import type { Authorization, ServiceResult } from '../../src/payment-service';
import { requestPayment } from '../consent/request';
import type { Dependencies } from '../dependencies';
import { refuseWhileRestored } from '../guards';
import { activityAge, describe, retryAfter, tryAgain, withHeartbeat } from '../stops';
import { decidePayment } from './decide';
import { checkPayment, followPayment } from './follow';

/** Real ms after which an operator is notified of an unconfirmed release; after a refusal, this happens at once. */
const NOTIFY_AFTER = HOUR;

/**
 * Releases the authorization and polls until the service confirms the release, or until the deadline, when the uncaptured
 * amount expires. Repeating the DELETE has no effect after the release, so no "sending" row is needed.
 */
export async function releasePayment(deps: Dependencies, input: PaymentStepInput): Promise<Step> {
  const payment = await getPaymentOfRequest(deps.ledger, input.requestId);
  if (payment !== null && mustBeReleased(payment)) await release(deps, payment);
  return decidePayment(deps, input);
}

function mustBeReleased({ releaseOrderedAt, releasedAt, expiredAt }: PaymentRecord): boolean {
  return releaseOrderedAt !== null && releasedAt === null && expiredAt === null;
}

async function release(deps: Dependencies, payment: PaymentRecord): Promise<void> {
  const { paymentId, authorization } = payment;
  if (authorization === null) throw new Error(`payment ${paymentId} has no authorization to release`);
  await refuseWhileRestored(deps);
  const released = await deps.service.release(paymentId, authorization.authorizationId);
  const listed = await deps.service.listAuthorizations(paymentId);
  const status = statusOf(listed, authorization.authorizationId);
  if (status === 'released') return markReleased(deps, payment);
  const left = untilDeadline(deps, payment);
  if (status === 'expired' || left === 0) return expirePayment(deps.ledger, paymentId, deps.clock.now());
  const reason = `DELETE: ${describe(released)}; the authorization reads: ${status ?? describe(listed)}`;
  const age = activityAge(deps.clock);
  const isRefused = released.kind === 'rejected' && status !== null;
  if (isRefused || age >= NOTIFY_AFTER) await notifyOperator(deps, { paymentId, serviceState: status, reason });
  const wait = Math.max(slowWait(age, deps.clock.setting), retryAfter(released), retryAfter(listed));
  throw tryAgain('service_unreadable', reason, Math.min(wait, left));
}

async function notifyOperator(
  { ledger, clock, log }: Dependencies,
  unconfirmed: Omit<Parameters<typeof openReleaseItem>[1], 'at'>,
): Promise<void> {
  log.warn(unconfirmed, 'payment.release_unresolved');
  await openReleaseItem(ledger, { ...unconfirmed, at: clock.now() });
}

/** Real ms until nothing more can be captured. */
function untilDeadline({ clock }: Dependencies, { captureBy }: PaymentRecord): number {
  return captureBy === null ? Infinity : realDelay(clock.setting, clock.realNow(), captureBy);
}

async function markReleased({ ledger, clock }: Dependencies, { paymentId }: PaymentRecord): Promise<void> {
  const at = clock.now();
  const event = { type: 'payment.released', data: {} } as const;
  await applyPaymentChange(ledger, { paymentId, at, event, patch: { releasedAt: at } });
}

function statusOf(
  listed: ServiceResult<readonly Authorization[]>,
  authorizationId: string,
): Authorization['status'] | null {
  if (listed.kind !== 'accepted') return null;
  return listed.value.find((each) => each.authorizationId === authorizationId)?.status ?? null;
}

/** The activities for Single Immediate and Event Dependent payments. */
export function paymentActivities(deps: Dependencies): PaymentActivities {
  return {
    decidePayment: (input) => decidePayment(deps, input),
    requestPayment: (input) => withHeartbeat(() => requestPayment(deps, input)),
    followPayment: (input) => withHeartbeat(() => followPayment(deps, input)),
    releasePayment: (input) => withHeartbeat(() => releasePayment(deps, input)),
    checkPayment: (input) => withHeartbeat(() => checkPayment(deps, input)),
  };
}

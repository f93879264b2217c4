import type { FollowedPayment, PaymentReference, PaymentActivities } from '../../src/contract/payments';
import type { NoticeId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DEADLINE_NOTICE, liveCaptures, remainingOf, sumOf } from '../../src/domain/payment/payment';
import { HOUR, type Instant, realDelay, toIso } from '../../src/domain/time';
import {
  applyPaymentChange,
  awaitRelease,
  capturableOf,
  type PaymentRecord,
  discardDraft,
  openCaptures,
} from '../../src/ledger';
import type { Authorization, ServiceResult } from '../../src/payment-service';
import { requestPayment } from '../consent/request';
import type { Dependencies } from '../dependencies';
import { captureOrder, capturePayment, transitOf } from '../orders/capture-payment';
import { executeOrder } from '../orders/execute';
import { notOrdered } from '../orders/order';
import { refuseWhileRestored } from '../guards';
import { activityAge, patientPause, tryAgain, describe, retryAfter, withHeartbeat } from '../stops';
import { followed, paymentOnRecord, followPayment, lookAtPayment } from './follow';

/** Notifies the merchant of the deadline where money is left uncaptured, once (rule 26). */
export async function announceDeadline(deps: Dependencies, { paymentId }: PaymentReference): Promise<NoticeId | null> {
  const payment = await paymentOnRecord(deps, paymentId);
  const { captureBy } = payment;
  if (captureBy === null) return null;
  requireReached(deps, captureBy - DEADLINE_NOTICE);
  const remaining = remainingOf(capturableOf(payment));
  if (remaining.value === 0) return null;
  const data = { remaining, captureBy: toIso(captureBy) };
  const { noticeId } = await applyPaymentChange(deps.ledger, {
    paymentId,
    at: deps.clock.now(),
    event: { type: 'payment.deadline_near', data },
    notice: { type: 'capture.deadline_near', data },
  });
  return noticeId;
}

/** Real ms without a release, after which that is for a person too; a refusal is at once. */
const UNRELEASED_FOR_LONG = HOUR;

/**
 * Releases what was authorized, and asks until the service says so, or until the deadline: then what is left expires. A DELETE
 * changes nothing that is released already: it may be repeated, and needs no row of its own.
 */
export async function releasePayment(deps: Dependencies, { paymentId }: PaymentReference): Promise<FollowedPayment> {
  const payment = await paymentOnRecord(deps, paymentId);
  const { authorization } = payment;
  if (payment.releasedAt !== null || payment.expiredAt !== null) return followed(payment);
  if (payment.releaseOrderedAt === null) throw notOrdered('release', paymentId);
  if (authorization === null) throw new Error(`payment ${paymentId} has no authorization to release`);
  await refuseWhileRestored(deps);
  const released = await deps.service.release(paymentId, authorization.authorizationId);
  const listed = await deps.service.listAuthorizations(paymentId);
  const status = statusOf(listed, authorization.authorizationId);
  if (status === 'released') return followed(await markReleased(deps, payment));
  const left = untilDeadline(deps, payment);
  if (status === 'expired' || left === 0) return followed(await markExpired(deps, payment));
  const reason = `DELETE: ${describe(released)}; the authorization reads: ${status ?? describe(listed)}`;
  const age = activityAge(deps.clock);
  const isRefused = released.kind === 'rejected' && status !== null;
  if (isRefused || age >= UNRELEASED_FOR_LONG) await callPerson(deps, { paymentId, reads: status, reason });
  const pause = Math.max(patientPause(age, deps.clock), retryAfter(released), retryAfter(listed));
  throw tryAgain('service_unreadable', reason, Math.min(pause, left));
}

async function callPerson(
  { ledger, clock, log }: Dependencies,
  unmade: Omit<Parameters<typeof awaitRelease>[1], 'at'>,
): Promise<void> {
  log.warn(unmade, 'payment.release_unresolved');
  await awaitRelease(ledger, { ...unmade, at: clock.now() });
}

/** Real ms until nothing can be captured any more. */
function untilDeadline({ clock }: Dependencies, { captureBy }: PaymentRecord): number {
  return captureBy === null ? Infinity : realDelay(clock.setting, clock.realNow(), captureBy);
}

/** The deadline has passed: what was ordered is settled first, a capture that never left fails, and the rest expires. */
export async function expirePayment(deps: Dependencies, { paymentId }: PaymentReference): Promise<FollowedPayment> {
  const payment = await paymentOnRecord(deps, paymentId);
  if (payment.captureBy !== null) requireReached(deps, payment.captureBy);
  const transit = await transitOf(deps, paymentId);
  for (const capture of openCaptures(payment)) {
    await executeOrder(deps, captureOrder(deps, payment, capture, transit));
  }
  return followed(await markExpired(deps, await paymentOnRecord(deps, paymentId)));
}

/** The ledger says when, whatever the clock of the machine that runs the workflow: a caller that is early comes back then. */
function requireReached({ clock }: Dependencies, instant: Instant): void {
  if (clock.now() >= instant) return;
  throw tryAgain('clocks_differ', `before ${toIso(instant)}`, realDelay(clock.setting, clock.realNow(), instant));
}

async function markReleased({ ledger, clock }: Dependencies, { paymentId }: PaymentRecord): Promise<PaymentRecord> {
  const at = clock.now();
  const event = { type: 'payment.released', data: {} } as const;
  return (await applyPaymentChange(ledger, { paymentId, at, event, patch: { releasedAt: at } })).payment;
}

/** Nothing expires of what is captured to the end, or released. */
async function markExpired({ ledger, clock }: Dependencies, payment: PaymentRecord): Promise<PaymentRecord> {
  const { paymentId, captureBy } = payment;
  const facts = capturableOf(payment);
  if (payment.expiredAt !== null || payment.releasedAt !== null || captureBy === null) return payment;
  if (remainingOf(facts).value === 0 && liveCaptures(facts).length > 0) return payment;
  const at = clock.now();
  const captured = euros(sumOf(facts.captures.filter(({ state }) => state === 'successful')));
  const event = { type: 'payment.expired', data: { captureBy: toIso(captureBy), captured } } as const;
  return (await applyPaymentChange(ledger, { paymentId, at, event, patch: { expiredAt: at } })).payment;
}

function statusOf(
  listed: ServiceResult<readonly Authorization[]>,
  authorizationId: string,
): Authorization['status'] | null {
  if (listed.kind !== 'accepted') return null;
  return listed.value.find((each) => each.authorizationId === authorizationId)?.status ?? null;
}

/** What concerns Single Immediate and Event Dependent payments. */
export function paymentActivities(deps: Dependencies): PaymentActivities {
  return {
    requestPayment: ({ requestId }) => withHeartbeat(() => requestPayment(deps, requestId)),
    discardPayment: ({ requestId }) => discardDraft(deps.ledger, 'payments', requestId),
    followPayment: (input) => withHeartbeat(() => followPayment(deps, input)),
    lookAtPayment: (input) => withHeartbeat(() => lookAtPayment(deps, input)),
    capturePayment: (input) => capturePayment(deps, input),
    releasePayment: (input) => withHeartbeat(() => releasePayment(deps, input)),
    announceDeadline: (input) => announceDeadline(deps, input),
    expirePayment: (input) => expirePayment(deps, input),
  };
}

import type { PaymentChecked, PaymentReference } from '../../src/contract/payments';
import type { PaymentStepInput, Step } from '../../src/contract/steps';
import { slowPause } from '../../src/domain/attempt/pauses';
import { euros } from '../../src/domain/money';
import { captureDeadline } from '../../src/domain/payment/payment';
import { CONSENT_SESSION } from '../../src/domain/subscription/state';
import { HOUR, type Instant, scaledTimeout, toIso } from '../../src/domain/time';
import {
  applyPaymentChange,
  awaitConsent,
  type PaymentPatch,
  type PaymentRecord,
  getPaymentOfRequest,
  insertEvent,
  raisePaymentRevision,
  requirePayment,
} from '../../src/ledger';
import { type Authorization, type Capture, type ServiceResult, unknown } from '../../src/payment-service';
import { pauseInSession, UNSETTLED_AFTER } from '../consent/request';
import type { Dependencies } from '../dependencies';
import { decidePayment } from './decide';
import { type Stop, tryAgain, describe, retryAfter } from '../stops';

/** Asks for consent, authorization and booking until each is final, and keeps what it hears in the ledger. */
export async function followPayment(deps: Dependencies, input: PaymentStepInput): Promise<Step> {
  const payment = await getPaymentOfRequest(deps.ledger, input.requestId);
  const came = payment === null ? CAME : await lookOnce(deps, payment);
  if (payment === null || came.kind === 'come') return decidePayment(deps, input);
  const { stop, message, atLeast } = came;
  throw tryAgain(stop, message, Math.max(await pauseAfter(deps, payment, came), atLeast));
}

/**
 * An hour after its session the payer's answer is for an operator, and asked for no more than hourly (rule 41); what the bank
 * has yet to decide is asked for ever more rarely (rule 10). Real ms.
 */
async function pauseAfter(
  { ledger, clock }: Dependencies,
  { paymentId, consent }: PaymentRecord,
  { isConsentOpen, message }: Waiting,
): Promise<number> {
  const age = clock.realNow() - consent.requestedRealAt;
  if (age < CONSENT_SESSION) return pauseInSession(age);
  if (!isConsentOpen) return slowPause(age - CONSENT_SESSION, clock.setting);
  if (age < CONSENT_SESSION + UNSETTLED_AFTER) return pauseInSession(age);
  await awaitConsent(ledger, { paymentId, reason: message, at: clock.now() });
  return scaledTimeout(clock.setting, HOUR);
}

/** One check: the payer has arrived at returnURL, or an operator wants to know. What it changes is in the ledger by its end. */
export async function checkPayment(deps: Dependencies, { paymentId }: PaymentReference): Promise<PaymentChecked> {
  const before = await requirePayment(deps.ledger, paymentId);
  const came = await lookOnce(deps, before);
  const after = await requirePayment(deps.ledger, paymentId);
  const changed = isSame(before, after) ? null : await raisePaymentRevision(deps.ledger, paymentId);
  const isUnread = came.kind === 'waits' && came.stop === 'service_unreadable';
  return { changed, ...(isUnread ? { unavailable: came.message } : {}) };
}

/** Of what its workflow goes by. */
function isSame(before: PaymentRecord, after: PaymentRecord): boolean {
  return before.status === after.status && before.consent.status === after.consent.status;
}

const CAME = { kind: 'come' } as const;

type Look = typeof CAME | Waiting;

interface Waiting {
  readonly kind: 'waits';
  readonly stop: Stop;
  readonly message: string;
  /** Real ms. */
  readonly atLeast: number;
  /** Whether it is the payer's answer that is waited for. */
  readonly isConsentOpen: boolean;
}

async function lookOnce(deps: Dependencies, onRecord: PaymentRecord): Promise<Look> {
  let payment = onRecord;
  if (payment.consent.status === 'pending') {
    const look = await lookAtConsent(deps, payment);
    if (look.kind === 'waits') return { ...look, isConsentOpen: true };
    if (look.kind !== 'known') return look;
    payment = look.payment;
  }
  if (payment.consent.status !== 'successful') return CAME;
  if (isUndecided(payment)) {
    const look = await lookAtAuthorization(deps, payment);
    if (look.kind !== 'known') return look;
    payment = look.payment;
  }
  if (payment.plan === 'SINGLE' && payment.status === 'authorized') return lookAtBooking(deps, payment);
  return CAME;
}

type Known = Look | { readonly kind: 'known'; readonly payment: PaymentRecord };

/** "No payer approval within 10 minutes": the service ends the session itself. */
async function lookAtConsent(deps: Dependencies, { paymentId }: PaymentRecord): Promise<Known> {
  const answer = await deps.service.getConsent(paymentId);
  if (answer.kind !== 'accepted') return unreadable('consent', answer);
  const { status, reason = null } = answer.value;
  const at = deps.clock.now();
  if (status === 'pending') return pending('the payer has not answered yet');
  const patch: PaymentPatch = { consent: { status, reason } };
  if (status === 'successful') {
    const event = { type: 'payment.consent_granted', data: {} } as const;
    return { kind: 'known', ...(await applyPaymentChange(deps.ledger, { paymentId, at, patch, event })) };
  }
  const event = { type: 'payment.consent_failed', data: { reason } } as const;
  const notice = { type: 'consent.failed', data: { reason } } as const;
  await applyPaymentChange(deps.ledger, { paymentId, at, patch, event, notice });
  return CAME;
}

async function lookAtAuthorization(deps: Dependencies, payment: PaymentRecord): Promise<Known> {
  const { paymentId } = payment;
  const listed = await deps.service.listAuthorizations(paymentId);
  if (listed.kind !== 'accepted') return unreadable('authorizations', listed);
  const known = payment.authorization?.authorizationId;
  const found = listed.value.find((each) => each.authorizationId === known) ?? newestOf(listed.value);
  // What a list that does not show everything lacks may be the newest one (rule 39).
  if (listed.incomplete !== undefined && found?.authorizationId !== known) {
    return incompleteList('authorizations', listed.incomplete);
  }
  if (found === undefined) return pending('the service shows no authorization yet');
  await reportUnknownStatus(deps, payment, { authorizationId: found.authorizationId }, found);
  const at = deps.clock.now();
  if (found.status === 'pending' && payment.authorization !== null) return pending(NOT_DECIDED);
  const change = found.status === 'pending' ? { patch: seen(found) } : authorizationChange(payment, found, at);
  const changed = await applyPaymentChange(deps.ledger, { paymentId, at, ...change, onlyIf: isUndecided });
  return isUndecided(changed.payment) ? pending(NOT_DECIDED) : { kind: 'known', payment: changed.payment };
}

const NOT_DECIDED = 'the authorization is pending';

/** Two may look at once, and what the slower one heard is old: what is decided stays. */
function isUndecided({ authorization }: PaymentRecord): boolean {
  return authorization === null || authorization.state === 'pending';
}

/** Shown, though nothing is decided by it. */
function seen({ authorizationId, createdAt }: Authorization): PaymentPatch {
  return { authorization: { authorizationId, createdAt, state: 'pending', detail: null, description: null } };
}

function authorizationChange(payment: PaymentRecord, found: Authorization, at: number) {
  const { authorizationId, createdAt, amount, detail = null, description = null } = found;
  const authorization = { authorizationId, createdAt, detail, description };
  if (found.status === 'failed') {
    return {
      patch: { authorization: { ...authorization, state: 'failed' as const } },
      event: { type: 'payment.failed' as const, data: { authorizationId, detail, description } },
    };
  }
  const timeToCapture = found.timeToCapture ?? payment.timeToCapture;
  const captureBy =
    payment.plan === 'SINGLE' || timeToCapture === null ? undefined : captureDeadline(createdAt, timeToCapture);
  const ended = endOf(found, captureBy, at);
  return {
    patch: {
      authorization: { ...authorization, state: 'successful' as const },
      ...(captureBy === undefined ? {} : { captureBy }),
      ...ended.patch,
    },
    event: {
      type: 'payment.authorized' as const,
      data: { authorizationId, amount, ...(captureBy === undefined ? {} : { captureBy: toIso(captureBy) }) },
    },
    followedBy: ended.event,
  };
}

/** Where it had ended before it was first seen; nothing can have been captured of it then. */
function endOf({ status }: Authorization, captureBy: Instant | undefined, at: Instant) {
  if (status === 'released')
    return { patch: { releasedAt: at }, event: { type: 'payment.released', data: {} } } as const;
  if (status !== 'expired') return {};
  const patch = { expiredAt: at };
  if (captureBy === undefined) return { patch };
  const data = { captureBy: toIso(captureBy), captured: euros(0) };
  return { patch, event: { type: 'payment.expired', data } } as const;
}

/** "Once the payer's bank authorizes, the full amount is debited at once": the booking follows by itself. */
async function lookAtBooking(deps: Dependencies, payment: PaymentRecord): Promise<Look> {
  const { paymentId } = payment;
  const listed = await deps.service.listCaptures(paymentId);
  if (listed.kind !== 'accepted') return unreadable('captures', listed);
  const found = listed.value.find(({ status }) => status === 'successful') ?? newestOf(listed.value);
  if (listed.incomplete !== undefined && found?.status !== 'successful') {
    return incompleteList('captures', listed.incomplete);
  }
  if (found === undefined) return pending('the service shows no booking yet');
  await reportUnknownStatus(deps, payment, { captureId: found.captureId }, found);
  if (found.status === 'pending') return pending('the booking is pending');
  await applyPaymentChange(deps.ledger, {
    paymentId,
    at: deps.clock.now(),
    event: bookingEvent(found),
    patch: { booking: { captureId: found.captureId, state: found.status, createdAt: found.createdAt } },
  });
  return CAME;
}

/** A status that is not known counts as pending, and alerts (rule 41). */
async function reportUnknownStatus(
  { ledger, clock, log }: Dependencies,
  { paymentId }: PaymentRecord,
  id: { readonly authorizationId: string } | { readonly captureId: string },
  { unknownStatus: status }: Pick<Authorization | Capture, 'unknownStatus'>,
): Promise<void> {
  if (status === undefined) return;
  const type = 'payment.unknown_status';
  const data = { ...id, status };
  log.warn({ paymentId, ...data }, type);
  const changeKey = `${type}/${Object.values(id).join()}`;
  await insertEvent(ledger, {
    subscriptionId: null,
    paymentId,
    changeKey,
    at: clock.now(),
    actor: 'dueday',
    type,
    data,
  });
}

function bookingEvent({ captureId, amount, status, detail = 'CAPTURE_FAILED', description = '' }: Capture) {
  return status === 'successful'
    ? { type: 'payment.captured' as const, data: { captureId, amount } }
    : { type: 'payment.failed' as const, data: { captureId, detail, description } };
}

/** The service may list in any order (rule 39). */
function newestOf<T extends { readonly createdAt: Instant }>(records: readonly T[]): T | undefined {
  return records.reduce<T | undefined>(
    (newest, each) => (newest === undefined || each.createdAt >= newest.createdAt ? each : newest),
    undefined,
  );
}

function incompleteList(what: string, why: string): Look {
  return unreadable(what, unknown(`the list is incomplete: ${why}`));
}

function pending(message: string): Look {
  return { kind: 'waits', stop: 'pending', message, atLeast: 0, isConsentOpen: false };
}

function unreadable(what: string, answer: ServiceResult<unknown>): Look {
  const message = `${what}: ${describe(answer)}`;
  const atLeast = retryAfter(answer);
  return { kind: 'waits', stop: 'service_unreadable', message, atLeast, isConsentOpen: false };
}

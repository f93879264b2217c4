import type { PaymentChecked, PaymentReference } from '../../src/contract/payments';
import type { PaymentStepInput, Step } from '../../src/contract/steps';
import { slowWait } from '../../src/domain/attempt/waits';
import { euros } from '../../src/domain/money';
import { captureDeadline } from '../../src/domain/payment/payment';
import { CONSENT_SESSION } from '../../src/domain/subscription/state';
import { HOUR, type Instant, scaledTimeout, toIso } from '../../src/domain/time';
import {
  applyPaymentChange,
  openUnsettledItem,
  type PaymentPatch,
  type PaymentRecord,
  getPaymentOfRequest,
  insertEvent,
  raisePaymentRevision,
  requirePayment,
} from '../../src/ledger';
import { type Authorization, type Capture, type ServiceResult, unknown } from '../../src/payment-service';
import { waitInSession, UNSETTLED_AFTER } from '../consent/request';
import type { Dependencies } from '../dependencies';
import { decidePayment } from './decide';
import { type Stop, tryAgain, describe, retryAfter } from '../stops';

/** Polls consent, authorization and booking until each is final, and stores the answers in the ledger. */
export async function followPayment(deps: Dependencies, input: PaymentStepInput): Promise<Step> {
  const payment = await getPaymentOfRequest(deps.ledger, input.requestId);
  const result = payment === null ? DECIDED : await checkOnce(deps, payment);
  if (payment === null || result.kind === 'decided') return decidePayment(deps, input);
  const { stop, message, atLeast } = result;
  throw tryAgain(stop, message, Math.max(await waitAfter(deps, payment, result), atLeast));
}

/**
 * An hour after the session, a missing answer of the payer is handed to an operator and polled at most hourly (rule 41). A
 * pending decision of the bank, or a missing booking, is polled at growing intervals (rule 10), and handed over as well. Real ms.
 */
async function waitAfter(
  { ledger, clock }: Dependencies,
  { paymentId, consent }: PaymentRecord,
  { isConsentOpen, message }: Waiting,
): Promise<number> {
  const age = clock.realNow() - consent.requestedRealAt;
  if (age < CONSENT_SESSION) return waitInSession(age);
  const isLate = age >= CONSENT_SESSION + UNSETTLED_AFTER;
  const kind = isConsentOpen ? 'consent_unsettled' : 'payment_unsettled';
  if (isLate) await openUnsettledItem(ledger, kind, { paymentId, reason: message, at: clock.now() });
  if (!isConsentOpen) return slowWait(age - CONSENT_SESSION, clock.setting);
  return isLate ? scaledTimeout(clock.setting, HOUR) : waitInSession(age);
}

/** Checks once, when the payer has returned to returnURL or an operator requests a check. Any change is in the ledger when it returns. */
export async function checkPayment(deps: Dependencies, { paymentId }: PaymentReference): Promise<PaymentChecked> {
  const before = await requirePayment(deps.ledger, paymentId);
  const result = await checkOnce(deps, before);
  const after = await requirePayment(deps.ledger, paymentId);
  const changed = isSame(before, after) ? null : await raisePaymentRevision(deps.ledger, paymentId);
  const isUnread = result.kind === 'waits' && result.stop === 'service_unreadable';
  return { changed, ...(isUnread ? { unavailable: result.message } : {}) };
}

/** Whether everything that the payment's workflow depends on is unchanged. */
function isSame(before: PaymentRecord, after: PaymentRecord): boolean {
  return before.status === after.status && before.consent.status === after.consent.status;
}

const DECIDED = { kind: 'decided' } as const;

type PollResult = typeof DECIDED | Waiting;

interface Waiting {
  readonly kind: 'waits';
  readonly stop: Stop;
  readonly message: string;
  /** Real ms. */
  readonly atLeast: number;
  /** Whether the payer's answer is awaited. */
  readonly isConsentOpen: boolean;
}

async function checkOnce(deps: Dependencies, onRecord: PaymentRecord): Promise<PollResult> {
  let payment = onRecord;
  if (payment.consent.status === 'pending') {
    const polled = await checkConsentOnce(deps, payment);
    if (polled.kind === 'waits') return { ...polled, isConsentOpen: true };
    if (polled.kind !== 'known') return polled;
    payment = polled.payment;
  }
  if (payment.consent.status !== 'successful') return DECIDED;
  if (isUndecided(payment)) {
    const polled = await pollAuthorization(deps, payment);
    if (polled.kind !== 'known') return polled;
    payment = polled.payment;
  }
  if (payment.plan === 'SINGLE' && isUnbooked(payment)) return pollBooking(deps, payment);
  return DECIDED;
}

type CheckResult = PollResult | { readonly kind: 'known'; readonly payment: PaymentRecord };

/** "No payer approval within 10 minutes": the service ends the session itself. */
async function checkConsentOnce(deps: Dependencies, { paymentId }: PaymentRecord): Promise<CheckResult> {
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
  const change = { paymentId, at, patch, event, notice, onlyIf: isConsentPending };
  return { kind: 'known', ...(await applyPaymentChange(deps.ledger, change)) };
}

/** Whether a failed consent may be recorded. Two workers may poll concurrently: a failure never replaces a success (rule 37). */
function isConsentPending({ consent }: PaymentRecord): boolean {
  return consent.status === 'pending';
}

async function pollAuthorization(deps: Dependencies, payment: PaymentRecord): Promise<CheckResult> {
  const { paymentId } = payment;
  const listed = await deps.service.listAuthorizations(paymentId);
  if (listed.kind !== 'accepted') return unreadable('authorizations', listed);
  const known = payment.authorization?.authorizationId;
  const found =
    known === undefined ? newestOf(listed.value) : listed.value.find((each) => each.authorizationId === known);
  // An incomplete list may lack the newest record, or all; one that lacks a reported record settles nothing (rule 39).
  const gap =
    listed.incomplete ?? (known === undefined ? undefined : `it lacks ${known}, which was reported as pending`);
  if (gap !== undefined && (found === undefined || known === undefined)) return incompleteList('authorizations', gap);
  if (found === undefined) return pending('the service shows no authorization yet');
  await reportUnknownStatus(deps, payment, { authorizationId: found.authorizationId }, found);
  const contradicted = found.status === 'failed' && payment.plan === 'SINGLE' ? await checkRefusal(deps, found) : null;
  if (contradicted !== null) return contradicted;
  const at = deps.clock.now();
  if (found.status === 'pending' && payment.authorization !== null) return pending(NOT_DECIDED);
  const change =
    found.status === 'pending' ? { patch: pendingAuthorizationPatch(found) } : authorizationChange(payment, found, at);
  const changed = await applyPaymentChange(deps.ledger, { paymentId, at, ...change, onlyIf: isUndecided });
  return isUndecided(changed.payment) ? pending(NOT_DECIDED) : { kind: 'known', payment: changed.payment };
}

const NOT_DECIDED = 'the authorization is pending';

/** A refusal shown by a list counts only if no capture of the authorization is pending or successful (rule 37). */
async function checkRefusal(
  { service }: Dependencies,
  { paymentId, authorizationId }: Authorization,
): Promise<PollResult | null> {
  const listed = await service.listCaptures(paymentId, authorizationId);
  if (listed.kind !== 'accepted') return unreadable('captures', listed);
  const isLive = (each: Capture) => each.authorizationId === authorizationId && each.status !== 'failed';
  if (listed.value.some(isLive)) return pending('the authorization reads as failed, and has a capture');
  return listed.incomplete === undefined ? null : incompleteList('captures', listed.incomplete);
}

/** Whether the bank has not decided. Two workers may poll concurrently, and the slower answer may be old: a decision is final. */
function isUndecided({ authorization }: PaymentRecord): boolean {
  return authorization === null || authorization.state === 'pending';
}

/** A pending authorization: from now on, a list that lacks it settles nothing (rule 39). */
function pendingAuthorizationPatch({ authorizationId, createdAt }: Authorization): PaymentPatch {
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

/** The end of an authorization that had already ended when it was first seen: nothing can have been captured. */
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
async function pollBooking(deps: Dependencies, payment: PaymentRecord): Promise<PollResult> {
  const { paymentId } = payment;
  const listed = await deps.service.listCaptures(paymentId);
  if (listed.kind !== 'accepted') return unreadable('captures', listed);
  // Failed only if nothing else can succeed any more.
  const live = listed.value.filter(({ status }) => status !== 'failed');
  const found = live.find(({ status }) => status === 'successful') ?? newestOf(live) ?? newestOf(listed.value);
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
    onlyIf: found.status === 'failed' ? isUnbooked : undefined,
  });
  return DECIDED;
}

/** Whether no booking is recorded yet. A failure never replaces a success, as for consents (rule 37). */
function isUnbooked({ status }: PaymentRecord): boolean {
  return status === 'authorized';
}

/** An unknown status counts as pending and raises an alert (rule 41). */
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

/** The service may list in any order. */
function newestOf<T extends { readonly createdAt: Instant }>(records: readonly T[]): T | undefined {
  return records.reduce<T | undefined>(
    (newest, each) => (newest === undefined || each.createdAt >= newest.createdAt ? each : newest),
    undefined,
  );
}

function incompleteList(what: string, why: string): PollResult {
  return unreadable(what, unknown(`the list is incomplete: ${why}`));
}

function pending(message: string): PollResult {
  return { kind: 'waits', stop: 'pending', message, atLeast: 0, isConsentOpen: false };
}

function unreadable(what: string, answer: ServiceResult<unknown>): PollResult {
  const message = `${what}: ${describe(answer)}`;
  const atLeast = retryAfter(answer);
  return { kind: 'waits', stop: 'service_unreadable', message, atLeast, isConsentOpen: false };
}

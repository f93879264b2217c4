import type { PaymentStepInput, Step, StepInput } from '../../src/contract/steps';
import { HALTED } from '../../src/domain/attempt/action';
import { growingPause } from '../../src/domain/attempt/pauses';
import { CONSENT_SESSION } from '../../src/domain/subscription/state';
import { HOUR } from '../../src/domain/time';
import {
  answerDraft,
  type DraftAnswer,
  type DraftRef,
  markDraftSent,
  readHalt,
  openConsent,
  readDraft,
  type SubscriptionDraft,
  openPayment,
  type OpenedSession,
  type PaymentDraft,
  readPaymentDraft,
} from '../../src/ledger';
import type { PaymentRequest } from '../../src/payment-service';
import { decide, notifyOther } from '../decide';
import { decidePayment } from '../payment/decide';
import type { Dependencies } from '../dependencies';

interface SessionOrder {
  readonly draft: DraftRef;
  readonly request: PaymentRequest;
  readonly personal: Personal;
  /** Stores the session in the ledger. @returns false if the draft is gone or was replaced by another. */
  open(this: void, opened: OpenedSession): Promise<boolean>;
}

/**
 * Requests the consent of a draft, once: without a redirectURL the payer cannot approve it (rule 18). If the ledger already has
 * the session, or has given it up, the consent is not requested again. The answer is stored in the ledger.
 */
async function requestSession(deps: Dependencies, order: SessionOrder): Promise<void> {
  const { ledger, clock } = deps;
  if (!(await markDraftSent(ledger, order.draft, clock.realNow()))) return;
  const answer = await openSession(deps, order);
  if (answer !== null) await answerDraft(ledger, order.draft, answer);
}

/** Refused while all sending is halted. @returns null once the session is open. */
async function openSession(deps: Dependencies, order: SessionOrder): Promise<DraftAnswer | null> {
  if ((await readHalt(deps.ledger)) !== null) return { kind: 'unavailable', reason: HALTED };
  const requestedRealAt = deps.clock.realNow();
  const result = await deps.service.requestPayment(order.request);
  if (result.kind === 'rejected') {
    const { detail, description } = result.failure;
    return { kind: 'refused', detail, description: withoutPayer(description, order.personal) };
  }
  if (result.kind !== 'accepted') return { kind: 'unavailable', reason: result.reason };
  const { paymentId, redirectURL } = result.value;
  if (redirectURL === undefined) return { kind: 'unavailable', reason: 'the service returned no redirectURL' };
  const isOpen = await order.open({ paymentId, redirectURL, requestedRealAt, at: deps.clock.now() });
  return isOpen ? null : { kind: 'unavailable', reason: 'the draft is no longer in the ledger' };
}

/** Real ms after the end of the session after which a missing answer is handed to an operator (rule 41). */
export const UNSETTLED_AFTER = HOUR;

const MAX_PAUSE = 5_000;

/**
 * Short at first, as most payers answer soon; never long within the session; growing after it. Real ms.
 * @param age the age of the session
 */
export function pauseInSession(age: number): number {
  return age < CONSENT_SESSION ? Math.min(MAX_PAUSE, growingPause(age)) : growingPause(age - CONSENT_SESSION);
}

/** Requests the consent of a subscription's draft, see {@link requestSession}. */
export async function requestConsent(deps: Dependencies, input: StepInput): Promise<Step> {
  const { subscriptionId } = input;
  const draft = await readDraft(deps.ledger, subscriptionId);
  if (draft === null) return decide(deps, input);
  const { draftedRealAt } = draft;
  await requestSession(deps, {
    draft: { table: 'subscriptions', key: subscriptionId, draftedRealAt },
    request: subscriptionRequest(draft),
    personal: draft,
    open: (opened) => openForPayer(deps, { subscriptionId, draftedRealAt, ...opened }),
  });
  return decide(deps, input);
}

async function openForPayer(deps: Dependencies, opened: Parameters<typeof openConsent>[1]): Promise<boolean> {
  const result = await openConsent(deps.ledger, opened);
  if (result === null) return false;
  await notifyOther(deps, result.other);
  return true;
}

function subscriptionRequest(draft: SubscriptionDraft): PaymentRequest {
  return {
    useCase: 'SUBSCRIPTION',
    amount: draft.consentAmount,
    returnURL: draft.returnURL,
    billingAddress: draft.billingAddress,
    shippingAddress: draft.shippingAddress ?? undefined,
    repetition: draft.repetition,
    startAt: draft.startAt,
    firstPaymentAt: draft.firstPaymentAt,
    endAt: draft.endAt ?? undefined,
  };
}

/** Requests the consent of a one-time payment's draft, see {@link requestSession}. */
export async function requestPayment(deps: Dependencies, input: PaymentStepInput): Promise<Step> {
  const { requestId } = input;
  const draft = await readPaymentDraft(deps.ledger, requestId);
  if (draft === null) return decidePayment(deps, input);
  const { draftedRealAt } = draft;
  await requestSession(deps, {
    draft: { table: 'payments', key: requestId, draftedRealAt },
    request: paymentRequest(draft),
    personal: draft,
    open: (opened) => openPayment(deps.ledger, { requestId, draftedRealAt, ...opened }),
  });
  return decidePayment(deps, input);
}

function paymentRequest(draft: PaymentDraft): PaymentRequest {
  const common = {
    amount: draft.amount,
    returnURL: draft.returnURL,
    billingAddress: draft.billingAddress,
    shippingAddress: draft.shippingAddress ?? undefined,
  };
  if (draft.plan === 'SINGLE') return { useCase: 'SINGLE', ...common };
  const { partialCapture, multipleCapture } = draft;
  const timeToCapture = draft.timeToCapture ?? undefined;
  return { useCase: 'EVENT_DEPENDENT', ...common, timeToCapture, partialCapture, multipleCapture };
}

const MIN_PERSONAL_LENGTH = 3;

/** The fields that may hold personal data. */
interface Personal {
  readonly payer?: object;
  readonly billingAddress: object;
  readonly shippingAddress: object | null;
}

/** A refusal may quote the request, and is stored and returned to the caller: addresses are in one table only (rule 29). */
function withoutPayer(text: string, { payer, billingAddress, shippingAddress }: Personal): string {
  return [payer ?? {}, billingAddress, shippingAddress ?? {}]
    .flatMap((part): unknown[] => Object.values(part))
    .filter((value): value is string => typeof value === 'string' && value.trim().length >= MIN_PERSONAL_LENGTH)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '[masked]'), text);
}

import type { PaymentStepInput, Step, StepInput } from '../../src/contract/steps';
import { HALTED } from '../../src/domain/attempt/action';
import { growingWait } from '../../src/domain/attempt/waits';
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

interface WantedSession {
  readonly draft: DraftRef;
  readonly request: PaymentRequest;
  readonly personal: Personal;
  /** Stores the opened session in the ledger. @returns false if the draft is gone or another one has replaced it. */
  open(this: void, opened: OpenedSession): Promise<boolean>;
}

/**
 * Requests the consent of a draft and stores the answer in the ledger. The request is sent only once: if its answer is lost, so is
 * the redirectURL, and the payer cannot approve that consent (rule 18).
 */
async function requestSession(deps: Dependencies, wanted: WantedSession): Promise<void> {
  const { ledger, clock } = deps;
  if (!(await markDraftSent(ledger, wanted.draft, clock.realNow()))) return;
  const answer = await openSession(deps, wanted);
  if (answer !== null) await answerDraft(ledger, wanted.draft, answer);
}

/** Opens a session at the service and stores it, unless all sending is halted. @returns why it is not open; null if it is */
async function openSession(deps: Dependencies, wanted: WantedSession): Promise<DraftAnswer | null> {
  if ((await readHalt(deps.ledger)) !== null) return { kind: 'unavailable', reason: HALTED };
  const requestedRealAt = deps.clock.realNow();
  const result = await deps.service.requestPayment(wanted.request);
  if (result.kind === 'rejected') {
    const { detail, description } = result.failure;
    return { kind: 'refused', detail, description: withoutPayer(description, wanted.personal) };
  }
  if (result.kind !== 'accepted') return { kind: 'unavailable', reason: result.reason };
  const { paymentId, redirectURL } = result.value;
  if (redirectURL === undefined) return { kind: 'unavailable', reason: 'the service returned no redirectURL' };
  const isOpen = await wanted.open({ paymentId, redirectURL, requestedRealAt, at: deps.clock.now() });
  return isOpen ? null : { kind: 'unavailable', reason: 'the draft is no longer in the ledger' };
}

/** Real ms from the end of the session until a missing answer is handed to an operator (rule 41). */
export const UNSETTLED_AFTER = HOUR;

const MAX_WAIT = 5_000;

/**
 * The wait before the consent is read again, in real ms. It starts short, because most payers answer soon, and grows to
 * {@link MAX_WAIT} during the session. After the session it starts short again, and grows further.
 * @param age the age of the session
 */
export function waitInSession(age: number): number {
  return age < CONSENT_SESSION ? Math.min(MAX_WAIT, growingWait(age)) : growingWait(age - CONSENT_SESSION);
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

/** Masks the payer's data in a refusal, which may quote the request: addresses are stored in one table only (rule 29). */
function withoutPayer(text: string, { payer, billingAddress, shippingAddress }: Personal): string {
  return [payer ?? {}, billingAddress, shippingAddress ?? {}]
    .flatMap((part): unknown[] => Object.values(part))
    .filter((value): value is string => typeof value === 'string' && value.trim().length >= MIN_PERSONAL_LENGTH)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '[masked]'), text);
}

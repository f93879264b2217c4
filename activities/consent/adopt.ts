import type { AdoptInput, AdoptionResult } from '../../src/contract/activities';
import type { Step, StepInput } from '../../src/contract/steps';
import {
  type AdoptionFault,
  beganElsewhere,
  judgeAdoption,
  type Mandate,
} from '../../src/domain/subscription/adoption';
import type { SubscriptionId } from '../../src/domain/ids';
import { dueAt, firstCycleFrom } from '../../src/domain/subscription/schedule';
import { actorOf } from '../../src/domain/trail/event';
import { adoptDraft, answerDraft, findMandates, judgeGrant, readImportDraft } from '../../src/ledger';
import type { Consent, ServiceResult } from '../../src/payment-service';
import { decide, notifyOther } from '../decide';
import type { Dependencies } from '../dependencies';
import { activityAge, growingPause, tryAgain, describe, retryAfter } from '../stops';

/**
 * Real ms for which a service that cannot be read is asked again: the caller of the import waits, and may repeat it.
 */
const PATIENCE = 8_000;

/** Asks for a consent granted elsewhere. What is adopted already, or was refused, is not asked for again. */
export async function adoptConsent(deps: Dependencies, input: StepInput): Promise<Step> {
  const draft = await readImportDraft(deps.ledger, input.subscriptionId);
  if (draft === null) return decide(deps, input);
  const answer = await adopt(deps, draft);
  if (answer.kind !== 'adopted') await answerDraft(deps.ledger, draft, answer);
  return decide(deps, input);
}

async function adopt(deps: Dependencies, input: AdoptInput): Promise<AdoptionResult> {
  const { paymentId } = input;
  const consent = await deps.service.getConsent(paymentId);
  if (consent.kind !== 'accepted') return unread(deps, consent);
  const { status, reason } = consent.value;
  if (status !== 'successful') return refused(`a consent that is successful; got one that is ${status}`, reason);
  const mandate: Mandate = { ...input.terms, ...input, ...input.adoption };
  const listed = await deps.service.listAuthorizations(paymentId);
  if (listed.kind !== 'accepted') return unread(deps, listed);
  // What another system has collected ahead of a due date may be among those that are not shown (rule 40).
  if (listed.incomplete !== undefined) {
    return refused('a mandate whose authorizations the service lists completely', listed.incomplete);
  }
  const collected = beganElsewhere(mandate) || listed.value.some(({ status }) => status === 'successful');
  const verdict = judgeAdoption(mandate, mandateAtService(consent.value, collected));
  return verdict.kind === 'refused' ? verdict : take(deps, input, verdict.adopted);
}

type Unread = Exclude<ServiceResult<unknown>, { kind: 'accepted' }>;

/** Refused in the service's own words, or asked again for a little while, then given up. */
function unread({ clock }: Dependencies, answer: Unread): AdoptionResult {
  if (answer.kind === 'rejected') {
    const { detail, description } = answer.failure;
    return refused(`a payment that the service knows; it refused with ${detail}`, description);
  }
  const age = Math.max(0, activityAge(clock));
  const pause = Math.max(growingPause(age), retryAfter(answer));
  if (age + pause > PATIENCE) return { kind: 'unavailable', reason: describe(answer) };
  throw tryAgain('service_unreadable', `the mandate cannot be read: ${describe(answer)}`, pause);
}

function refused(what: string, reason: string | undefined): AdoptionResult {
  const fault: AdoptionFault = { path: 'paymentId', message: `expected ${what}${reason ? ` (${reason})` : ''}` };
  return { kind: 'refused', faults: [fault] };
}

function mandateAtService(consent: Consent, hasCollectedOnce: boolean) {
  return {
    consentAmount: consent.amount ?? null,
    repetition: consent.repetition ?? null,
    firstPaymentAt: consent.firstPaymentAt ?? null,
    endAt: consent.endAt ?? null,
    hasCollected: hasCollectedOnce,
  };
}

/** @throws Error where the draft was replaced this moment by another import of it: this activity runs again. */
async function take(
  deps: Dependencies,
  input: AdoptInput,
  adopted: Parameters<typeof adoptDraft>[1]['adopted'],
): Promise<AdoptionResult> {
  const { terms, paymentId, amount, adoption } = input;
  const { collectFrom } = adoption;
  const cycle = firstCycleFrom(terms, collectFrom);
  const taken = await adoptDraft(deps.ledger, {
    paymentId,
    terms,
    adopted,
    amount,
    cycle,
    dueAt: dueAt(terms, cycle),
    collectFrom,
    ...actorOf(adoption),
    at: deps.clock.now(),
  });
  if (taken !== null) {
    const { other, ...adopted } = taken;
    await notifyOther(deps, other);
    return { kind: 'adopted', ...adopted };
  }
  const lost = await judgeGrant(deps.ledger, terms.subscriptionId);
  if (lost !== null) return { kind: 'refused', faults: [{ path: 'replaces', message: replacedBy(lost.to) }] };
  const found = await findMandates(deps.ledger, { subscriptionId: terms.subscriptionId, paymentId });
  if (found.some(({ isDraft }) => isDraft)) throw new Error('the draft was replaced while it was adopted');
  return { kind: 'unavailable', reason: 'the draft of the subscription is gone from the ledger' };
}

function replacedBy(other: SubscriptionId | null): string {
  return `expected the id of a subscription that no other one replaces; got one that ${other ?? 'another'} replaces`;
}

import type { ConsentRequestResult } from '../src/contract/activities';
import { CONSENT_SESSION } from '../src/domain/subscription/state';
import type { PaymentId } from '../src/domain/ids';
import type { Instant } from '../src/domain/time';
import { readHalt } from '../src/ledger';
import type { PaymentRequest } from '../src/payment-service';
import type { Dependencies } from './dependencies';
import { growingPause, HALTED } from './failures';
import { type Personal, withoutPayer } from './without-payer';

/** What the service has opened for the payer. */
export interface OpenedSession {
  readonly paymentId: PaymentId;
  readonly redirectURL: string;
  /** Real time: the session's 10 minutes run from here. */
  readonly requestedRealAt: number;
  readonly at: Instant;
}

export interface SessionOrder {
  readonly request: PaymentRequest;
  readonly personal: Personal;
  /** Keeps it in the ledger. @returns false where the draft is gone, or another has taken its place. */
  open(this: void, opened: OpenedSession): Promise<boolean>;
  /** What the ledger has without the draft. */
  onRecord(this: void): Promise<ConsentRequestResult>;
}

/** Asks for the consent once; without a redirectURL nobody can approve it. Not while all sending is halted. */
export async function openSession(deps: Dependencies, order: SessionOrder): Promise<ConsentRequestResult> {
  if ((await readHalt(deps.ledger)) !== null) return { kind: 'unavailable', reason: HALTED };
  const requestedRealAt = deps.clock.realNow();
  const result = await deps.service.requestPayment(order.request);
  if (result.kind === 'rejected') {
    const { detail, description } = result.failure;
    return { kind: 'refused', detail, description: withoutPayer(description, order.personal) };
  }
  if (result.kind !== 'accepted') return { kind: 'unavailable', reason: result.reason };
  const { paymentId, redirectURL } = result.value;
  if (redirectURL === undefined) return { kind: 'unavailable', reason: 'the service named no redirectURL' };
  if (!(await order.open({ paymentId, redirectURL, requestedRealAt, at: deps.clock.now() }))) return order.onRecord();
  return { kind: 'requested', paymentId, requestedRealAt };
}

const MOST_PATIENT = 5_000;

/**
 * Within the session quick at first, when most payers answer, and never slow; after it slower and slower. Real ms.
 * @param age of the session
 */
export function pauseInSession(age: number): number {
  return age < CONSENT_SESSION ? Math.min(MOST_PATIENT, growingPause(age)) : growingPause(age - CONSENT_SESSION);
}

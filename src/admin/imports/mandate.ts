import { setTimeout as pause } from 'node:timers/promises';
import { type MandateVerdict, beganElsewhere, judgeMandate, type Mandate } from '../../domain/subscription/mandate';
import { SECOND } from '../../domain/time';
import type { MandateService } from '../dependencies';
import type { Authorization, Consent, ServiceResult } from '../../payment-service';

/** A mandate as the service reports it. */
interface MandateAtService {
  readonly consent: Consent;
  readonly authorizations: readonly Authorization[];
}

/** The service gave no usable answer. */
export interface Unreadable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

type Refusal = Extract<MandateVerdict, { kind: 'refused' }>;

const FIRST_WAIT = SECOND / 2;
const MAX_WAIT = 4 * SECOND;

/**
 * Reads a mandate from the service and judges it. What another system has collected ahead of a due date must not be collected
 * again, so the list of the mandate's authorizations has to be complete (rules 39, 40).
 * @param until on the clock of `performance.now`; unreadable answers are retried until then
 */
export async function checkMandate(
  service: MandateService,
  mandate: Mandate & { readonly paymentId: string },
  until: number,
): Promise<MandateVerdict | Unreadable> {
  const read = await readMandate(service, mandate.paymentId, until);
  if (read.kind !== 'read') return read;
  const { consent, authorizations } = read;
  const hasCollected = beganElsewhere(mandate) || authorizations.some(({ status }) => status === 'successful');
  return judgeMandate(mandate, {
    consentAmount: consent.amount ?? null,
    repetition: consent.repetition ?? null,
    firstPaymentAt: consent.firstPaymentAt ?? null,
    endAt: consent.endAt ?? null,
    hasCollected,
  });
}

async function readMandate(
  service: MandateService,
  paymentId: string,
  until: number,
): Promise<({ readonly kind: 'read' } & MandateAtService) | Refusal | Unreadable> {
  const consent = await untilReadable(() => service.getConsent(paymentId), until);
  if (consent.kind !== 'accepted') return unread(consent);
  const { status, reason } = consent.value;
  if (status !== 'successful') return refused(`a successful consent; got one that is ${status}`, reason);
  const listed = await untilReadable(() => service.listAuthorizations(paymentId), until);
  if (listed.kind !== 'accepted') return unread(listed);
  if (listed.incomplete !== undefined) {
    return refused('a mandate whose authorizations the service lists completely', listed.incomplete);
  }
  return { kind: 'read', consent: consent.value, authorizations: listed.value };
}

async function untilReadable<T>(ask: () => Promise<ServiceResult<T>>, until: number): Promise<ServiceResult<T>> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(MAX_WAIT, 2 * wait)) {
    const answer = await ask();
    if (answer.kind === 'accepted' || answer.kind === 'rejected') return answer;
    const next = Math.max(wait, answer.kind === 'not_sent' ? (answer.retryAfterMs ?? 0) : 0);
    if (performance.now() + next > until) return answer;
    await pause(next);
  }
}

/** The service's refusal, or that it gave no readable answer. */
function unread(answer: Exclude<ServiceResult<unknown>, { kind: 'accepted' }>): Refusal | Unreadable {
  if (answer.kind !== 'rejected') return { kind: 'unavailable', reason: answer.reason };
  const { detail, description } = answer.failure;
  return refused(`a payment that exists at the service; it answered ${detail}`, description);
}

function refused(what: string, reason: string | undefined): Refusal {
  const message = `expected ${what}${reason === undefined || reason === '' ? '' : ` (${reason})`}`;
  return { kind: 'refused', faults: [{ path: 'paymentId', message }] };
}

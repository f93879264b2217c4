import type { CollectInput, NotifyInput, NotifyResult } from '../../src/contract/activities';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import type { Instant } from '../../src/domain/time';
import type { CollectResult } from '../../src/domain/subscription/state';

/** One call of a scripted activity: what it was asked, when, and how it asks to be called again. */
export interface Call<Input> {
  readonly input: Input;
  /** Business time. */
  readonly now: Instant;
  /** Ends this call with a retryable failure, as the activities do while a matter is open. */
  readonly comeBackAt: (at: Instant) => never;
}

/** What becomes of an attempt that has reached the bank. */
export type Fate = (call: Call<CollectInput>) => CollectResult;

export type NoticeFate = (call: Call<NotifyInput>) => NotifyResult;

export const collected: Fate = ({ input, now }) => ({
  kind: 'collected',
  authorizationId: authorizationOf(input),
  captureId: captureOf(input),
  at: now,
});

/** The one refusal after which the payer may be asked again. */
export const rejected: Fate = ({ now }) => ({
  kind: 'rejected',
  at: now,
  detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
  description: 'insufficient funds',
  retryable: true,
});

export const rejectedFinally: Fate = ({ now }) => ({
  kind: 'rejected',
  at: now,
  detail: 'AUTHORIZATION_REJECTION',
  description: 'account closed',
  retryable: false,
});

export const captureFailed: Fate = ({ input, now }) => ({
  kind: 'capture_failed',
  authorizationId: authorizationOf(input),
  captureId: captureOf(input),
  detail: 'CAPTURE_FAILED',
  at: now,
});

/** Settled: the service never made it. */
export const absent: Fate = () => ({ kind: 'absent' });

export const consentEnded: Fate = () => ({ kind: 'consent_ended', by: 'payer', reason: 'cancelled_by_payer' });

/** The service says "pending" until then; past the window the workflow is told, and asks on. */
export function pendingUntil(settledAt: Instant, then: Fate): Fate {
  return openUntil(settledAt, then, ({ input }) => ({ kind: 'pending', authorizationId: authorizationOf(input) }));
}

/** Lists lack it until then. */
export function unlistedUntil(settledAt: Instant, then: Fate): Fate {
  return openUntil(settledAt, then, ({ input }) => ({ kind: 'unlisted', authorizationId: authorizationOf(input) }));
}

/** Whether a debit was made is not known until then. */
export function unknownUntil(settledAt: Instant, then: Fate): Fate {
  return openUntil(settledAt, then, () => ({ kind: 'unknown' }));
}

/** The service's answer fits nothing until then. */
export function unresolvedUntil(settledAt: Instant, then: Fate): Fate {
  return (call) => {
    if (call.now >= settledAt) return then(call);
    if (call.input.knownUnresolved) return call.comeBackAt(settledAt);
    return { kind: 'unresolved', reason: 'two authorizations fit' };
  };
}

function openUntil(settledAt: Instant, then: Fate, past: Fate): Fate {
  return (call) => {
    const { input, now, comeBackAt } = call;
    if (now >= settledAt) return then(call);
    if (input.settleOnly) return comeBackAt(settledAt);
    return now >= input.collectBy ? past(call) : comeBackAt(Math.min(settledAt, input.collectBy));
  };
}

export const delivered: NoticeFate = ({ now }) => ({ kind: 'delivered', at: now });

/** Delivering fails until then. */
export function deliveredAt(at: Instant): NoticeFate {
  return (call) => {
    if (call.now >= call.input.retryUntil) return undeliverable(call);
    return call.now >= at ? delivered(call) : call.comeBackAt(Math.min(at, call.input.retryUntil));
  };
}

export const undeliverable: NoticeFate = () => ({ kind: 'undeliverable', reason: 'no channel takes it' });

export function authorizationOf({ cycle, attempt }: CollectInput): AuthorizationId {
  return `authorization-${cycle}-${attempt}` as AuthorizationId;
}

function captureOf({ cycle, attempt }: CollectInput): CaptureId {
  return `capture-${cycle}-${attempt}` as CaptureId;
}

import { performance } from 'node:perf_hooks';
import { findUnknownAuthorizations } from '../src/domain/reconciliation';
import type { CollectResult } from '../src/domain/subscription';
import { authorizationIdsOf, beginSend, readHold, type SendRef } from '../src/ledger';
import type { Authorization, ServiceResult } from '../src/payment-service';
import { alert, type Collecting, maySend, MOVED, type Phase, recordAttempt, sendLater } from './collecting';
import { describe, remember, toConsentResult } from './consent';

/** Checks everything that must hold before a POST, commits the "sending" row, and sends (decisions 3, 7, 16). */
export async function sendAttempt(collecting: Collecting): Promise<Phase> {
  const { deps, input } = collecting;
  if (!maySend(collecting)) return { kind: 'window_closed' };
  if ((await readHold(deps.ledger, input.subscriptionId)) !== null) return { kind: 'held' };
  const ended = await checkConsent(collecting);
  if (ended !== null) return ended;
  const listed = await lookBeforeTheLeap(collecting);
  if ('kind' in listed) return listed;
  return send(collecting, listed.knownIds);
}

/** Only `successful` permits a POST; an unreadable or unknown answer permits nothing (decisions 7). */
async function checkConsent(collecting: Collecting): Promise<CollectResult | null> {
  const { deps, input, progress } = collecting;
  progress('consent');
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    await alert(collecting, 'consent.unreadable', { reason: describe(consent) });
    throw sendLater(collecting, 'service_unreadable', `consent: ${describe(consent)}`, retryAfter(consent));
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  if (result === null) {
    await alert(collecting, 'consent.unreadable', { reason: 'pending again' });
    throw sendLater(collecting, 'service_unreadable', 'the consent reads pending');
  }
  if (result.kind === 'granted') return null;
  return { kind: 'consent_ended', by: result.kind === 'cancelled' ? result.by : 'payer', reason: result.reason };
}

/** An authorization of this cycle that the ledger lacks stops the POST (decisions 16). */
export async function lookBeforeTheLeap(
  collecting: Collecting,
): Promise<CollectResult | { readonly knownIds: readonly string[] }> {
  const { deps, input, progress } = collecting;
  progress('look before the leap');
  const listed = await deps.service.listAuthorizations(input.paymentId);
  if (listed.kind !== 'accepted') {
    throw sendLater(collecting, 'service_unreadable', `authorizations: ${describe(listed)}`, retryAfter(listed));
  }
  const ledgerIds = await authorizationIdsOf(deps.ledger, input.paymentId);
  const unknown = findUnknownAuthorizations(listed.value, ledgerIds, input.dueAt);
  const ids = unknown.map(({ authorizationId }) => authorizationId);
  if (ids.length > 0)
    return { kind: 'unresolved', reason: `the service lists ${ids.join(', ')}, which the ledger lacks` };
  return { knownIds: listed.value.map(({ authorizationId }) => authorizationId) };
}

async function send(collecting: Collecting, knownIds: readonly string[]): Promise<Phase> {
  const { deps, input, progress } = collecting;
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy } = input;
  const begun = await beginSend(deps.ledger, {
    ...{ subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, knownIds },
    at: deps.clock.now(),
    realAt: deps.clock.realNow(),
    owner: deps.settings.owner,
  });
  if (begun.kind === 'held') return { kind: 'held' };
  if (begun.kind === 'blocked') throw sendLater(collecting, 'blocked', 'another attempt of this payment is open');
  if (begun.kind === 'closed') throw sendLater(collecting, 'blocked', `the ledger shows it ${begun.status} already`);
  progress('authorization', { attempt, send: begun.send.send });
  const isFresh = freshness(deps.settings.settle);
  const beforeSend = () => isFresh() && maySend(collecting);
  const answer = await deps.service.initiate(paymentId, amount, { beforeSend });
  return recordAnswer(collecting, begun.send, answer);
}

/** Real ms between the "sending" row and the first byte: well within any settle time, and enough to open a connection. */
const LONGEST_LEAP = 10_000;
const SHORTEST_LEAP = 500;

/**
 * A process frozen between its "sending" row and its POST must not send once it wakes: by then others may have settled
 * the row as never sent. The monotonic clock runs on while a process is stopped. What is left is the stretch between
 * this check and the first byte, microseconds.
 */
function freshness(settle: number): () => boolean {
  const limit = Math.max(SHORTEST_LEAP, Math.min(LONGEST_LEAP, settle * 0.8));
  const begun = performance.now();
  return () => performance.now() - begun < limit;
}

async function recordAnswer(
  collecting: Collecting,
  ref: SendRef,
  answer: ServiceResult<Authorization>,
): Promise<Phase> {
  switch (answer.kind) {
    case 'accepted': {
      const { authorizationId, createdAt } = answer.value;
      await recordAttempt(collecting, ref, { state: 'pending', authorizationId, createdAt });
      return MOVED;
    }
    case 'rejected': {
      const { retryable, detail, description } = answer.failure;
      const state = retryable ? 'rejected_retryable' : 'rejected';
      const seen =
        answer.value === undefined
          ? {}
          : { authorizationId: answer.value.authorizationId, createdAt: answer.value.createdAt };
      await recordAttempt(collecting, ref, { state, detail, description, ...seen });
      if (!retryable) await alert(collecting, 'attempt.rejected_finally', { detail, description });
      return MOVED;
    }
    case 'not_sent':
      await recordAttempt(collecting, ref, { state: 'not_sent', reason: answer.reason });
      await alert(collecting, 'attempt.not_sent', { reason: answer.reason });
      throw sendLater(collecting, 'not_sent', answer.reason, retryAfter(answer));
    case 'unknown':
      await recordAttempt(collecting, ref, {
        state: 'unknown',
        reason: answer.reason,
        sinceReal: collecting.deps.clock.realNow(),
      });
      return MOVED;
  }
}

function retryAfter(result: ServiceResult<unknown>): number {
  return result.kind === 'not_sent' ? (result.retryAfterMs ?? 0) : 0;
}

import { randomUUID } from 'node:crypto';
import type { Request } from '../../contract/messages';
import type { RefusedAmount } from '../../domain/subscription/amount';
import { isTerminal } from '../../domain/subscription/state';
import { toIso, type Instant } from '../../domain/time';
import type { SteerOutcome } from '../../gateway';
import { type SubscriptionRecord, applyChange } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { type Caller, callerOf } from '../http/authentication';
import { isoOrNull, named } from '../http/fields';
import { Problem, stateConflict, invalidRequest, FAULT_ANSWERS } from '../http/problems';
import { findSubscription, subscriptionIdOf } from './read';
import {
  SubscriptionOut,
  PauseBody,
  ReasonBody,
  SubscriptionParams,
  viewSubscription,
  RequiredReasonBody,
  EmptyBody,
} from './schema';

/** Who asks, and why, as the workflow and the trail take it. */
export function requestBy(caller: Caller, body: { readonly reason?: string | undefined } | null | undefined): Request {
  return { actor: caller.name, reason: body?.reason ?? null };
}

/** @throws Problem unless the workflow has done what was asked. */
export function requireDone(outcome: SteerOutcome, record: SubscriptionRecord): void {
  if (outcome.kind !== 'done') throw problemOf(outcome, record);
}

/** Why it was not done, as it is answered. */
export function problemOf(outcome: Exclude<SteerOutcome, { kind: 'done' }>, record: SubscriptionRecord): Problem {
  return outcome.kind === 'finished' ? refusedAsFinished(record) : problemOfRefusal(outcome);
}

/** The same of a workflow that has not ended. */
export function problemOfRefusal(outcome: Exclude<SteerOutcome, { kind: 'done' | 'finished' }>): Problem {
  switch (outcome.kind) {
    case 'conflict':
      return stateConflict(outcome.message);
    case 'invalid':
      return new Problem('invalid_request', outcome.message, { errors: [{ path: '', message: outcome.message }] });
    case 'limited':
      return new Problem('retry_not_allowed', outcome.message);
    case 'forbidden':
      return new Problem('amount_change_not_allowed', outcome.message, viewVerdict(outcome.verdict));
    case 'not_ready':
      return new Problem('not_ready', outcome.isRefused === true ? REFUSED_FOR_NOW : UNANSWERED);
  }
}

const UNANSWERED = 'No worker answered in time. The request may still be accepted: look before repeating.';
const REFUSED_FOR_NOW =
  'Temporal takes no more requests for this workflow at present. Nothing was done; repeat the request later.';

/** The rule, what would be allowed instead, and when (rule 21). */
function viewVerdict({ rule, highestAllowed, allowedFrom, newConsentRequired }: RefusedAmount) {
  return { rule, highestAllowed, newConsentRequired, ...named('allowedFrom', isoOrNull(allowedFrom)) };
}

/** In terminal states nothing can be steered any more (rule 23). */
export function refusedAsFinished(record: SubscriptionRecord): Problem {
  return stateConflict(`The subscription is ${record.status}; its story has ended.`);
}

/** `POST /subscriptions/{id}/pause` and `…/resume`. */
export function pauseRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/pause',
    {
      config: { role: 'operator', asks: 'pause' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'pauseSubscription',
        summary: 'Pauses: due dates inside the pause are skipped for good',
        params: SubscriptionParams,
        body: PauseBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const until = request.body?.until ?? null;
      refusePast(until, deps.clock.now());
      refuseTerminal(before);
      const asked = { ...requestBy(callerOf(request), request.body), until };
      requireDone(await deps.subscriptions.pause(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
  app.post(
    '/subscriptions/:id/resume',
    {
      config: { role: 'operator', asks: 'resume' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'resumeSubscription',
        summary: 'Ends a pause: the calendar stays as it was, without arrears',
        params: SubscriptionParams,
        body: ReasonBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      refuseTerminal(before);
      const asked = requestBy(callerOf(request), request.body);
      requireDone(await deps.subscriptions.resume(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
}

/** Decisions 23: "`until` (future, else 400)". */
function refusePast(until: Instant | null, now: Instant): void {
  if (until === null || until > now) return;
  throw invalidRequest([{ path: 'until', message: `expected a time after now, ${toIso(now)}; got ${toIso(until)}` }]);
}

function refuseTerminal(record: SubscriptionRecord): void {
  if (isTerminal(record.status)) throw refusedAsFinished(record);
}

/** `POST /subscriptions/{id}/cancel`: 200 once the service has confirmed, 202 until then (rule 24). */
export function cancelRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cancel',
    {
      config: { role: 'admin', asks: 'cancel' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'cancelSubscription',
        summary: 'Cancels: no new attempt from now on, and the consent is ended at the service',
        params: SubscriptionParams,
        body: ReasonBody,
        response: { 200: SubscriptionOut, 202: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      if (before.status === 'cancelled') return viewSubscription(before);
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      const asked = requestBy(callerOf(request), request.body);
      const outcome = await deps.subscriptions.cancel(before.subscriptionId, asked);
      const after = await findSubscription(deps.db, before.subscriptionId);
      return reply.code(statusOf(outcome, after)).send(viewSubscription(after));
    },
  );
}

/** The ledger's word counts for more than an answer that came late or not at all. */
function statusOf(outcome: SteerOutcome, after: SubscriptionRecord): 200 | 202 {
  if (after.status === 'cancelled') return 200;
  if (outcome.kind === 'not_ready' && after.hold === 'cancel') return 202;
  requireDone(outcome, after);
  return 200;
}

/** `POST /subscriptions/{id}/consent-check` and `…/acknowledge`. */
export function attendRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/consent-check',
    {
      config: { role: 'operator', asks: 'check_consent' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'checkConsent',
        summary: 'Asks the service for the consent now, for when the payer has come back',
        params: SubscriptionParams,
        body: EmptyBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      // The consent has been answered for good: that answer is what the caller wants to know.
      if (isTerminal(before.status)) return viewSubscription(before);
      const outcome = await deps.subscriptions.checkConsent(before.subscriptionId, requestBy(callerOf(request), null));
      const after = await findSubscription(deps.db, before.subscriptionId);
      if (!isTerminal(after.status)) requireDone(outcome, after);
      return viewSubscription(after);
    },
  );
  app.post(
    '/subscriptions/:id/acknowledge',
    {
      config: { role: 'operator', asks: 'acknowledge' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'acknowledgeSubscription',
        summary: 'A person has seen what needs attention: clears that standing',
        params: SubscriptionParams,
        body: RequiredReasonBody,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      const asked = requestBy(callerOf(request), request.body);
      const outcome = await deps.subscriptions.acknowledge(before.subscriptionId, asked);
      if (outcome.kind === 'finished' && isTerminal(before.status)) await acknowledgeFinished(deps, before, asked);
      else requireDone(outcome, before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
}

/** No workflow owns an ended subscription any more, so that nothing races this; its matters still wait for a person. */
async function acknowledgeFinished(deps: AdminDeps, record: SubscriptionRecord, asked: Request): Promise<void> {
  if (record.attention.length === 0) return;
  await applyChange(deps.db, {
    subscriptionId: record.subscriptionId,
    key: `acknowledge/${randomUUID()}`,
    at: deps.clock.now(),
    actor: asked.actor,
    events: [{ type: 'attention.acknowledged', data: { matters: record.attention, reason: asked.reason } }],
    subscription: { attention: [] },
  });
}

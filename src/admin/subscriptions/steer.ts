import { isTerminal } from '../../domain/subscription/state';
import { type Instant, LAST_INSTANT, toIso } from '../../domain/time';
import type { SteerOutcome } from '../../temporal';
import type { SteeringRequests, SubscriptionRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { stateConflict, invalidRequest } from '../http/problems';
import { problemOf, requestBy } from './steering';
import { findSubscription } from './read';
import { SubscriptionOut, PauseBody, OF_SUBSCRIPTION, viewSubscription, STEERING_NEEDS } from './schema';
import { ReasonBody, RequiredReasonBody, EmptyBody } from '../http/bodies';

/** @throws Problem unless the request was carried out */
export async function steer<V extends keyof SteeringRequests>(
  { subscriptions }: Pick<AdminDeps, 'subscriptions'>,
  verb: V,
  record: SubscriptionRecord,
  request: SteeringRequests[V],
): Promise<void> {
  requireDone(await subscriptions.steer(verb, record.subscriptionId, request));
}

/** @throws Problem unless the request was carried out */
export function requireDone(outcome: SteerOutcome): void {
  if (outcome.kind !== 'done') throw problemOf(outcome);
}

/** In terminal states nothing can be changed (rule 23). @throws Problem if the subscription has ended */
export function refuseTerminal({ status }: SubscriptionRecord): void {
  if (isTerminal(status)) throw stateConflict(`The subscription is ${status} and cannot be changed.`);
}

/** The calls that change a subscription as a whole. */
export function steerSubscriptionRoutes(app: TypedApp, deps: AdminDeps): void {
  resumeRoute(app, deps);
  acknowledgeRoute(app, deps);
  restartRoute(app, deps);
  pauseRoute(app, deps);
  cancelRoute(app, deps);
  checkConsentRoute(app, deps);
}

function resumeRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/resume',
    {
      config: { ...STEERING_NEEDS.resume, asks: 'resume' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'resumeSubscription',
        summary: 'Resumes a paused subscription; due dates are unchanged, and there are no arrears',
        body: ReasonBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      refuseTerminal(before);
      await steer(deps, 'resume', before, requestBy(request, request.body));
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId), callerOf(request));
    },
  );
}

function acknowledgeRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/acknowledge',
    {
      config: { ...STEERING_NEEDS.acknowledge, asks: 'acknowledge' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'acknowledgeSubscription',
        summary: 'Acknowledges the open attention items and clears the standing `needs_attention`',
        body: RequiredReasonBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      // There is nothing to acknowledge.
      if (before.attention.length === 0) return viewSubscription(before, callerOf(request));
      const asked = requestBy(request, request.body);
      const outcome = await deps.subscriptions.steer('acknowledge', before.subscriptionId, asked);
      const after = await findSubscription(deps.db, before.subscriptionId);
      // Another operator may have been first, or the items have closed: nothing needs attention any more.
      if (after.attention.length > 0) requireDone(outcome);
      return viewSubscription(after, callerOf(request));
    },
  );
}

function restartRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/restart',
    {
      config: { role: 'admin', scope: 'subscriptions:steer', asks: 'restart' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'restartSubscription',
        summary: 'Restarts the workflow from the ledger if none is running; otherwise 409',
        body: RequiredReasonBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      requireDone(await deps.subscriptions.restart(before.subscriptionId, requestBy(request, request.body)));
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId), callerOf(request));
    },
  );
}

function pauseRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/pause',
    {
      config: { ...STEERING_NEEDS.pause, asks: 'pause' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'pauseSubscription',
        summary: 'Pauses a subscription; due dates within the pause are skipped permanently',
        body: PauseBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      // The last possible instant means "until resumed" (rule 3).
      const given = request.body.until ?? null;
      const until = given === LAST_INSTANT ? null : given;
      refusePast(until, deps.clock.now());
      refuseTerminal(before);
      const asked = { ...requestBy(request, request.body), until };
      await steer(deps, 'pause', before, asked);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId), callerOf(request));
    },
  );
}

/** Rule 23: "`until` (future, else 400)". */
function refusePast(until: Instant | null, now: Instant): void {
  if (until === null || until > now) return;
  throw invalidRequest([{ path: 'until', message: `expected a time after now, ${toIso(now)}; got ${toIso(until)}` }]);
}

/** 200 once the service has confirmed, 202 until then (rule 24). */
function cancelRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cancel',
    {
      config: { ...STEERING_NEEDS.cancel, asks: 'cancel' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'cancelSubscription',
        summary:
          'Cancels a subscription: no further attempts are made, and the consent is deleted at the payment service',
        body: ReasonBody,
        response: {
          ...OF_SUBSCRIPTION.response,
          202: SubscriptionOut.describe('The cancellation was accepted; the payment service has not confirmed it yet.'),
        },
      },
    },
    async (request, reply) => {
      const before = await findSubscription(deps.db, request.params.id);
      if (before.status === 'cancelled') return viewSubscription(before, callerOf(request));
      refuseTerminal(before);
      await steer(deps, 'cancel', before, requestBy(request, request.body));
      const after = await findSubscription(deps.db, before.subscriptionId);
      return reply.code(isTerminal(after.status) ? 200 : 202).send(viewSubscription(after, callerOf(request)));
    },
  );
}

function checkConsentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/consent-check',
    {
      config: { ...STEERING_NEEDS['consent-check'], asks: 'check_consent' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'checkConsent',
        summary: 'Checks the consent at the payment service now, for example when the payer has returned',
        body: EmptyBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      // The consent has its final state, which is what the caller wants to know.
      if (isTerminal(before.status)) return viewSubscription(before, callerOf(request));
      const outcome = await deps.subscriptions.checkConsent(before.subscriptionId);
      const after = await findSubscription(deps.db, before.subscriptionId);
      if (!isTerminal(after.status)) requireDone(outcome);
      return viewSubscription(after, callerOf(request));
    },
  );
}

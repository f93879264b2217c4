import { isTerminal } from '../../domain/subscription/state';
import type { AdminDeps, TypedApp } from '../dependencies';
import { carryOut, requireDone } from './carry-out';
import { requestBy } from './steering';
import { findSubscription, showSubscription } from './read';
import { SubscriptionOut, PauseBody, OF_SUBSCRIPTION, STEERING_NEEDS } from './schema';
import { ReasonBody, RequiredReasonBody, EmptyBody } from '../http/bodies';

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
      const { id } = request.params;
      await carryOut.resume(deps, id, requestBy(request, request.body));
      return showSubscription(deps, request, id);
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
        summary: 'Acknowledges the open attention items of a subscription and clears its standing `needs_attention`',
        body: RequiredReasonBody,
      },
    },
    async (request) => {
      const { id } = request.params;
      await carryOut.acknowledge(deps, id, requestBy(request, request.body));
      return showSubscription(deps, request, id);
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
        summary: 'Restarts the workflow of a subscription from the ledger if none is running; otherwise 409',
        body: RequiredReasonBody,
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      requireDone(await deps.subscriptions.restart(before.subscriptionId, requestBy(request, request.body)));
      return showSubscription(deps, request, before.subscriptionId);
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
      const { id } = request.params;
      await carryOut.pause(deps, id, { ...requestBy(request, request.body), until: request.body.until ?? null });
      return showSubscription(deps, request, id);
    },
  );
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
      const { id } = request.params;
      await carryOut.cancel(deps, id, requestBy(request, request.body));
      const shown = await showSubscription(deps, request, id);
      return reply.code(isTerminal(shown.status) ? 200 : 202).send(shown);
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
        summary:
          'Checks the consent to a subscription at the payment service now, for example when the payer has returned',
        body: EmptyBody,
      },
    },
    async (request) => {
      const { id } = request.params;
      await carryOut.checkConsent(deps, id);
      return showSubscription(deps, request, id);
    },
  );
}

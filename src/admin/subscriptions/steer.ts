import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Request, SteeringRequests, Verb } from '../../contract/messages';
import { isTerminal } from '../../domain/subscription/state';
import { toIso, type Instant } from '../../domain/time';
import { actorOf } from '../../domain/trail/event';
import type { SteerOutcome } from '../../gateway';
import { applyChange, type Role, type SubscriptionRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { type Problem, stateConflict, invalidRequest, FAULT_ANSWERS } from '../http/problems';
import { problemOf, requestBy } from '../http/steering';
import type { NeededScope } from '../keys/powers';
import { findSubscription } from './read';
import {
  SubscriptionOut,
  PauseBody,
  ReasonBody,
  SubscriptionParams,
  viewSubscription,
  RequiredReasonBody,
  EmptyBody,
} from './schema';

/** @throws Problem unless what was asked is done. */
export async function steer<V extends Verb>(
  { subscriptions }: Pick<AdminDeps, 'subscriptions'>,
  verb: V,
  record: SubscriptionRecord,
  request: SteeringRequests[V],
): Promise<void> {
  requireDone(await subscriptions.steer(verb, record.subscriptionId, request), record);
}

/** @throws Problem unless the workflow has done what was asked. */
export function requireDone(outcome: SteerOutcome, record: SubscriptionRecord): void {
  if (outcome.kind === 'finished') throw refusedAsFinished(record);
  if (outcome.kind !== 'done') throw problemOf(outcome);
}

/** In terminal states nothing can be steered any more (rule 23). */
export function refusedAsFinished(record: SubscriptionRecord): Problem {
  return stateConflict(`The subscription is ${record.status}; its story has ended.`);
}

/** @throws Problem where the subscription has ended. */
export function refuseTerminal(record: SubscriptionRecord): void {
  if (isTerminal(record.status)) throw refusedAsFinished(record);
}

/** A verb that asks for no more than a reason, and is answered when it is done. */
type PlainVerb = {
  [V in Verb]: Request extends SteeringRequests[V] ? V : never;
}[Verb];

/** `POST /subscriptions/{id}/<verb>`. */
interface PlainRoute {
  readonly verb: PlainVerb;
  readonly role: Role;
  readonly scope: NeededScope;
  readonly operationId: string;
  readonly summary: string;
  readonly body: typeof ReasonBody | typeof RequiredReasonBody;
  /** Whether an ended subscription is refused before its workflow is asked. */
  readonly refusesEnded?: true;
  /** What is done where the workflow has ended with its subscription; refused where nothing is. */
  readonly doneWhenEnded?: (deps: AdminDeps, record: SubscriptionRecord, asked: Request) => Promise<void>;
}

const PLAIN_ROUTES: readonly PlainRoute[] = [
  {
    verb: 'resume',
    role: 'operator',
    scope: 'subscriptions:steer',
    operationId: 'resumeSubscription',
    summary: 'Ends a pause: the calendar stays as it was, without arrears',
    body: ReasonBody,
    refusesEnded: true,
  },
  {
    verb: 'acknowledge',
    role: 'operator',
    scope: ['subscriptions:steer', 'attention'],
    operationId: 'acknowledgeSubscription',
    summary: 'A person has seen what needs attention: clears that standing',
    body: RequiredReasonBody,
    doneWhenEnded: acknowledgeEnded,
  },
  {
    verb: 'restart',
    role: 'admin',
    scope: 'subscriptions:steer',
    operationId: 'restartSubscription',
    summary: 'Begins the workflow anew from the ledger, where none runs; 409 while one does',
    body: RequiredReasonBody,
  },
];

/** Every call that steers a subscription as a whole. */
export function steerSubscriptionRoutes(app: TypedApp, deps: AdminDeps): void {
  PLAIN_ROUTES.forEach((route) => plainRoute(app, deps, route));
  pauseRoute(app, deps);
  cancelRoute(app, deps);
  checkConsentRoute(app, deps);
}

function plainRoute(app: TypedApp, deps: AdminDeps, route: PlainRoute): void {
  const { verb, role, scope, operationId, summary, refusesEnded, doneWhenEnded } = route;
  const body: z.ZodType<z.output<typeof ReasonBody>> = route.body;
  app.post(
    `/subscriptions/:id/${verb}`,
    {
      config: { role, scope, asks: verb },
      schema: {
        tags: ['subscriptions'],
        operationId,
        summary,
        params: SubscriptionParams,
        body,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      if (refusesEnded === true) refuseTerminal(before);
      const asked = requestBy(request, request.body);
      const outcome = await deps.subscriptions.steer(verb, before.subscriptionId, asked);
      const hasEnded = outcome.kind === 'finished' && isTerminal(before.status);
      if (hasEnded && doneWhenEnded !== undefined) await doneWhenEnded(deps, before, asked);
      else requireDone(outcome, before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId), callerOf(request));
    },
  );
}

/** No workflow owns an ended subscription any more, so that nothing races this; its attention items still wait for a person. */
async function acknowledgeEnded(deps: AdminDeps, record: SubscriptionRecord, asked: Request): Promise<void> {
  if (record.attention.length === 0) return;
  await applyChange(deps.db, {
    subscriptionId: record.subscriptionId,
    key: `acknowledge/${randomUUID()}`,
    at: deps.clock.now(),
    ...actorOf(asked),
    events: [{ type: 'attention.acknowledged', data: { matters: record.attention, reason: asked.reason } }],
    subscription: { attention: [] },
  });
}

function pauseRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/pause',
    {
      config: { role: 'operator', scope: 'subscriptions:steer', asks: 'pause' },
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
      const before = await findSubscription(deps.db, request.params.id);
      const until = request.body?.until ?? null;
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
      config: { role: 'admin', scope: 'subscriptions:steer', asks: 'cancel' },
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
      const before = await findSubscription(deps.db, request.params.id);
      if (before.status === 'cancelled') return viewSubscription(before, callerOf(request));
      refuseTerminal(before);
      const asked = requestBy(request, request.body);
      const outcome = await deps.subscriptions.steer('cancel', before.subscriptionId, asked);
      const after = await findSubscription(deps.db, before.subscriptionId);
      return reply.code(statusOf(outcome, after)).send(viewSubscription(after, callerOf(request)));
    },
  );
}

/** The state in the ledger counts for more than an answer that came late or not at all. */
function statusOf(outcome: SteerOutcome, after: SubscriptionRecord): 200 | 202 {
  if (after.status === 'cancelled') return 200;
  if (outcome.kind === 'not_ready' && after.hold === 'cancel') return 202;
  requireDone(outcome, after);
  return 200;
}

function checkConsentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/consent-check',
    {
      config: { role: 'operator', scope: ['subscriptions:create', 'subscriptions:steer'], asks: 'check_consent' },
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
      const before = await findSubscription(deps.db, request.params.id);
      // The consent has been answered for good: that answer is what the caller wants to know.
      if (isTerminal(before.status)) return viewSubscription(before, callerOf(request));
      const asked = requestBy(request, null);
      const outcome = await deps.subscriptions.steer('check_consent', before.subscriptionId, asked);
      const after = await findSubscription(deps.db, before.subscriptionId);
      if (!isTerminal(after.status)) requireDone(outcome, after);
      return viewSubscription(after, callerOf(request));
    },
  );
}

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { notifyWaiting } from '../../jobs/watch-holds';
import {
  createHold,
  creationCursor,
  type HoldRecord,
  liftHold,
  listHolds,
  MAX_SELECTED,
  readHold,
  readList,
  releaseHold,
} from '../../ledger';
import { seesEmails } from '../access/powers';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { ReasonBody, reasonOf } from '../http/bodies';
import { actorOfCaller, callerOf } from '../http/caller';
import { listOf, pageOf } from '../http/fields';
import { requestIdOf } from '../http/idempotency';
import { invalidRequest, notFound, Problem } from '../http/problems';
import { pastFaults } from '../http/validation';
import { LiftQuery } from '../operations/halt';
import { HoldBody, HoldOut, HoldParams, HoldsQuery, viewHold } from './hold-schema';

/** `POST`, `GET` and `DELETE /holds`. A hold stops the attempts of the subscriptions that a filter matches; it skips no due date. */
export function holdRoutes(app: TypedApp, deps: AdminDeps): void {
  createRoute(app, deps);
  app.get(
    '/holds',
    call('viewer', 'bulk', {
      tags: ['subscriptions'],
      operationId: 'listHolds',
      summary: 'Lists holds, newest first, with the number of collection windows that end before each hold does',
      querystring: HoldsQuery,
      response: { 200: listOf(HoldOut) },
    }),
    async (request) => {
      const { state, subscriptionId = null } = request.query;
      const page = pageOf(request.query, creationCursor.is);
      const filter = { isInForce: state === undefined ? null : state === 'in_force', subscriptionId };
      const { items, nextCursor } = await readList(deps.reading, (db) => listHolds(db, filter, deps.clock.now(), page));
      return { items: items.map((hold) => view(deps, request, hold)), nextCursor };
    },
  );
  app.delete(
    '/holds/:id',
    call('operator', 'bulk', {
      tags: ['subscriptions'],
      operationId: 'liftHold',
      summary: 'Lifts a hold: attempts whose time has come are made if their window is still open',
      description: 'A hold that has ended remains unchanged.',
      params: HoldParams,
      querystring: LiftQuery,
      body: ReasonBody,
      response: { 200: HoldOut },
    }),
    async (request) => {
      const { id: holdId } = request.params;
      const by = { ...actorOfCaller(callerOf(request)), at: deps.clock.now() };
      const lifted = await liftHold(deps.db, { ...by, holdId, reason: reasonOf(request) ?? null });
      if (lifted === null) throw notFound(`There is no hold ${holdId}, or it is no longer stored.`);
      // Many workflows are notified in the background; the ledger already permits their attempts.
      void notifyWaiting(deps, await releaseHold(deps.db, holdId, deps.clock.now()));
      return view(deps, request, lifted);
    },
  );
}

function createRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/holds',
    call('operator', 'bulk', {
      tags: ['subscriptions'],
      operationId: 'createHold',
      summary: 'Holds the subscriptions that a filter matches: after the response, no attempt of theirs begins',
      description: `Due dates are not skipped: collection continues at \`until\`, or as soon as the hold is lifted. Cycles whose window ends before that are missed. What is held is fixed now: subscriptions created or changed later are not held. At most ${MAX_SELECTED} subscriptions; \`POST /v1/halt\` stops all sending. 503: the hold is in force, but a send that started before has not ended yet; repeat the request with the same Idempotency-Key.`,
      body: HoldBody,
      response: { 201: HoldOut.describe('The hold is in force.') },
    }),
    async (request, reply) => {
      const { filter, until, reason } = request.body;
      const caller = callerOf(request);
      const at = deps.clock.now();
      const holdId = `hold_${requestIdOf(request) ?? randomUUID().replaceAll('-', '')}`;
      const faults = pastFaults('until', until, at);
      // A repeated request is answered with the hold that it created, even if the end of the hold has passed.
      if (faults.length > 0 && (await readHold(deps.db, holdId)) === null) throw invalidRequest(faults);
      const by = { ...actorOfCaller(caller), hidesEmail: !seesEmails(caller), at };
      const result = await createHold(deps.db, { ...by, holdId, filter, until, reason });
      if (result.kind === 'too_many') throw tooMany();
      if (!result.isSettled) throw notSettled(holdId);
      return reply.code(201).send(view(deps, request, result.hold));
    },
  );
}

function tooMany(): Problem {
  const message = `expected a filter that selects at most ${MAX_SELECTED} subscriptions (POST /v1/halt stops all sending); got one that selects more`;
  return invalidRequest([{ path: 'filter', message }]);
}

/** The hold is in force, but a send that started before it may still be committed. */
function notSettled(holdId: string): Problem {
  const detail = `The hold ${holdId} is in force, and no new send of its subscriptions starts. A send that started before has not ended yet; repeat the request with the same Idempotency-Key until it returns 201.`;
  return new Problem('not_ready', detail, { holdId }, { 'retry-after': '5' });
}

function view({ clock }: AdminDeps, request: FastifyRequest, hold: HoldRecord): HoldOut {
  return viewHold(hold, callerOf(request), clock.now());
}

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ROLES, SCOPES } from '../../ledger';
import { type AdminDeps, call, limitsOf, type TypedApp } from '../dependencies';
import { sessionDeps } from './authentication';
import { type Caller, callerOf, logSecurity, actorWithAddress } from '../http/caller';
import { InstantOut } from '../http/fields';
import { Problem } from '../http/problems';
import { cookieOf, NO_COOKIE } from './cookie';
import { csrfTokenOf, endSession, openSession, readSession, type SessionAct } from './session-ring';

const SessionOut = z
  .object({
    name: z
      .string()
      .meta({ description: 'The name of the key, under which the audit log records the actions of this session' }),
    role: z.enum(ROLES),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty: the whole role' }),
    csrfToken: z.string().meta({ description: 'Must be sent as X-CSRF-Token with every write' }),
    idleEndsAt: InstantOut.meta({ description: 'Real time; extended by user action' }),
    endsAt: InstantOut.meta({ description: 'Real time; not extended' }),
    clock: z
      .object({
        now: InstantOut,
        speed: z.number().positive().meta({ description: 'Seconds of business time per real second' }),
        isTest: z.boolean(),
      })
      .meta({ description: 'Business time' }),
    eventDependentRefunds: z.boolean().meta({ description: 'Whether Event Dependent payments may be refunded' }),
    workflowsUrl: z
      .string()
      .optional()
      .meta({ description: "Base address of workflows in Temporal's Web UI; append a workflowId" }),
  })
  .meta({ id: 'Session', description: 'A session, with its powers and time limits.' });

const EndedOut = z.object({ endedAt: InstantOut }).meta({ id: 'EndedSession', description: 'The session has ended.' });

type SessionOut = z.output<typeof SessionOut>;

const tags = ['session'];

/** `POST`, `GET` and `DELETE /session`: how operators sign in to the console. */
export function sessionRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/session',
    call('viewer', 'any', {
      config: { skipIdempotency: true },
      tags,
      operationId: 'openSession',
      summary: 'Exchanges an API key for a browser session in the cookie __Host-dueday',
      response: { 201: SessionOut.describe('The session was opened; the cookie contains it.') },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      if (caller.isSession) throw new Problem('unauthenticated', 'Expected the header Authorization: Bearer <key>.');
      const token = await openSession(sessionDeps(deps), actOf(deps, request));
      logSecurity(request, 'session.opened');
      const answer = await viewSession(deps, token);
      return reply
        .code(201)
        .header('set-cookie', cookieOf(token, limitsOf(deps).sessionMs))
        .send(answer);
    },
  );
  app.get(
    '/session',
    call('viewer', 'any', {
      tags,
      operationId: 'getSession',
      summary: 'Returns the current session',
      response: { 200: SessionOut },
    }),
    async (request) => viewSession(deps, tokenOfCaller(callerOf(request))),
  );
  app.delete(
    '/session',
    call('viewer', 'any', {
      tags,
      operationId: 'endSession',
      summary: 'Ends the current session immediately',
      response: { 200: EndedOut },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      await endSession(sessionDeps(deps), tokenOfCaller(caller), actOf(deps, request));
      logSecurity(request, 'session.ended');
      return reply.header('set-cookie', NO_COOKIE).send({ endedAt: deps.clock.realNow() });
    },
  );
}

function actOf({ clock }: AdminDeps, request: FastifyRequest): SessionAct {
  const { keyId, role } = callerOf(request);
  return { ...actorWithAddress(request), keyId, role, at: clock.now() };
}

/** @throws Problem `not_found` if the request was authenticated with a key */
function tokenOfCaller({ key, isSession }: Caller): string {
  if (!isSession) throw new Problem('not_found', 'This request was made with an API key, not in a session.');
  return key;
}

/** @throws Problem if the session has just ended */
async function viewSession(deps: AdminDeps, token: string): Promise<SessionOut> {
  const found = await readSession(sessionDeps(deps), token);
  if (found === null) throw new Problem('unauthenticated', 'This session has ended.');
  const { clock, policy, workflowsUrl } = deps;
  return {
    ...found,
    ...found.powers,
    scopes: [...found.powers.scopes],
    csrfToken: csrfTokenOf(token),
    clock: { now: clock.now(), speed: clock.setting?.speed ?? 1, isTest: clock.setting !== null },
    eventDependentRefunds: policy.eventDependentRefunds,
    workflowsUrl,
  };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import type { RefusedAmount } from '../../domain/subscription/amount';
import { isoOrNull } from '../../domain/time';
import type { Asked } from '../../domain/audit/subscriptions';
import type { Actor } from '../../domain/audit/event';
import type { NotDone } from '../../temporal';
import { insertEvent, type Request } from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { named } from '../http/fields';
import { requestIdOf } from '../http/idempotency';
import { Problem, type ProblemCode, serviceUnavailable } from '../http/problems';

/** Who asks, and why, as the workflow and the trail take it; and by which id it is known when it is repeated. */
export function requestBy(
  request: FastifyRequest,
  body: { readonly reason?: string | undefined } | null | undefined,
): Request {
  return { ...callBy(request), reason: body?.reason ?? null };
}

/** Who asks, as {@link requestBy} has it. */
export function callBy(request: FastifyRequest): Actor & Pick<Request, 'requestId'> {
  return { ...actorOfCaller(callerOf(request)), ...named('requestId', requestIdOf(request)) };
}

/** Why something was not done, as it is answered; a refusal keeps its code. */
export function problemOf(outcome: NotDone): Problem {
  if (outcome.kind === 'not_ready') return new Problem('not_ready', UNANSWERED);
  if (outcome.kind === 'unavailable') return serviceUnavailable(NOTHING_TOLD, outcome.reason);
  const { code, message, verdict } = outcome;
  if (verdict !== undefined) return new Problem(code, message, viewVerdict(verdict));
  return new Problem(code, message, code === 'invalid_request' ? { errors: [{ path: '', message }] } : {});
}

const UNANSWERED =
  'No worker answered in time. The request may still be accepted: repeat it with the same Idempotency-Key, or look first.';
const NOTHING_TOLD = 'What the ledger has may be out of date; the request may be repeated.';

/** The rule, what would be allowed instead, and when (rule 21). */
function viewVerdict({ rule, highestAllowed, allowedFrom, newConsentRequired }: RefusedAmount) {
  return { rule, highestAllowed, newConsentRequired, ...named('allowedFrom', isoOrNull(allowedFrom)) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call of the route asks; a refusal by a rule is in the trail. */
    asks?: Asked;
  }
}

/** The answers by which a rule refuses. An amount or a refund that a rule forbids has an entry of its own. */
const BY_RULE: readonly ProblemCode[] = ['state_conflict', 'retry_not_allowed'];

/** A refusal is a decision: it is in the trail once it is answered. A dry run asks for nothing. */
export function recordRefusals(app: FastifyInstance, deps: AdminDeps): void {
  app.addHook('onError', async (request, _reply, error) => {
    const { asks } = request.routeOptions.config;
    if (asks === undefined || !isRefusal(error) || isDryRun(request)) return;
    try {
      await record(deps, request, asks, error);
    } catch (fault) {
      // The refusal still stands, and the caller must hear of it.
      request.log.error({ err: loggable(fault) }, 'a refusal could not be kept');
    }
  });
}

function isRefusal(error: Error): error is Problem {
  return error instanceof Problem && BY_RULE.includes(error.code);
}

function isDryRun({ body }: FastifyRequest): boolean {
  return typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true;
}

async function record(deps: AdminDeps, request: FastifyRequest, asks: Asked, problem: Problem): Promise<void> {
  const { id, n } = request.params as { readonly id: string; readonly n?: number };
  await insertEvent(deps.db, {
    subscriptionId: id as SubscriptionId,
    at: deps.clock.now(),
    ...actorOfCaller(callerOf(request)),
    type: 'request.refused',
    data: { request: asks, ...(n === undefined ? {} : { cycle: n }), code: problem.code, message: problem.detail },
  });
}

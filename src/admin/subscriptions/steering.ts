import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import type { RefusedAmount } from '../../domain/subscription/amount';
import { isoOrNull } from '../../domain/time';
import type { Asked } from '../../domain/audit/subscriptions';
import { type Actor, actorOf } from '../../domain/audit/event';
import type { NotDone } from '../../temporal';
import { insertEvent, type Request } from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { optionalField } from '../http/fields';
import { requestIdOf } from '../http/idempotency';
import { Problem, type ProblemCode, serviceUnavailable } from '../http/problems';

/** Who makes the request and why, for the ledger and its audit log, with the id that identifies a repetition. */
export function requestBy(
  request: FastifyRequest,
  body: { readonly reason?: string | undefined } | null | undefined,
): Request {
  return { ...callBy(request), reason: body?.reason ?? null };
}

/** Who makes the request, with the id that identifies a repetition. */
export function callBy(request: FastifyRequest): Actor & Pick<Request, 'requestId'> {
  return { ...actorOfCaller(callerOf(request)), ...optionalField('requestId', requestIdOf(request)) };
}

/** The error response for something that was not done; a refusal keeps its code. */
export function problemOf(outcome: NotDone): Problem {
  if (outcome.kind === 'not_ready') return new Problem('not_ready', UNANSWERED);
  if (outcome.kind === 'unavailable') return serviceUnavailable(SERVICE_SILENT, outcome.reason);
  const { code, message, path = '', verdict } = outcome;
  if (verdict !== undefined) return new Problem(code, message, viewVerdict(verdict));
  return new Problem(code, message, code === 'invalid_request' ? { errors: [{ path, message }] } : {});
}

const UNANSWERED =
  'No worker answered in time. The request may still be carried out: repeat it with the same Idempotency-Key, or check the current state first.';
const SERVICE_SILENT = 'The state shown by the ledger may be out of date; the request may be repeated.';

/** The rule, the highest amount allowed instead, and from when (rule 21). */
function viewVerdict({ rule, highestAllowed, allowedFrom, newConsentRequired }: RefusedAmount) {
  return { rule, highestAllowed, newConsentRequired, ...optionalField('allowedFrom', isoOrNull(allowedFrom)) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of request, for the audit entry if a rule refuses it. */
    asks?: Asked;
  }
}

/** Codes of refusals by a rule. Refused amounts and refunds have audit entries of their own. */
const BY_RULE: readonly ProblemCode[] = ['state_conflict', 'retry_not_allowed'];

/** Adds an audit entry for each refusal by a rule, because it is a decision. Dry runs have none. */
export function recordRefusals(app: FastifyInstance, deps: AdminDeps): void {
  app.addHook('onError', async (request, _reply, error) => {
    const { asks } = request.routeOptions.config;
    if (asks === undefined || !(error instanceof Problem) || isDryRun(request)) return;
    const { id, n } = request.params as { readonly id: SubscriptionId; readonly n?: number };
    await recordRefusal(
      deps,
      { id, ...optionalField('cycle', n ?? null), asks, by: actorOfCaller(callerOf(request)) },
      error,
    );
  });
}

function isDryRun({ body }: FastifyRequest): boolean {
  return typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true;
}

/** A request that a rule may refuse. */
export interface Refusable {
  readonly id: SubscriptionId;
  readonly cycle?: number;
  readonly asks: Asked;
  readonly by: Actor;
}

/** Adds an audit entry if a rule has refused the request. Never rejects: the refusal remains valid, and the caller must get it. */
export async function recordRefusal(deps: AdminDeps, refused: Refusable, problem: Problem): Promise<void> {
  if (!BY_RULE.includes(problem.code)) return;
  const { id: subscriptionId, asks, by, ...cycle } = refused;
  try {
    await insertEvent(deps.db, {
      subscriptionId,
      at: deps.clock.now(),
      ...actorOf(by),
      type: 'request.refused',
      data: { request: asks, ...cycle, code: problem.code, message: problem.detail },
    });
  } catch (fault) {
    deps.logger.error({ err: loggable(fault), subscriptionId }, 'the audit entry of a refusal could not be written');
  }
}

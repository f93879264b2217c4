import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import { insertEvent } from '../../ledger';
import { loggable } from '../../log';
import type { AdminDeps } from '../dependencies';
import { callerOf } from './authentication';
import { Problem, type ProblemCode } from './problems';

/** What a person may ask of a subscription, as the trail names it. */
export type Asked =
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'skip'
  | 'retry'
  | 'resolve'
  | 'change_amount'
  | 'withdraw_change'
  | 'check_consent'
  | 'acknowledge'
  | 'restart';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a call of the route asks; where a rule refuses it, the trail tells of that. */
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
      // The refusal stands all the same, and the caller must hear of it.
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
    actor: callerOf(request).name,
    type: 'request.refused',
    data: { request: asks, ...(n === undefined ? {} : { cycle: n }), code: problem.code, message: problem.detail },
  });
}

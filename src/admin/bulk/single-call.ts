import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { CallOutcome, MakeCall } from '../../jobs/run-bulk';
import { cycleInDunning, type ClaimedCall } from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import type { Passes } from '../access/authentication';
import { WHOLE_ROLE } from '../access/key-ring';
import { Problem, type ProblemCode, stateConflict } from '../http/problems';

/**
 * Makes the calls of bulk jobs through the API's own routes, on behalf of the caller who ordered the job. Checks, refusals
 * and audit entries are therefore those of the single call. Scopes and limits of the key were checked with the dry run. A
 * call that is repeated because its response was lost has the same Idempotency-Key, so that it takes effect once.
 */
export function executeBulkItem(app: FastifyInstance, deps: AdminDeps, passes: Passes): MakeCall {
  return async (call) => {
    try {
      const url = await urlOf(deps, call);
      const { actor: name, keyId, firstKeyId, role, jobId, number } = call;
      const powers = { ...WHOLE_ROLE, name, role, firstKeyId, isBootstrap: false };
      const authorization = `Bearer ${passes.issue({ ...powers, keyId, key: '', isSession: false, jobId })}`;
      const body = Object.keys(call.work.parameters).length === 0 ? {} : { payload: call.work.parameters };
      const headers = { authorization, 'idempotency-key': `bulk-${jobId}-${number}` };
      return outcomeOf(await app.inject({ method: 'POST', url, headers, ...body }));
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refused', problem: error.body() };
      deps.logger.warn({ err: loggable(error), jobId: call.jobId }, 'a call of a job failed');
      return { kind: 'not_ready', problem: new Problem('internal', 'Internal error. The log has details.').body() };
    }
  };
}

async function urlOf({ db }: AdminDeps, { subscriptionId, work }: ClaimedCall): Promise<string> {
  const subscription = `/v1/subscriptions/${encodeURIComponent(subscriptionId)}`;
  if (work.action === 'amount-change') return `${subscription}/amount-changes`;
  if (work.action !== 'retry') return `${subscription}/${work.action}`;
  const cycle = await cycleInDunning(db, subscriptionId);
  if (cycle === null) throw stateConflict('No cycle of the subscription waits for a retry.');
  return `${subscription}/cycles/${cycle}/retry`;
}

/** 429, 5xx and a call that another process is still making can be repeated. */
function outcomeOf({ statusCode, body }: LightMyRequestResponse): CallOutcome {
  if (statusCode < 300) return { kind: 'done' };
  const problem = JSON.parse(body) as Record<string, unknown>;
  const isUnderWay = problem['code'] === ('idempotency_in_progress' satisfies ProblemCode);
  return { kind: isUnderWay || statusCode === 429 || statusCode >= 500 ? 'not_ready' : 'refused', problem };
}

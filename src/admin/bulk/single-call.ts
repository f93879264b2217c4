import type { SubscriptionId } from '../../domain/ids';
import type { Asked } from '../../domain/audit/subscriptions';
import type { CallOutcome, MakeCall } from '../../jobs/run-bulk';
import { cycleInDunning, type ClaimedCall, type Request, wasSteered } from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import { ledgerProblem } from '../http/error-answers';
import { requestFingerprint } from '../http/fingerprint';
import { idFrom } from '../http/idempotency';
import { Problem, stateConflict } from '../http/problems';
import { carryOutChange } from '../subscriptions/amount';
import { carryOut } from '../subscriptions/carry-out';
import { recordRefusal, type Refusable } from '../subscriptions/steering';
import { BULK_ACTIONS, type BulkAction, parseParameters } from './schema';

/**
 * Makes the calls of bulk jobs as the routes of individual calls do, on behalf of the caller who started the job: rules, refusals
 * and audit entries are the same. Role, scopes and limits of the key, and approvals, were checked for the job as a whole. A call
 * that is repeated because its result was lost has the same request id, so that it takes effect once.
 */
export function executeBulkItem(deps: AdminDeps): MakeCall {
  return async (call) => {
    try {
      await make(deps, call);
      return { kind: 'done' };
    } catch (error) {
      return outcomeOf(problemOf(deps, call, error));
    }
  };
}

async function make(deps: AdminDeps, call: ClaimedCall): Promise<void> {
  const { actor, keyId, subscriptionId: id, work, tries } = call;
  const action = work.action as BulkAction;
  const by = { actor, keyId, requestId: requestIdOf(call) };
  // If an earlier try took effect, the call would be refused now, for example because no cycle waits for a retry any
  // more.
  if (tries > 1 && (await wasSteered(deps.db, ASKED[action], id, by.requestId))) return;
  const refusable: Refusable = { id, asks: ASKED[action], by };
  if (action !== 'retry') return recordingRefusal(deps, refusable, MAKE[action](deps, id, work.parameters, by));
  const { at: retryAt = null, reason } = parseParameters(BULK_ACTIONS.retry.body, work.parameters);
  const cycle = await cycleInDunning(deps.db, id);
  if (cycle === null) throw stateConflict('No cycle of the subscription waits for a retry.');
  return recordingRefusal(deps, { ...refusable, cycle }, carryOut.retry(deps, id, { ...by, reason, cycle, retryAt }));
}

async function recordingRefusal(deps: AdminDeps, refusable: Refusable, made: Promise<void>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (error instanceof Problem) await recordRefusal(deps, refusable, error);
    throw error;
  }
}

type By = Omit<Request, 'reason'>;
type Make = (deps: AdminDeps, id: SubscriptionId, parameters: unknown, by: By) => Promise<void>;

const MAKE: Readonly<Record<Exclude<BulkAction, 'retry'>, Make>> = {
  async pause(deps, id, parameters, by) {
    const { reason = null, until = null } = parseParameters(BULK_ACTIONS.pause.body, parameters);
    await carryOut.pause(deps, id, { ...by, reason, until });
  },
  resume: async (deps, id, parameters, by) =>
    carryOut.resume(deps, id, { ...by, reason: parseParameters(BULK_ACTIONS.resume.body, parameters).reason ?? null }),
  cancel: async (deps, id, parameters, by) =>
    carryOut.cancel(deps, id, { ...by, reason: parseParameters(BULK_ACTIONS.cancel.body, parameters).reason ?? null }),
  acknowledge: async (deps, id, parameters, by) =>
    carryOut.acknowledge(deps, id, {
      ...by,
      reason: parseParameters(BULK_ACTIONS.acknowledge.body, parameters).reason,
    }),
  'consent-check': (deps, id) => carryOut.checkConsent(deps, id),
  async 'amount-change'(deps, id, parameters, by) {
    const { amount, fromCycle = null, reason = null } = parseParameters(BULK_ACTIONS['amount-change'].body, parameters);
    await carryOutChange(deps, id, { ...by, reason, amount, fromCycle });
  },
};

const ASKED: Readonly<Record<BulkAction, Asked>> = {
  pause: 'pause',
  resume: 'resume',
  cancel: 'cancel',
  retry: 'retry',
  acknowledge: 'acknowledge',
  'consent-check': 'check_consent',
  'amount-change': 'change_amount',
};

/** The id of a call of a job. Unlike that of an individual request, it is the same on the next day. */
function requestIdOf({ jobId, number, work }: ClaimedCall): string {
  return idFrom(requestFingerprint({ call: `job ${jobId}/${number}`, body: work }));
}

function problemOf({ logger }: AdminDeps, { jobId, subscriptionId }: ClaimedCall, error: unknown): Problem {
  if (error instanceof Problem) return error;
  logger.warn({ err: loggable(error), jobId, subscriptionId }, 'a call of a job failed');
  return ledgerProblem(error) ?? new Problem('internal', 'Internal error. The log has details.');
}

/** What the ledger, Temporal or the service could not do now can be repeated. */
function outcomeOf(problem: Problem): CallOutcome {
  const isRepeatable = problem.statusCode === 429 || problem.statusCode >= 500;
  return { kind: isRepeatable ? 'not_ready' : 'refused', problem: problem.body() };
}

import type { FastifyInstance } from 'fastify';
import { DAY, HOUR, MINUTE, SECOND } from '../domain/time';
import { finishJobs, purgeJobs, postponeCall, recordCall, claimCalls, type ClaimedCall } from '../ledger';
import { loggable } from '../platform/log';
import { type JobDeps, logged, workRepeatedly } from './repeated-work';

/** The outcome of one call of a job. */
export type CallOutcome =
  | { readonly kind: 'done' }
  /**
   * `problem`: problem details, as returned by the individual call. `not_ready`: the ledger, Temporal or a worker is unavailable;
   * the call may be done or refused later.
   */
  | { readonly kind: 'refused' | 'not_ready'; readonly problem: Readonly<Record<string, unknown>> };

/** Makes the call exactly as if it were requested alone. Never rejects. */
export type MakeCall = (call: ClaimedCall) => Promise<CallOutcome>;

/** All in real time. */
const EVERY = SECOND;
/** Longer than any call takes: a consent check waits at most 45 seconds. */
const LEASE = 2 * MINUTE;
const RETRY_AFTER = 10 * SECOND;
const MAX_TRIES = 6;
/** Concurrent calls in one process: other steering requests must not wait behind them. */
const AT_ONCE = 4;
const PROPOSED_LIFE = DAY;
const JOB_LIFE = 90 * DAY;
const AT_ONCE_PURGED = 10;

/**
 * Continues jobs as long as the API runs, whichever process started them: each call is claimed in the ledger, and claimed by
 * another process if its owner dies. Old jobs are removed every hour.
 */
export function runBulkJobs(app: FastifyInstance, deps: JobDeps, makeCall: MakeCall): void {
  const runCalls = logged(deps.logger, 'jobs could not be continued', (signal) => runWaiting(deps, makeCall, signal));
  const removeOld = logged(deps.logger, 'old jobs could not be removed', () => purge(deps));
  workRepeatedly(app, EVERY, runCalls);
  workRepeatedly(app, HOUR, removeOld);
}

/** Runs calls until none can be made now. */
async function runWaiting(deps: JobDeps, makeCall: MakeCall, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  for (;;) {
    const calls = signal.aborted ? [] : await claimCalls(db, AT_ONCE, LEASE);
    if (calls.length === 0) break;
    await Promise.all(calls.map((call) => make(deps, makeCall, call)));
  }
  await finishJobs(db, clock.realNow());
}

/** A call that fails without being refused is retried a few times; no call stops another one. */
async function make({ db, clock, logger }: JobDeps, makeCall: MakeCall, call: ClaimedCall): Promise<void> {
  const { jobId, subscriptionId, tries } = call;
  try {
    const outcome = await makeCall(call);
    if (outcome.kind !== 'not_ready' || tries >= MAX_TRIES) {
      await recordCall(db, call, outcome.kind === 'done' ? null : outcome.problem, clock.now());
      return;
    }
    logger.warn({ jobId, subscriptionId, tries }, 'a call of a job is postponed');
    await postponeCall(db, call, RETRY_AFTER);
  } catch (error) {
    logger.warn(
      { err: loggable(error), jobId, subscriptionId },
      'the outcome of a call of a job could not be recorded',
    );
  }
}

/** What cannot be removed now is removed in an hour. */
async function purge({ db, clock, logger }: JobDeps): Promise<void> {
  const realNow = clock.realNow();
  const old = { proposedBeforeReal: realNow - PROPOSED_LIFE, createdBeforeReal: realNow - JOB_LIFE };
  const removed = await purgeJobs(db, old, AT_ONCE_PURGED);
  if (removed > 0) logger.debug({ removed }, 'old jobs removed');
}

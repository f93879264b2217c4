import type { FastifyInstance } from 'fastify';
import { DAY, HOUR, MINUTE, SECOND } from '../domain/time';
import { finishJobs, purgeJobs, putOffCall, recordCall, takeCalls, type TakenCall } from '../ledger';
import { loggable } from '../platform/log';
import { type JobDeps, logged, workRepeatedly } from './repeated-work';

/** What became of one call of a job. */
export type CallOutcome =
  | { readonly kind: 'done' }
  /**
   * `problem`: problem details, as the single call answers them. What is not ready may be done or refused later: the ledger,
   * Temporal or a worker is away.
   */
  | { readonly kind: 'refused' | 'not_ready'; readonly problem: Readonly<Record<string, unknown>> };

/** Makes the call just as if it were asked for alone. It never rejects. */
export type MakeCall = (call: TakenCall) => Promise<CallOutcome>;

/** All of real time. */
const EVERY = SECOND;
/** A consent check waits for 45 seconds at most. */
const LEASE = 2 * MINUTE;
const PUT_OFF = 10 * SECOND;
const MOST_TRIES = 6;
/** Calls under way at once in one process: others that steer must not wait behind them. */
const AT_ONCE = 4;
const PROPOSED_LIFE = DAY;
const JOB_LIFE = 90 * DAY;
const AT_ONCE_PURGED = 10;

/**
 * Goes on with jobs as long as the API runs, whichever process has begun them: each call is taken from the ledger, and taken
 * by another process where the one that has it dies. Old jobs are removed each hour.
 */
export function runBulkJobs(app: FastifyInstance, deps: JobDeps, makeCall: MakeCall): void {
  const goOn = logged(deps.logger, 'jobs could not be gone on with', (signal) => workThrough(deps, makeCall, signal));
  const removeOld = logged(deps.logger, 'old jobs could not be removed', () => purge(deps));
  workRepeatedly(app, EVERY, goOn);
  workRepeatedly(app, HOUR, removeOld);
}

/** Until nothing waits that could be made now. */
async function workThrough(deps: JobDeps, makeCall: MakeCall, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  for (;;) {
    const calls = signal.aborted ? [] : await takeCalls(db, AT_ONCE, LEASE);
    if (calls.length === 0) break;
    await Promise.all(calls.map((call) => make(deps, makeCall, call)));
  }
  await finishJobs(db, clock.realNow());
}

/** One that fails for no rule's reason is tried again, a few times: no call stops another one. */
async function make({ db, clock, logger }: JobDeps, makeCall: MakeCall, call: TakenCall): Promise<void> {
  const { jobId, subscriptionId, tries } = call;
  try {
    const outcome = await makeCall(call);
    if (outcome.kind !== 'not_ready' || tries >= MOST_TRIES) {
      await recordCall(db, call, outcome.kind === 'done' ? null : outcome.problem, clock.now());
      return;
    }
    logger.info({ jobId, subscriptionId, tries }, 'a call of a job is put off');
    await putOffCall(db, call, PUT_OFF);
  } catch (error) {
    logger.warn({ err: loggable(error), jobId, subscriptionId }, 'what became of a call of a job could not be kept');
  }
}

/** What cannot be removed now will be in an hour. */
async function purge({ db, clock, logger }: JobDeps): Promise<void> {
  const realNow = clock.realNow();
  const old = { proposedBeforeReal: realNow - PROPOSED_LIFE, createdBeforeReal: realNow - JOB_LIFE };
  const removed = await purgeJobs(db, old, AT_ONCE_PURGED);
  if (removed > 0) logger.debug({ removed }, 'old jobs removed');
}

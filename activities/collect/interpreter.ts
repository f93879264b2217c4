import { Context } from '@temporalio/activity';
import type { Action, Answer, RetryLater } from '../../src/domain/attempt/action';
import { type DoneStep, type Facts, isToBeSent } from '../../src/domain/attempt/attempt';
import { nextAction } from '../../src/domain/attempt/next-action';
import { hasUnknownOutcome } from '../../src/domain/send';
import type { StoredBackOff } from '../../src/ledger';
import { inSpan } from '../../src/platform/tracing';
import { type Progress, tryAgain, WORKER_STOPPED } from '../stops';
import { continueBackOff, endIfEarly, waitFrom } from './back-off';
import {
  ActionExecutor,
  type End,
  type ExecutorDeps,
  HAND_OVER,
  type Permit,
  recordSideEffects,
  type Run,
} from './action-executor';
import { HandOver } from './in-place';
import type { Subject } from './subject';

/**
 * Carries out the actions of `nextAction` until there is a result. Safe to run any number of times: the row says how far it
 * got, and a row without an outcome is settled, never sent again (rule 16). All debits of subscriptions, all captures and all
 * refunds pass through here.
 * @param stored the back-off stored by a previous activity; null if there is none
 * @throws ApplicationFailure to be retried; HandOver, only within a workflow task
 */
export async function carryOut(
  deps: ExecutorDeps,
  subject: Subject,
  progress: Progress,
  stored: StoredBackOff | null,
): Promise<Answer['result']> {
  const run: Run = { deps, subject, progress, backOff: continueBackOff(deps, stored), answered: null };
  for (;;) {
    const end = await pass(run);
    if (end.kind === 'answer') return end.result;
    if (end.kind === 'retry_later') await waitOrEnd(run, end);
    if (end.kind === 'hand_over') throw new HandOver();
  }
}

/** Like {@link carryOut}, but in parallel to other work: ends with the first change of the row, or when it would have to wait. */
export async function checkOnce(deps: ExecutorDeps, subject: Subject, progress: Progress): Promise<void> {
  await pass({ deps, subject, progress, backOff: waitFrom(deps.clock.realNow()), answered: null });
}

/** Waits within the activity's slot, or ends the activity until the wait has passed. */
async function waitOrEnd({ deps, subject, backOff }: Run, end: RetryLater): Promise<void> {
  if (end.inPlace !== null && (await deps.polling.wait(end.inPlace))) return;
  // The activity on the queue continues at once, so no wait is stored.
  if (end.inPlace !== null && deps.polling.isOver !== undefined) throw new HandOver();
  await backOff.keep(deps, subject.key, end);
  throw tryAgain(end.stop, end.why, end.wait);
}

/** One pass, from reading the row until it changes. */
async function pass(run: Run): Promise<End> {
  const { deps, subject } = run;
  const facts: Facts = { ...blank(run), ...(await subject.readSend()) };
  run.answered = null;
  const first = nextAction(subject.attempt, facts);
  if (first.kind === 'answer') {
    await recordSideEffects(run, first);
    return first;
  }
  endIfEarly(deps.clock, run.backOff);
  const { attempt, noun, calls } = subject;
  if (facts.reopened === null && !attempt.settleOnly && isToBeSent(facts.send)) {
    return inSpan(`send ${noun}`, () => inPermit(run, calls, (permit) => follow(run, facts, permit)));
  }
  const work = () => inSpan(phaseOf(noun, facts), () => follow(run, facts, null));
  return deps.polling.isOver === undefined ? work() : inPermit(run, CALLS_PER_POLL, work);
}

/** The calls for the list and the captures. */
const CALLS_PER_POLL = 2;

/** What a pass that sends nothing does, as the name of its span. */
function phaseOf(noun: Subject['noun'], { send }: Facts): string {
  if (send?.state === 'pending') return `poll ${noun}`;
  return send !== null && hasUnknownOutcome(send.state) ? `settle ${noun}` : `check ${noun}`;
}

/** The facts before anything was requested. */
function blank(run: Run): Facts {
  const { clock, settings } = run.deps;
  const { settle, requestTimeout, listDays = null } = settings;
  return {
    ...timesOf(run),
    clock: clock.setting,
    settle,
    requestTimeout,
    listDays,
    send: null,
    reopened: null,
    ledger: null,
    consent: null,
    list: null,
    own: null,
    takenIds: null,
    captures: null,
    sent: null,
    answered: run.answered,
    done: new Set<DoneStep>(),
  };
}

function timesOf({ deps: { clock }, backOff }: Run): Pick<Facts, 'now' | 'realNow' | 'age'> {
  const realNow = clock.realNow();
  return { now: clock.now(), realNow, age: realNow - backOff.sinceReal };
}

/**
 * Reserves the calls together if calls are capped, so that what was read stays fresh and no "sending" row waits for a permit
 * (rule 31). Within a workflow task a permit must be free immediately.
 */
async function inPermit({ deps }: Run, calls: number, work: (permit: Permit) => Promise<End>): Promise<End> {
  const { service, polling } = deps;
  if (polling.isOver !== undefined) {
    const refusal = new AbortController();
    const done = service.withReservation(calls, work, refusal.signal);
    // A permit that is free has been reserved by now: without one, the reservation is refused.
    refusal.abort();
    return (await done) ?? HAND_OVER;
  }
  const done = await service.withReservation(calls, work, Context.current().cancellationSignal);
  if (done === null) throw tryAgain('not_sent', WORKER_STOPPED, 1);
  return done;
}

/** The actions that may call the service. After a POST none of them follows before the answer is in its row. */
const REQUESTS: readonly Action['kind'][] = ['check', 'poll', 'poll_reopened', 'check_captures', 'send'];

/** More than any row needs: a state machine that repeats itself is a bug. */
const MAX_ACTIONS = 200;

async function follow(run: Run, initial: Facts, permit: Permit | null): Promise<End> {
  const executor = new ActionExecutor(run, permit);
  let facts = initial;
  try {
    for (let actions = 0; actions < MAX_ACTIONS; actions += 1) {
      facts = { ...facts, ...timesOf(run) };
      const action = nextAction(run.subject.attempt, facts);
      if (REQUESTS.includes(action.kind) && run.deps.polling.isOver?.() === true) return HAND_OVER;
      const next = await executor.execute(action, facts);
      if (next.kind !== 'new_facts') return next;
      facts = { ...facts, ...next.facts };
    }
  } finally {
    await run.subject.endPass();
  }
  throw new Error(`${run.subject.key}: no end after ${MAX_ACTIONS} actions`);
}

import { Context } from '@temporalio/activity';
import type { CollectStepInput, Step } from '../../src/contract/steps';
import { planToSettle } from '../../src/domain/subscription/next-step';
import type { AttemptNumber } from '../../src/domain/subscription/step';
import { collectionWindow } from '../../src/domain/subscription/schedule';
import type { CollectPlan, CollectResult, SubscriptionState } from '../../src/domain/subscription/state';
import { plannedFor, whyNow } from '../../src/domain/trail/grounds';
import {
  type AttemptRead,
  type AttemptRecord,
  endUnrecordableItem,
  type FinalResult,
  getSubscription,
  latestSend,
  readAttempt,
  readCurrent,
  recordResult,
  reopenedAttempt,
  resultOf,
} from '../../src/ledger';
import { endOfConsent, noteUnreadable, remember, toConsentResult } from '../consent/answer';
import { decide, decideOn } from '../decide';
import { toIso } from '../../src/domain/time';
import { describeSpan, inSpan } from '../../src/tracing';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import { type Progress, withHeartbeat, tryAgain, describe, retryAfter } from '../stops';
import { alert } from '../sending';
import {
  type Collecting,
  collectingOf,
  type CollectInput,
  isToBeSent,
  isWindowOver,
  MOVED,
  type Phase,
  recordEvent,
} from './attempt';
import { pauseUntil } from './pauses';
import { settleBeside } from './contradictions';
import { pollAttempt } from './poll';
import { sendAttempt } from './send';
import { lookAgain, settleAttempt } from './settle';
import type { TrailMemory } from './trail-memory';

/**
 * The attempt that the workflow names, if the ledger says that it is the next step; otherwise that step is answered. Amount, dates
 * and limits are the ledger's. Safe to run any number of times: the attempt's row says how far it came, and a row without an
 * outcome is asked about, never sent again (rule 16).
 * @param memory of the worker
 */
export function collectPayment(deps: Dependencies, input: CollectStepInput, memory: TrailMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    if (Context.current().info.attempt > 1) await askAfterRefusal(deps, input, memory, progress);
    const { step, from } = await decideOn(deps, input);
    if (from?.step.kind !== 'collect' || !isAttempt(from.step.plan, input)) return step;
    const planned = plannedInput(deps, from.state, from.step.plan, input);
    const collecting = collectingOf(deps, planned, memory, progress);
    if (from.state.open?.doubt === 'unknown' && isWindowOver(collecting)) await recordUnknownPastWindow(collecting);
    const result = await runOrHandOver(collecting);
    describeSpan({ 'dueday.result': result.kind });
    await recordOther(deps, planned, result);
    const next = await decide(deps, input);
    return result.kind === 'collected' ? { ...next, mark: await memory.signed(deps) } : next;
  });
}

/**
 * What PostgreSQL refuses to write of an attempt leaves its cycle unresolved, for an operator; the service is asked ever more
 * rarely then (rule 43).
 */
async function runOrHandOver(collecting: Collecting): Promise<CollectResult> {
  const { deps, input } = collecting;
  const { subscriptionId, paymentId } = input;
  const work = { activity: 'collectPayment', id: subscriptionId } as const;
  if (input.knownUnresolved) {
    const result = await run(collecting);
    await endUnrecordableItem(deps.ledger, work);
    return result;
  }
  const about = { subscriptionId, paymentId };
  return passingOver<CollectResult>(
    deps,
    { ...work, about },
    () => run(collecting),
    (reason) => ({ kind: 'unresolved', reason }),
  );
}

/** Its window has ended, and it is not known whether a debit was made. */
function recordUnknownPastWindow(collecting: Collecting): Promise<void> {
  const { dueAt, collectBy, amount } = collecting.input;
  const data = { dueAt: toIso(dueAt), amount, collectBy: toIso(collectBy) };
  return recordEvent(collecting, 'attempt.unknown_past_window', data);
}

/** Asks for the outcome of an attempt whose subscription goes on, or has ended. Sends nothing. `finish` once it is final. */
export function followAttempt(deps: Dependencies, input: CollectStepInput, memory: TrailMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    const found = await awaited(deps, input);
    if (found === null)
      return { ...(await decide(deps, input)), kind: 'finish', summary: 'its outcome is in the ledger' };
    let result = await run(collectingOf(deps, found, memory, progress));
    if (result.kind === 'unresolved') {
      // An operator has it from here on; the service is asked ever more rarely.
      await recordOther(deps, found, result);
      result = await run(collectingOf(deps, { ...found, knownUnresolved: true }, memory, progress));
    }
    await recordOther(deps, found, result);
    return { ...(await decide(deps, input)), kind: 'follow', attempt: { cycle: input.cycle, attempt: input.attempt } };
  });
}

/** The attempt as the ledger plans it now, with what it was planned from. */
function plannedInput(
  { clock }: Dependencies,
  state: SubscriptionState,
  plan: CollectPlan,
  input: CollectStepInput,
): CollectInput {
  const now = clock.now();
  const grounds = plan.settleOnly ? {} : { why: whyNow(state, plan, now), plannedAt: plannedFor(state, plan, now) };
  return inputOf(state, plan, input, grounds);
}

/** An attempt that waits for its outcome; null once there is one. */
async function awaited(deps: Dependencies, input: CollectStepInput): Promise<CollectInput | null> {
  const now = deps.clock.now();
  const state = (await readCurrent(deps.ledger, input.subscriptionId, now))?.state;
  const plan = state === undefined ? null : planToSettle(state, input.cycle, now);
  return state === undefined || plan === null ? null : inputOf(state, { ...plan, ...PARKED }, input, {});
}

const PARKED = { settleOnly: true, parked: true } as const;

function isAttempt(plan: CollectPlan, { cycle, attempt }: AttemptNumber): boolean {
  return plan.cycle === cycle && plan.attempt === attempt;
}

function inputOf(
  { terms, paymentId, revision }: SubscriptionState,
  plan: CollectPlan,
  { mark }: CollectStepInput,
  grounds: Pick<CollectInput, 'why' | 'plannedAt'>,
): CollectInput {
  const { subscriptionId } = terms;
  if (paymentId === null) throw new Error(`subscription ${subscriptionId} has no payment yet`);
  return {
    subscriptionId,
    paymentId,
    ...plan,
    revision,
    ...grounds,
    ...(mark === undefined ? {} : { trailMark: mark }),
  };
}

/** A final outcome is in the ledger with its attempt; what else became of it is written here. */
async function recordOther({ ledger, clock }: Dependencies, plan: CollectInput, result: CollectResult): Promise<void> {
  if (result.kind === 'collected' || result.kind === 'rejected' || result.kind === 'capture_failed') return;
  await recordResult(ledger, plan.subscriptionId, plan, result, clock.now());
}

/** A refusal said that the consent is not valid, and the consent could not be read then: it is asked for before anything else. */
async function askAfterRefusal(
  deps: Dependencies,
  input: CollectStepInput,
  memory: TrailMemory,
  progress: Progress,
): Promise<void> {
  const { subscriptionId, cycle, attempt } = input;
  const row = await latestSend(deps.ledger, subscriptionId, cycle, attempt);
  if (row?.state !== 'rejected' || row.detail !== CONSENT_NOT_VALID || row.resolvedBy !== null) return;
  const subscription = await getSubscription(deps.ledger, subscriptionId);
  const answeredAt = subscription?.consent.checkedAt ?? null;
  if (subscription === null || (answeredAt !== null && answeredAt > (row.outcomeAt ?? row.at))) return;
  const { state } = (await readCurrent(deps.ledger, subscriptionId, deps.clock.now())) ?? {};
  if (state === undefined) return;
  const window = collectionWindow(subscription, cycle);
  const about = { cycle, attempt, amount: row.amount, ...window, sendBefore: window.dueAt, nextDueAt: null };
  const plan = { ...about, settleOnly: true, parked: false, knownUnresolved: true };
  const collecting = collectingOf(deps, inputOf(state, plan, input, {}), memory, progress);
  const refused = resultOf(row);
  const ended = refused.kind === 'rejected' ? await consentAfterRefusal(collecting, refused) : null;
  if (ended !== null) await recordOther(deps, collecting.input, ended);
}

async function run(collecting: Collecting): Promise<CollectResult> {
  for (;;) {
    const phase = await nextPhase(collecting);
    if (phase.kind !== 'moved') return phase;
  }
}

/** Takes the attempt on from where its row stands. */
async function nextPhase(collecting: Collecting): Promise<Phase> {
  const { send: row, beside } = await readRow(collecting);
  if (row === null || isToBeSent(row)) return beside === null ? beginAttempt(collecting) : followBeside(collecting);
  switch (row.state) {
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return inSpan('settle attempt', () => settleAttempt(collecting, row));
    case 'pending':
      return inSpan('poll attempt', () => pollAttempt(collecting, row));
    case 'rejected':
    case 'rejected_retryable':
      return beside === null ? storedOutcome(collecting, row) : followBeside(collecting);
    case 'successful':
      if (beside === 'reopened') await settleReopened(collecting);
      return storedOutcome(collecting, row);
    case 'capture_failed':
    case 'not_sent':
      return storedOutcome(collecting, row);
  }
}

function beginAttempt(collecting: Collecting): Promise<Phase> {
  return collecting.input.settleOnly
    ? inSpan('look again', () => lookAgain(collecting))
    : inSpan('send attempt', () => sendAttempt(collecting));
}

type Read = Pick<AttemptRead, 'send' | 'beside'>;

async function readRow(collecting: Collecting): Promise<Read> {
  const { deps, input, memory, written } = collecting;
  collecting.written = null;
  // Before a first attempt none of its cycle can have been refused.
  if (written !== null && input.attempt === 0) return { send: written, beside: null };
  const { subscriptionId, cycle, attempt, trailMark } = input;
  return memory.watch(deps, trailMark, () => readAttempt(deps.ledger, subscriptionId, cycle, attempt));
}

/** A refused attempt of the cycle that the service lists again goes before any further one (rule 36). */
async function followBeside(collecting: Collecting): Promise<Phase> {
  const row = await reopenedAttempt(collecting.deps.ledger, collecting.input);
  if (row === null) return MOVED;
  return row.state === 'pending' ? inSpan('poll attempt', () => pollAttempt(collecting, row)) : resultOf(row);
}

/** The cycle is collected: what was listed again beside it holds nothing up. */
async function settleReopened(collecting: Collecting): Promise<void> {
  const row = await reopenedAttempt(collecting.deps.ledger, collecting.input);
  if (row?.state === 'pending') await settleBeside(collecting, row);
}

/** The outcome that the ledger holds. Of a refusal it may be the consent that has ended (rule 12). */
async function storedOutcome(collecting: Collecting, row: AttemptRecord): Promise<CollectResult> {
  const outcome: FinalResult = resultOf(row);
  if (outcome.kind !== 'rejected' || row.resolvedBy !== null || row.refusedAs !== null) return outcome;
  if (!outcome.retryable) await alert(collecting, 'attempt.rejected_finally', { detail: outcome.detail });
  if (outcome.detail !== CONSENT_NOT_VALID) return outcome;
  return (await consentAfterRefusal(collecting, outcome)) ?? outcome;
}

const CONSENT_NOT_VALID = 'CONSENT_NOT_VALID';

/** After CONSENT_NOT_VALID the consent is asked first; its end is the subscription's (rules 12 and 7). */
async function consentAfterRefusal(
  collecting: Collecting,
  { at, sentAt, detail, description, retryable }: Extract<FinalResult, { kind: 'rejected' }>,
): Promise<CollectResult | null> {
  const { deps, input } = collecting;
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    await noteUnreadable(deps, input, consent);
    // The refusal is final either way; the next cycle reads the consent before it sends anything.
    if (isWindowOver(collecting)) return null;
    const pause = pauseUntil(collecting, input.collectBy, collecting.age(), retryAfter(consent));
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(consent)}`, pause);
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  if (result === null || result.kind === 'granted') return null;
  const refusal = { at, ...(sentAt === undefined ? {} : { sentAt }), detail, description, retryable };
  return { ...endOfConsent(result), refusal };
}

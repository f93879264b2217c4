import type { CollectStepInput, Step } from '../../src/contract/steps';
import { CONSENT_NOT_VALID } from '../../src/domain/attempt/next-action';
import { planToSettle } from '../../src/domain/subscription/next-step';
import type { AttemptNumber } from '../../src/domain/subscription/step';
import { collectionWindow } from '../../src/domain/subscription/schedule';
import type { CollectPlan, CollectResult, SubscriptionState } from '../../src/domain/subscription/state';
import { plannedFor, whyNow } from '../../src/domain/audit/grounds';
import {
  COLLECTING,
  getSubscription,
  readCurrent,
  readStoredBackOff,
  recordResult,
  resultOf,
  settledStep,
  type Survey,
  surveyAttempt,
} from '../../src/ledger';
import { decide, type DecidedStep, decideOn, stepOf } from '../decide';
import { toIso } from '../../src/domain/time';
import { describeSpan } from '../../src/platform/tracing';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';
import { type Progress, withHeartbeat } from '../stops';
import { debitOf } from './reopened';
import type { CollectInput, Debit } from './debit';
import { recordEvent } from './debit-records';
import { carryOut } from './interpreter';
import type { AuditMemory } from './audit-memory';

/** One run of the activity. */
interface Collecting {
  readonly deps: Dependencies;
  readonly input: CollectStepInput;
  /** The audit memory of this worker. */
  readonly memory: AuditMemory;
  readonly progress: Progress;
}

/**
 * Makes the attempt that the workflow names, if the ledger says that it is the next step, and returns the step after it; otherwise
 * only returns the next step. Amount, dates and limits come from the ledger. Safe to run any number of times: the attempt's row
 * says how far it got, and a row without an outcome is settled, never sent again (rule 16).
 * @param memory the audit memory of this worker
 */
export function collectPayment(deps: Dependencies, input: CollectStepInput, memory: AuditMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    const collecting: Collecting = { deps, input, memory, progress };
    const { step, decision, survey } = await decideBySurvey(collecting);
    if (decision?.step.kind !== 'collect' || !isAttempt(decision.step.plan, input)) return step;
    const planned = plannedInput(deps, decision.state, decision.step.plan, input);
    const debit = debitOf(deps, planned, memory, progress, survey);
    if (decision.state.open?.unsettled === 'unknown' && deps.clock.now() >= planned.collectBy)
      await recordUnknownPastWindow(debit);
    const result = await collectOrOpenItem(debit, progress, survey);
    describeSpan({ 'dueday.result': result.kind });
    await recordOther(deps, planned, result);
    const next = await decideAfter(debit, input);
    return result.kind === 'collected' ? { ...next, mark: await memory.signed(deps) } : next;
  });
}

/** Decides from what the ledger returned with the debit, if nothing else has to be written. */
async function decideAfter({ deps, row: { current } }: Debit, input: CollectStepInput): Promise<Step> {
  const next = current === null ? null : settledStep(current, { ...input, at: deps.clock.now() });
  return next === null ? decide(deps, input) : stepOf(deps, next);
}

/**
 * One statement reads the next step and everything that the attempt's first pass needs. If something must be written first,
 * step and attempt are read separately.
 */
async function decideBySurvey(
  collecting: Collecting,
): Promise<DecidedStep & { /** Null if the first pass must read the attempt. */ readonly survey: Survey | null }> {
  const { deps, input } = collecting;
  const first = await surveyNow(collecting);
  const isChecked = await checkAfterRefusal(collecting, first.survey);
  const { survey, at } = isChecked ? await surveyNow(collecting) : first;
  const decision = survey === null ? null : settledStep(survey.current, { ...input, at });
  if (decision === null) return { ...(await decideOn(deps, input)), survey: null };
  return { step: stepOf(deps, decision), decision, survey };
}

/** The survey, and the business time at which it was read. */
function surveyNow({ deps, input, memory }: Collecting) {
  const read = async () => {
    const at = deps.clock.now();
    const survey = await surveyAttempt(deps.ledger, input, at);
    return { survey, at, mark: survey?.mark ?? null };
  };
  return memory.watch(deps, input.mark, read, read);
}

/**
 * If PostgreSQL refuses a write of an attempt, its cycle becomes unresolved, for an operator; the service is then polled at growing
 * intervals (rule 43).
 */
async function collectOrOpenItem(debit: Debit, progress: Progress, survey: Survey | null): Promise<CollectResult> {
  const { deps, input } = debit;
  const { subscriptionId, paymentId } = input;
  if (input.knownUnresolved) return collect(debit, progress, survey);
  const work = { activity: COLLECTING, id: subscriptionId };
  const about = { subscriptionId, paymentId };
  return skipIfRefused<CollectResult>(
    deps,
    { ...work, about },
    () => collect(debit, progress, survey),
    (reason) => ({ kind: 'unresolved', reason }),
  );
}

/** Records that the window has ended and that it is unknown whether a debit was made. */
function recordUnknownPastWindow(debit: Debit): Promise<void> {
  const { dueAt, collectBy, amount } = debit.input;
  const data = { dueAt: toIso(dueAt), amount, collectBy: toIso(collectBy) };
  return recordEvent(debit, 'attempt.unknown_past_window', data);
}

/**
 * Polls the outcome of an attempt, whether its subscription continues or has ended. Sends nothing. `finish` once it is
 * final.
 */
export function followAttempt(deps: Dependencies, input: CollectStepInput, memory: AuditMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    const planned = await planToAwait(deps, input);
    if (planned === null)
      return { ...(await decide(deps, input)), kind: 'finish', summary: 'its outcome is in the ledger' };
    const follow = (plan: CollectInput) => collect(debitOf(deps, plan, memory, progress), progress, null);
    let result = await follow(planned);
    if (result.kind === 'unresolved') {
      // From now on an operator may resolve it; the service is still polled, at growing intervals.
      await recordOther(deps, planned, result);
      result = await follow({ ...planned, knownUnresolved: true });
    }
    await recordOther(deps, planned, result);
    return { ...(await decide(deps, input)), kind: 'follow', attempt: { cycle: input.cycle, attempt: input.attempt } };
  });
}

/** The attempt as currently planned in the ledger, and why. */
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
async function planToAwait(deps: Dependencies, input: CollectStepInput): Promise<CollectInput | null> {
  const now = deps.clock.now();
  const state = (await readCurrent(deps.ledger, input.subscriptionId, now))?.state;
  const plan = state === undefined ? null : planToSettle(state, input.cycle, now);
  if (state === undefined || plan === null) return null;
  return inputOf(state, { ...plan, settleOnly: true, parked: true }, input, {});
}

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
    auditPosition: mark,
  };
}

/** A final outcome is stored with its attempt; any other result is recorded here. */
async function recordOther({ ledger, clock }: Dependencies, plan: CollectInput, result: CollectResult): Promise<void> {
  if (result.kind === 'collected' || result.kind === 'rejected' || result.kind === 'capture_failed') return;
  await recordResult(ledger, plan.subscriptionId, plan, result, clock.now());
}

/**
 * If an attempt was refused because the consent is not valid, and the consent could not be read at that time, the next activity
 * reads the consent before anything else.
 * @returns whether the ledger may have changed
 */
async function checkAfterRefusal(
  { deps, input, memory, progress }: Collecting,
  survey: Survey | null,
): Promise<boolean> {
  const row = survey?.send ?? null;
  if (survey === null || row?.state !== 'rejected' || row.detail !== CONSENT_NOT_VALID || row.resolvedBy !== null)
    return false;
  const { subscriptionId, cycle, attempt } = input;
  const subscription = await getSubscription(deps.ledger, subscriptionId);
  const answeredAt = subscription?.consent.checkedAt ?? null;
  if (subscription === null || (answeredAt !== null && answeredAt > (row.outcomeAt ?? row.at))) return false;
  const { state } = survey.current;
  const window = collectionWindow(subscription, cycle);
  // Nothing is sent, so `sendBefore` has no effect; `knownUnresolved` only keeps the cycle from being shown as unresolved.
  const about = { cycle, attempt, amount: row.amount, ...window, sendBefore: window.dueAt, nextDueAt: null };
  const plan = { ...about, settleOnly: true, parked: false, knownUnresolved: true };
  const debit = debitOf(deps, inputOf(state, plan, input, {}), memory, progress);
  await recordOther(deps, debit.input, await collect(debit, progress, null));
  return true;
}

/**
 * If the result is `stored`, the outcome is in the attempt's row.
 * @param survey what was just read about the attempt; null if its back-off must be read
 */
async function collect(debit: Debit, progress: Progress, survey: Survey | null): Promise<CollectResult> {
  const { deps, key, row } = debit;
  const stored = survey === null ? await readStoredBackOff(deps.ledger, key) : survey.storedBackOff;
  const result = await carryOut(deps, debit, progress, stored);
  return result.kind === 'stored' ? resultOf(row.requireRecord()) : result;
}

import type { CollectStepInput, Step } from '../../src/contract/steps';
import { CONSENT_NOT_VALID } from '../../src/domain/attempt/next-action';
import { planToSettle } from '../../src/domain/subscription/next-step';
import type { AttemptNumber } from '../../src/domain/subscription/step';
import { collectionWindow } from '../../src/domain/subscription/schedule';
import type { CollectPlan, CollectResult, SubscriptionState } from '../../src/domain/subscription/state';
import { plannedFor, whyNow } from '../../src/domain/audit/grounds';
import {
  endUnrecordableItem,
  getSubscription,
  readCurrent,
  recordResult,
  resultOf,
  settledStep,
  type StoredBackOff,
  type Survey,
  surveyAttempt,
} from '../../src/ledger';
import { decide, type DecidedOn, decideOn, stepOf } from '../decide';
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

/**
 * Makes the attempt that the workflow names, if the ledger says that it is the next step; otherwise returns the next step.
 * Amount, dates and limits come from the ledger. Safe to run any number of times: the attempt's row says how far it got, and a
 * row without an outcome is reconciled, never sent again (rule 16).
 * @param memory the audit memory of this worker
 */
export function collectPayment(deps: Dependencies, input: CollectStepInput, memory: AuditMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    const { step, from, survey } = await decideBySurvey(deps, input, memory, progress);
    if (from?.step.kind !== 'collect' || !isAttempt(from.step.plan, input)) return step;
    const planned = plannedInput(deps, from.state, from.step.plan, input);
    const debit = debitOf(deps, planned, memory, progress, survey);
    if (from.state.open?.unsettled === 'unknown' && deps.clock.now() >= planned.collectBy)
      await recordUnknownPastWindow(debit);
    const result = await collectOrOpenItem(debit, progress, survey?.left);
    describeSpan({ 'dueday.result': result.kind });
    await recordOther(deps, planned, result);
    const next = await decideAfter(debit, input);
    return result.kind === 'collected' ? { ...next, mark: await memory.signed(deps) } : next;
  });
}

/** Decides from what the ledger returned with the debit, if nothing else has to be written. */
async function decideAfter({ deps, known: { current } }: Debit, input: CollectStepInput): Promise<Step> {
  const next = current === null ? null : settledStep(current, { ...input, at: deps.clock.now() });
  return next === null ? decide(deps, input) : stepOf(deps, next);
}

/**
 * One statement reads the next step and everything that the attempt's first pass needs. If something must be written first,
 * step and attempt are read separately.
 */
async function decideBySurvey(
  deps: Dependencies,
  input: CollectStepInput,
  memory: AuditMemory,
  progress: Progress,
): Promise<DecidedOn & { readonly survey: Survey | null }> {
  let at = deps.clock.now();
  const read = async () => {
    at = deps.clock.now();
    const found = await surveyAttempt(deps.ledger, input, at);
    return { survey: found, mark: found?.mark ?? null };
  };
  let { survey } = await memory.watch(deps, input.mark, read, read);
  const isChecked = await checkAfterRefusal(deps, input, survey, memory, progress);
  if (isChecked) ({ survey } = await memory.watch(deps, input.mark, read, read));
  const from = survey === null ? null : settledStep(survey.current, { ...input, at });
  if (from === null) return { ...(await decideOn(deps, input)), survey: null };
  return { step: stepOf(deps, from), from, survey };
}

/**
 * If PostgreSQL refuses a write of an attempt, its cycle becomes unresolved, for an operator; the service is then polled with growing
 * pauses (rule 43).
 */
async function collectOrOpenItem(
  debit: Debit,
  progress: Progress,
  stored: StoredBackOff | null | undefined,
): Promise<CollectResult> {
  const { deps, input } = debit;
  const { subscriptionId, paymentId } = input;
  const work = { activity: 'collectPayment', id: subscriptionId } as const;
  if (input.knownUnresolved) {
    const result = await collect(debit, progress, stored);
    await endUnrecordableItem(deps.ledger, work);
    return result;
  }
  const about = { subscriptionId, paymentId };
  return skipIfRefused<CollectResult>(
    deps,
    { ...work, about },
    () => collect(debit, progress, stored),
    (reason) => ({ kind: 'unresolved', reason }),
  );
}

/** The window has ended, and it is unknown whether a debit was made. */
function recordUnknownPastWindow(debit: Debit): Promise<void> {
  const { dueAt, collectBy, amount } = debit.input;
  const data = { dueAt: toIso(dueAt), amount, collectBy: toIso(collectBy) };
  return recordEvent(debit, 'attempt.unknown_past_window', data);
}

/** Polls the outcome of an attempt while its subscription continues or has ended. Sends nothing. `finish` once it is final. */
export function followAttempt(deps: Dependencies, input: CollectStepInput, memory: AuditMemory): Promise<Step> {
  return withHeartbeat(async (progress) => {
    const found = await awaited(deps, input);
    if (found === null)
      return { ...(await decide(deps, input)), kind: 'finish', summary: 'its outcome is in the ledger' };
    const follow = (plan: CollectInput) => collect(debitOf(deps, plan, memory, progress), progress);
    let result = await follow(found);
    if (result.kind === 'unresolved') {
      // Now it is for an operator to resolve; the service is still polled, with growing pauses.
      await recordOther(deps, found, result);
      result = await follow({ ...found, knownUnresolved: true });
    }
    await recordOther(deps, found, result);
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
    ...(mark === undefined ? {} : { auditPosition: mark }),
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
  deps: Dependencies,
  input: CollectStepInput,
  survey: Survey | null,
  memory: AuditMemory,
  progress: Progress,
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
  const about = { cycle, attempt, amount: row.amount, ...window, sendBefore: window.dueAt, nextDueAt: null };
  const plan = { ...about, settleOnly: true, parked: false, knownUnresolved: true };
  const debit = debitOf(deps, inputOf(state, plan, input, {}), memory, progress);
  await recordOther(deps, debit.input, await collect(debit, progress));
  return true;
}

/** If the result is `stored`, the outcome is in the attempt's row. */
async function collect(debit: Debit, progress: Progress, stored?: StoredBackOff | null): Promise<CollectResult> {
  const result = await carryOut(debit.deps, debit, progress, stored);
  return result.kind === 'stored' ? resultOf(debit.rowAtHand()) : result;
}

import type { Changed } from '../src/contract/activities';
import { finishDraft, REQUEST_CONSENT } from '../src/contract/draft-steps';
import type { Step, StepInput } from '../src/contract/steps';
import type { OpenStep, WaitReason } from '../src/domain/subscription/step';
import { type Advanced, answerDraft, type DraftProgress, type DraftRef, decideNext } from '../src/ledger';
import { loggable } from '../src/platform/log';
import type { Dependencies } from './dependencies';
import { describeState, describeStep } from './describe';

/**
 * Takes the steps that need only the ledger, and returns the next step. Every activity that is a step of a subscription
 * ends by calling this, except that `collectPayment` need not if it has already read all that the next step depends on.
 */
export async function decide(deps: Dependencies, input: StepInput): Promise<Step> {
  return (await decideOn(deps, input)).step;
}

/** The step in the workflow's form, and the ledger's decision with the state on which it was made. */
export interface DecidedStep {
  readonly step: Step;
  /** Null for a draft. */
  readonly decision: Pick<Advanced, 'state' | 'step'> | null;
}

export async function decideOn(deps: Dependencies, input: StepInput): Promise<DecidedStep> {
  const { subscriptionId, followed, revision } = input;
  const decided = await decideNext(deps.ledger, subscriptionId, { at: deps.clock.now(), followed, revision });
  switch (decided.kind) {
    case 'gone':
      return { step: finishDraft('the ledger has no such subscription'), decision: null };
    case 'draft':
      return { step: await draftStep(deps, { table: 'subscriptions', key: subscriptionId }, decided), decision: null };
    case 'decided':
      return { step: stepOf(deps, decided), decision: decided };
  }
}

/** A request that was sent but has no answer is lost: its session cannot be approved without the redirectURL (rule 18). */
export async function draftStep(
  { ledger }: Dependencies,
  draft: Pick<DraftRef, 'table' | 'key'>,
  { answer, isSent, draftedRealAt }: DraftProgress,
): Promise<Step> {
  if (answer !== null) return finishDraft('the draft was not opened');
  if (!isSent) return REQUEST_CONSENT;
  const reason = "the service's answer was lost";
  await answerDraft(ledger, { ...draft, draftedRealAt }, { kind: 'unavailable', reason });
  return finishDraft(reason);
}

/** The step in the workflow's form: references, and what operators see. */
export function stepOf(deps: Dependencies, { state, step, beside, shown: { standing } }: Advanced): Step {
  const { settings } = deps;
  const { subscriptionId, repetition } = state.terms;
  const link = consoleLink(settings.consoleUrl, `/subscriptions/${encodeURIComponent(subscriptionId)}`);
  return {
    kind: step.kind,
    revision: state.revision,
    ...referencesOf(step, state.open?.attempt ?? 0, state.cycle),
    ...(mayBeHere(deps, step) ? { on: 'here' } : {}),
    summary: describeStep(step),
    details: describeState(state, standing, step, link),
    show: { status: state.status, standing, repetition },
    ...(beside.length === 0 ? {} : { beside }),
  };
}

/**
 * Whether the attempt may be made within the workflow task. If a timer comes first, `collectInPlace` checks the room
 * when it fires.
 */
function mayBeHere({ inPlace, clock }: Dependencies, step: OpenStep): boolean {
  if (inPlace === undefined || inPlace.isSlow(clock.realNow())) return false;
  if (step.kind === 'wait') return isForAttempt(step.why);
  return step.kind === 'collect' && !step.plan.settleOnly && inPlace.hasRoom(clock.realNow());
}

function isForAttempt(why: WaitReason): boolean {
  return why === 'due' || why === 'retry' || why === 'on_hold';
}

function referencesOf(step: OpenStep, attempt: number, cycle: number): Pick<Step, 'attempt' | 'until' | 'then'> {
  switch (step.kind) {
    case 'collect':
    case 'follow':
      return { attempt: { cycle: step.plan.cycle, attempt: step.plan.attempt } };
    case 'wait':
      return { until: step.until, ...(isForAttempt(step.why) ? { then: { cycle, attempt } } : {}) };
    case 'await_consent':
    case 'cancel_consent':
    case 'finish':
      return {};
  }
}

/** A Markdown link to a page of the console, on its own line; none if the console's address is not configured. */
export function consoleLink(console: string | undefined, path: string): readonly string[] {
  return console === undefined ? [] : [`[In the console](${console.replace(/\/+$/, '')}${path})`];
}

/** Notifies the workflow of another subscription. If it cannot be reached now, a job notifies it later. */
export async function notifyOther({ workflows, log }: Dependencies, changed: Changed | null): Promise<void> {
  if (changed === null) return;
  try {
    await workflows.notify(changed.subscriptionId, changed.revision);
  } catch (error) {
    log.warn({ ...changed, err: loggable(error) }, 'a workflow could not be notified of its new revision');
  }
}

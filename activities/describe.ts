import { formatMoney } from '../src/domain/money';
import { currentAmount } from '../src/domain/subscription/amount';
import type { OpenStep, WaitReason } from '../src/domain/subscription/step';
import { currentPause } from '../src/domain/subscription/pauses';
import type { CollectPlan, PendingChange, Standing, SubscriptionState } from '../src/domain/subscription/state';
import { nextDueAt, nextToCollect } from '../src/domain/subscription/transitions';
import { type Instant, toIso } from '../src/domain/time';

/**
 * The state in Markdown, for the current details in the Web UI, which shows the step's summary and the first five of
 * these lines. No personal data.
 */
export function describeState(
  state: SubscriptionState,
  standing: Standing,
  step: OpenStep,
  link: readonly string[],
): string {
  const pause = currentPause(state);
  const lines = [
    `**${state.status}**, standing **${standing}**`,
    `Why: ${reasonOf(step)}`,
    ...link,
    describeAmount(state),
    `Payment ${state.paymentId ?? 'not requested yet'}`,
    describeDue(state, step),
    ...(pause === null
      ? []
      : [`Paused since ${toIso(pause.since)}${pause.until === null ? '' : ` until ${toIso(pause.until)}`}`]),
    ...describeChanges(state.pendingChange),
    ...(state.open === null ? [] : [describeOpen(state)]),
    ...state.pending.map((attempt) => `Cycle ${attempt.cycle} is still pending at the service; its outcome is awaited`),
    ...state.standing.attention.map((item) => `Needs attention: ${item}`),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function describeAmount(state: SubscriptionState): string {
  const { repetition, consentAmount } = state.terms;
  const [amount, consent] = [formatMoney(currentAmount(state)), formatMoney(consentAmount)];
  return `${repetition}, ${amount} a cycle${amount === consent ? '' : `; consent for ${consent}`}`;
}

/** Omits the time if the step waits for it, as the summary contains it. */
function describeDue(state: SubscriptionState, step: OpenStep): string {
  const due = nextDueAt(state);
  if (due === null) return 'No further due date';
  const at = step.kind === 'wait' && step.until === due ? '' : ` ${toIso(due)}`;
  return `Next due${at} (cycle ${nextToCollect(state)})`;
}

/** Pending changes of the amount, in the order in which they will take effect. */
function describeChanges(change: PendingChange | null): string[] {
  if (change === null) return [];
  const { amount, fromCycle, effectiveAt, announcement, earlier = null } = change;
  return [
    ...describeChanges(earlier),
    `${formatMoney(amount)} from cycle ${fromCycle} on, due ${toIso(effectiveAt)}; payer's notice: ${announcement.kind}`,
  ];
}

function describeOpen(state: SubscriptionState): string {
  const { open } = state;
  if (open === null) return '';
  const last =
    open.rejection === null
      ? 'first attempt'
      : `last rejected at ${toIso(open.rejection.at)}: ${open.rejection.detail}`;
  const outcome = open.unsettled === 'none' ? '' : `, outcome ${open.unsettled}`;
  return `Cycle ${open.cycle} open, ${formatMoney(open.amount)}, ${last}${outcome}`;
}

/** The purpose of a wait or an activity in one line, for its summary. */
export function describeStep(step: OpenStep): string {
  switch (step.kind) {
    case 'await_consent':
      return "wait for the payer's answer";
    case 'cancel_consent':
      return 'cancel the consent at the service';
    case 'wait':
      return describeWait(step.why, step.until);
    case 'collect':
      return describePlan(step.plan);
    case 'follow':
      return `follow ${describeAttempt(step.plan)} to its outcome`;
    case 'finish':
      return 'nothing left to do';
  }
}

function describePlan(plan: CollectPlan): string {
  const what = plan.settleOnly ? 'check the outcome of' : plan.attempt === 0 ? 'collect' : `retry ${plan.attempt} of`;
  return `${what} ${describeAttempt(plan)}`;
}

function describeAttempt({ cycle, amount, dueAt }: CollectPlan): string {
  return `cycle ${cycle}, ${formatMoney(amount)}, due ${toIso(dueAt)}`;
}

/** Why this is the next step, with the number of the rule in docs/explain/rules.md. */
function reasonOf(step: OpenStep): string {
  switch (step.kind) {
    case 'await_consent':
      return 'nothing is collected before the payer approves (rule 6)';
    case 'cancel_consent':
      return 'nothing is sent during a cancellation (rule 24)';
    case 'wait':
      return REASON_TO_WAIT[step.why];
    case 'collect':
      return reasonToCollect(step.plan);
    case 'follow':
      return REASON_TO_WAIT.pending;
    case 'finish':
      return 'it has ended, and nothing is open any more (rule 5)';
  }
}

const REASON_TO_WAIT: Readonly<Record<WaitReason, string>> = {
  due: 'due dates are counted from the first payment (rule 1)',
  retry: 'the payer was notified of the retry and its time (rule 14)',
  notice: 'no retry is sent before the payer was notified of the refusal (rule 13)',
  paused: 'due dates in the pause are skipped, not collected later (rule 23)',
  on_hold: 'a hold stops its attempts until it ends or is lifted (rule 16)',
  replacement: 'its replacement collects from here on (rule 22)',
  pending: 'an outcome is not final and is polled until it is (rules 10 and 18)',
};

function reasonToCollect({ settleOnly, attempt, collectBy }: CollectPlan): string {
  if (settleOnly) return 'a second POST could be a second debit (rule 17)';
  if (attempt > 0) return 'the payer was notified of the retry, and its time has come (rule 14)';
  return `it is due, and may be collected until ${toIso(collectBy)} (rule 3)`;
}

function describeWait(why: string, until: Instant | null): string {
  return until === null ? `wait (${why})` : `wait until ${toIso(until)} (${why})`;
}

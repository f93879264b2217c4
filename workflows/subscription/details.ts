import { formatMoney } from '../../src/domain/money';
import { currentAmount } from '../../src/domain/subscription/amount';
import type { Step } from '../../src/domain/subscription/next-step';
import { currentPause } from '../../src/domain/subscription/pauses';
import {
  standingOf,
  type CollectPlan,
  type PendingChange,
  type SubscriptionState,
} from '../../src/domain/subscription/state';
import { nextDueAt } from '../../src/domain/subscription/transitions';
import { type Instant, toIso } from '../../src/domain/time';

/** The state in Markdown, for the Web UI's current details. No personal data. */
export function describeState(state: SubscriptionState, step: Step | null): string {
  const standing = standingOf(state.standing);
  const due = nextDueAt(state);
  const pause = currentPause(state);
  const lines = [
    `**${state.status}**, standing **${standing}**`,
    `${state.terms.repetition}, ${formatMoney(currentAmount(state))} a cycle; consent over ${formatMoney(state.terms.consentAmount)}`,
    `Payment ${state.paymentId ?? 'not requested yet'}`,
    due === null
      ? 'No due date to come'
      : `Next due ${toIso(due)} (cycle ${state.open === null ? state.cycle : state.cycle + 1})`,
    ...(pause === null
      ? []
      : [`Paused since ${toIso(pause.since)}${pause.until === null ? '' : ` until ${toIso(pause.until)}`}`]),
    ...(state.pendingChange === null ? [] : [describeChange(state.pendingChange)]),
    ...(state.open === null ? [] : [describeOpen(state)]),
    ...state.pending.map((attempt) => `Cycle ${attempt.cycle} is still pending at the service; asked on`),
    ...state.standing.attention.map((item) => `Needs attention: ${item}`),
    ...(step === null ? [] : [`Now: ${describeStep(step)}`]),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function describeChange({ amount, fromCycle, effectiveAt, announcement }: PendingChange): string {
  return `${formatMoney(amount)} from cycle ${fromCycle} on, due ${toIso(effectiveAt)}; payer's notice: ${announcement.kind}`;
}

function describeOpen(state: SubscriptionState): string {
  const { open } = state;
  if (open === null) return '';
  const last =
    open.rejection === null
      ? 'first attempt'
      : `last rejected at ${toIso(open.rejection.at)}: ${open.rejection.detail}`;
  const doubt = open.doubt === 'none' ? '' : `, outcome ${open.doubt}`;
  return `Cycle ${open.cycle} open, ${formatMoney(open.amount)}, ${last}${doubt}`;
}

/** What a wait or an activity is for, in one line, for its summary. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'wait':
      return describeWait(step.why, step.until);
    case 'collect':
      return describePlan(step.plan);
    case 'notify':
      return `tell the payer of the rejection; retry at ${toIso(step.retryAt)}`;
    case 'close':
      return `cycle ${step.cycle} ${step.status}: ${step.reason}`;
    case 'resume':
      return `resume as of ${toIso(step.at)}`;
    case 'announce':
      return `tell the payer of ${formatMoney(step.change.amount)} from cycle ${step.change.fromCycle} on`;
    case 'drop_change':
      return `cycle ${step.cycle} collects the old amount: ${step.reason}`;
    case 'complete':
      return 'complete';
    case 'finish':
      return 'nothing left to do';
  }
}

export function describePlan(plan: CollectPlan): string {
  const what = plan.settleOnly ? 'ask what became of' : plan.attempt === 0 ? 'collect' : `retry ${plan.attempt} of`;
  return `${what} cycle ${plan.cycle}, ${formatMoney(plan.amount)}, due ${toIso(plan.dueAt)}`;
}

function describeWait(why: string, until: Instant | null): string {
  return until === null ? `wait (${why})` : `wait until ${toIso(until)} (${why})`;
}

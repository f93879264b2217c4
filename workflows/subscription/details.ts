import type { NoticeOrder } from '../../src/contract/activities';
import type { Decision } from '../../src/contract/messages';
import { isForPayer } from '../../src/contract/notices';
import { formatMoney } from '../../src/domain/money';
import { currentAmount } from '../../src/domain/subscription/amount';
import type { Closing, Step, WaitReason } from '../../src/domain/subscription/next-step';
import { currentPause } from '../../src/domain/subscription/pauses';
import {
  standingOf,
  type CollectPlan,
  type PendingChange,
  type SubscriptionState,
} from '../../src/domain/subscription/state';
import { nextDueAt } from '../../src/domain/subscription/transitions';
import { type Instant, toIso } from '../../src/domain/time';

/** The state in Markdown, for the Web UI's current details, the next step first: it shows five lines. No personal data. */
export function describeState(state: SubscriptionState, step: Step | null, link: readonly string[]): string {
  const standing = standingOf(state.standing);
  const due = nextDueAt(state);
  const pause = currentPause(state);
  const lines = [
    `**${state.status}**, standing **${standing}**`,
    ...(step === null ? [] : [`Now: ${describeStep(step)}`, `Why: ${reasonOf(step)}`]),
    ...link,
    `${state.terms.repetition}, ${formatMoney(currentAmount(state))} a cycle; consent over ${formatMoney(state.terms.consentAmount)}`,
    `Payment ${state.paymentId ?? 'not requested yet'}`,
    due === null
      ? 'No due date to come'
      : `Next due ${toIso(due)} (cycle ${state.open === null ? state.cycle : state.cycle + 1})`,
    ...(pause === null
      ? []
      : [`Paused since ${toIso(pause.since)}${pause.until === null ? '' : ` until ${toIso(pause.until)}`}`]),
    ...describeChanges(state.pendingChange),
    ...(state.open === null ? [] : [describeOpen(state)]),
    ...state.pending.map((attempt) => `Cycle ${attempt.cycle} is still pending at the service; asked on`),
    ...state.standing.attention.map((item) => `Needs attention: ${item}`),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

/** In the order in which they are collected. */
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

/** Why this is the next step, with the number of the rule in docs/rules.md. */
function reasonOf(step: Step): string {
  switch (step.kind) {
    case 'wait':
      return REASON_TO_WAIT[step.why];
    case 'collect':
      return reasonToCollect(step.plan);
    case 'notify':
      return 'no retry leaves before the payer was told of the rejection (rule 13)';
    case 'close':
      return REASON_TO_CLOSE[step.status];
    case 'resume':
      return 'the pause was to end then (rule 23)';
    case 'announce':
      return 'no cycle collects an increase that the payer was not told of (rule 21)';
    case 'drop_change':
      return 'what was not announced, or is no longer allowed, is not collected (rule 21)';
    case 'complete':
    case 'finish':
      return 'its last cycle is over (rule 5)';
  }
}

const REASON_TO_WAIT: Readonly<Record<WaitReason, string>> = {
  consent: 'nothing is collected before the payer approves (rule 6)',
  due: 'due dates are counted from the first payment (rule 1)',
  retry: 'the payer was told of the retry and its time (rule 14)',
  paused: 'due dates in the pause are skipped for good (rule 23)',
  cancelling: 'nothing is sent while it is being cancelled (rule 24)',
  replacement: 'from here on its replacement collects (rule 22)',
  pending: 'an outcome is not final, and is asked for until it is (rules 10 and 18)',
};

const REASON_TO_CLOSE: Readonly<Record<Closing['status'], string>> = {
  missed: 'the window closed with nothing sent (rule 4)',
  failed: 'nothing more may be tried for it (rules 11, 12 and 15)',
  skipped: 'it is not to be collected (rules 22 and 23)',
};

function reasonToCollect({ settleOnly, attempt, collectBy }: CollectPlan): string {
  if (settleOnly) return 'a second POST could be a second debit (rule 17)';
  if (attempt > 0) return 'the payer was told of the retry, and its time has come (rule 14)';
  return `it is due, and may be collected until ${toIso(collectBy)} (rule 3)`;
}

/** What is written, for the summary of the activity that writes it. */
export function describeDecision({ events }: Decision): string {
  return events.length === 0 ? 'record what people see' : `record ${events.map(({ type }) => type).join(', ')}`;
}

/** Whom it tells what, for the summary of the workflow that delivers it. Undefined: it is not known here. */
export function describeNotice(notice: NoticeOrder | undefined): string | undefined {
  if (notice === undefined) return undefined;
  const { type, cycle } = notice;
  const whom = isForPayer(type) ? 'the payer' : 'the merchant';
  return `tell ${whom}: ${type}${cycle === null ? '' : ` of cycle ${cycle}`}`;
}

function describeWait(why: string, until: Instant | null): string {
  return until === null ? `wait (${why})` : `wait until ${toIso(until)} (${why})`;
}

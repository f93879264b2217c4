import { instant, isMoney, money } from '../../format';
import type { Consequence } from '../../parts/consequence';
import type { Cycle, ScheduledCycle } from '../common/schemas';
import { sentCycles, skippable, waitingCycles } from '../subscription/waiting';

/** What the dialogs about a subscription and its cycles say before they act. */

type Cycles = Parameters<typeof waitingCycles>[0];

/** The cycles that are due and wait for their next attempt, and the effect of the action on each. @param now epoch ms */
function waitingTexts(life: Cycles, now: number, effectOf: (cycle: Cycle | ScheduledCycle) => string): string[] {
  return waitingCycles(life, now).map(
    (cycle) => `Cycle ${cycle.cycle}, due ${instant(cycle.dueAt)}, is open. ${effectOf(cycle)}`,
  );
}

/** Whether a debit may still be made: a sent payment cannot be recalled (rule 24). */
function sentText(life: Cycles): Consequence {
  const sent = sentCycles(life);
  if (sent.length === 0) return 'No payment is on its way, so nothing can be debited afterwards.';
  const which = sent.map(({ cycle, amount }) => `cycle ${cycle}, ${money(amount)}`).join('; ');
  return {
    grave: 'A payment may still be collected',
    rest: `, because it was already sent: ${which}. dueday follows it and shows the outcome.`,
  };
}

/** @param now epoch ms of business time */
export function cancelTexts(life: Cycles, now: number): readonly Consequence[] {
  return [
    'Nothing more is collected from now on, and the consent is ended at the payment service.',
    { grave: 'This cannot be undone', rest: ': to collect again, the payer has to approve a new subscription.' },
    'What was collected stays collected. To give it back, refund it at each cycle, now or later.',
    ...waitingTexts(life, now, () => 'It gets no further attempt.'),
    sentText(life),
  ];
}

/** Without the due dates that the pause skips, which are read separately. @param now epoch ms of business time */
export function pauseTexts(
  life: Cycles,
  now: number,
  effectOf: (cycle: Cycle | ScheduledCycle) => string,
): readonly Consequence[] {
  return [
    ...waitingTexts(life, now, effectOf),
    sentText(life),
    'Later due dates do not move. You can resume at any time.',
  ];
}

/** @param now epoch ms of business time */
export function resumeTexts(life: Cycles, now: number): readonly Consequence[] {
  return [
    'Due dates from now on are collected again. Due dates during the pause stay skipped and are not owed.',
    ...waitingTexts(life, now, () => 'It continues if there is time left.'),
  ];
}

/** Maximum number of due dates that are listed individually. */
const LISTED = 6;

/** The due dates that a pause skips (rule 23), in a sentence and one by one. */
export interface SkippedText {
  readonly says: string;
  readonly each: readonly string[];
}

/**
 * @param schedule the next due dates, as far as they were read
 * @param now epoch ms of business time
 * @param until epoch ms; null for a pause without an end
 */
export function skippedText(schedule: readonly ScheduledCycle[], now: number, until: number | null): SkippedText {
  const coming = skippable(schedule, now);
  const [next] = coming;
  if (next === undefined) return { says: 'There are no further due dates.', each: [] };
  if (until === null)
    return {
      says: `Until you resume, due dates are skipped for good, starting with ${instant(next.dueAt)}.`,
      each: [],
    };
  const skipped = coming.filter(({ dueAt }) => Date.parse(dueAt) < until);
  if (skipped.length === 0) return { says: 'No due date is skipped.', each: [] };
  const rest = skipped.length - LISTED;
  const more = skipped.length === coming.length ? `at least ${rest} more` : `${rest} more`;
  return {
    says: 'These payments are skipped for good and are not owed:',
    each: [
      ...skipped
        .slice(0, LISTED)
        .map(({ cycle, dueAt, amount }) => `cycle ${cycle}, ${instant(dueAt)}, ${money(amount)}`),
      ...(rest > 0 ? [more] : []),
    ],
  };
}

export function skipText({ dueAt, amount }: Pick<ScheduledCycle, 'dueAt' | 'amount'>): string {
  return `${money(amount)} due ${instant(dueAt)} is never collected and is not owed. This cannot be undone. Other cycles do not change.`;
}

type Retried = Pick<Cycle, 'amount' | 'nextAttemptAt' | 'retryUntil' | 'retriesLeft'>;

/** @param isHalted whether all sending is halted */
export function retryTexts(
  { amount, nextAttemptAt, retryUntil, retriesLeft }: Retried,
  isHalted: boolean,
): readonly Consequence[] {
  const never =
    retryUntil === undefined ? '' : `; if that is after ${instant(retryUntil)}, this payment is never collected`;
  const instead = nextAttemptAt === undefined ? '' : `, instead of at ${instant(nextAttemptAt)}`;
  const when = isHalted ? 'once the halt is lifted' : 'now';
  const halted = {
    grave: 'All sending is halted:',
    rest: ` nothing is collected until the halt is lifted${never}.`,
  };
  return [
    ...(isHalted ? [halted] : []),
    `${money(amount)} is collected ${when}, or at the time you choose${instead}, but not earlier than a minute after the payer is notified of the failure. It uses ${retriesLeft === 1 ? 'the last retry' : `one of the ${retriesLeft} retries left`}; the first attempt does not count as a retry. The retry is refused if no time is left.`,
  ];
}

/** What would be allowed instead of a refused amount, and from when (rule 21). @param more the members of the problem */
export function allowedTexts(more: Readonly<Record<string, unknown>>): readonly string[] {
  const { rule, highestAllowed, allowedFrom, newConsentRequired } = more;
  if (rule === undefined) return [];
  return [
    ...(isMoney(highestAllowed) ? [`At most ${money(highestAllowed)} is allowed for this cycle.`] : []),
    ...(typeof allowedFrom === 'string' ? [`More is allowed from ${instant(allowedFrom)}.`] : []),
    ...(newConsentRequired === true ? ['For this amount the payer has to approve a new subscription.'] : []),
  ];
}

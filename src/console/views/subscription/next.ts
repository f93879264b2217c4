import { HOUR } from '../../../domain/time';
import { instant, money, type MoneyValue } from '../../format';
import type { AmountChange, Attempt, Cycle, ScheduledCycle, Subscription } from '../common/schemas';
import type { Life } from './life';
import { awaitedAttempt, isOpen, isUntried } from './waiting';

/** What happens next, why, and the number of the rule behind it. */
export interface Next {
  readonly says: string;
  readonly why: string;
  readonly rule: number;
}

/**
 * @param now epoch ms of business time
 * @param isHalted whether all sending is halted
 */
export function nextOf(life: Life, now: number, isHalted = false): Next {
  const { subscription } = life;
  if (subscription.cancelling !== undefined) return CANCELLING;
  const notActive = notActiveOf(subscription);
  if (notActive !== null) return notActive;
  const open = life.cycles.find((cycle) => isOpen(cycle) && !isUntried(cycle) && Date.parse(cycle.dueAt) <= now);
  const settling = open === undefined ? null : settlingOf(open);
  if (settling !== null) return settling;
  const untried = nextUntriedOf(life);
  if (subscription.status === 'paused') return pausedOf(subscription, open ?? dueBy(untried, now));
  const held = heldOf(subscription, open ?? untried);
  if (held !== null) return held;
  const next = open === undefined ? firstOf(subscription, untried, now) : openOf(life, open, now);
  const halted = open ?? untried;
  return isHalted && halted !== undefined ? haltedOf(halted) : next;
}

/** While all sending is halted. */
function haltedOf(next: Cycle | ScheduledCycle): Next {
  const { cycle, collectBy } = next;
  const plannedAt = ('nextAttemptAt' in next ? next.nextAttemptAt : undefined) ?? next.postponedUntil ?? next.dueAt;
  const end = ('retryUntil' in next ? next.retryUntil : undefined) ?? collectBy;
  const isRefused = 'attempts' in next && next.attempts.some(({ outcome }) => outcome.startsWith('rejected'));
  return {
    says: `All sending is halted: cycle ${cycle} is not collected before the halt is lifted.`,
    why: `It is planned for ${instant(plannedAt)}. If the halt lasts beyond ${instant(end)}, the cycle is ${isRefused ? 'failed' : 'missed'}.`,
    rule: 16,
  };
}

const CANCELLING: Next = {
  says: 'Being cancelled: nothing more is collected.',
  why: 'The payment service has not yet confirmed that the consent has ended.',
  rule: 24,
};

/** For a subscription that is not approved yet, or has ended. */
function notActiveOf({ status, cancelledBy }: Subscription): Next | null {
  switch (status) {
    case 'pending_consent':
      return {
        says: 'Nothing is collected until the payer approves.',
        why: 'dueday is waiting for the consent.',
        rule: 6,
      };
    case 'consent_failed':
      return {
        says: 'Nothing will be collected.',
        why: 'The payer did not give consent; a new subscription is needed.',
        rule: 6,
      };
    case 'cancelled':
      return {
        says: 'Nothing more will be collected.',
        why: cancelledBy === undefined ? 'The subscription is cancelled.' : `The ${cancelledBy} cancelled it.`,
        rule: cancelledBy === 'payer' ? 7 : 24,
      };
    case 'completed':
      return { says: 'Nothing more will be collected.', why: 'Its last cycle has ended.', rule: 5 };
    case 'active':
    case 'paused':
      return null;
  }
}

/** An attempt whose outcome is not final. It holds back everything else. */
function settlingOf({ cycle, status, attempts }: Cycle): Next | null {
  if (status === 'unresolved') {
    const says = `Cycle ${cycle} needs your decision: it is not known whether the payer was debited.`;
    return { says, why: 'No later cycle is collected until it is resolved.', rule: 18 };
  }
  const outcome = awaitedAttempt({ attempts })?.outcome;
  if (outcome === 'unknown') {
    const says = `dueday is finding out whether cycle ${cycle} was debited.`;
    return {
      says,
      why: 'The payment service’s answer was lost, and a second attempt could be a second debit.',
      rule: 17,
    };
  }
  if (outcome !== 'pending') return null;
  return {
    says: `The bank has not decided on cycle ${cycle} yet.`,
    why: 'dueday checks until the decision is final.',
    rule: 10,
  };
}

function pausedOf({ pausedUntil }: Subscription, held: Cycle | ScheduledCycle | undefined): Next {
  const says =
    pausedUntil === undefined
      ? 'Paused until you resume it.'
      : `Paused until ${instant(pausedUntil)}. It then resumes by itself.`;
  const why =
    held === undefined
      ? 'Due dates during the pause are skipped for good.'
      : `Cycle ${held.cycle} waits. Due dates during the pause are skipped for good.`;
  return { says, why, rule: 23 };
}

/** Null unless the next attempt waits for the end of a hold. */
function heldOf({ heldUntil }: Subscription, next: Cycle | ScheduledCycle | undefined): Next | null {
  if (heldUntil === undefined || next === undefined) return null;
  const plannedAt = ('nextAttemptAt' in next ? next.nextAttemptAt : undefined) ?? next.postponedUntil ?? next.dueAt;
  if (Date.parse(plannedAt) >= Date.parse(heldUntil)) return null;
  return {
    says: `On hold: no attempt of cycle ${next.cycle} begins before ${instant(heldUntil)}.`,
    why: `It is not skipped, and can be collected until ${instant(next.collectBy)}.`,
    rule: 16,
  };
}

/** After this many ms a due attempt counts as overdue (rule 43). */
const LATE_AFTER = HOUR;

function openOf(life: Life, open: Cycle, now: number): Next {
  const { cycle, status, attempts, nextAttemptAt, retryUntil, collectBy } = open;
  if (status === 'dunning') {
    const retry = (attempts.at(-1)?.attempt ?? 0) + 1;
    const end = retryUntil === undefined ? '' : ` The time for retries ends at ${instant(retryUntil)}.`;
    if (nextAttemptAt === undefined || attempts.at(-1)?.payerNotifiedAt === undefined) {
      const says = `Retry ${retry} of cycle ${cycle} waits until the payer is notified.`;
      return { says, why: `Before a retry, the payer must be notified that the payment was declined.${end}`, rule: 13 };
    }
    const late = now - Date.parse(nextAttemptAt);
    if (late >= LATE_AFTER) {
      const says = `Retry ${retry} of cycle ${cycle} is late: it was planned for ${instant(nextAttemptAt)}.`;
      return { says, why: `dueday sends it as soon as it can.${end} Look for the cause in Needs attention.`, rule: 43 };
    }
    const says =
      late > 0
        ? `Retry ${retry} of cycle ${cycle} is being sent; it was planned for ${instant(nextAttemptAt)}.`
        : `Retry ${retry} of cycle ${cycle} at ${instant(nextAttemptAt)}.`;
    return { says, why: `${notifiedOf(life, open)}${end}`, rule: 14 };
  }
  const when = nextAttemptAt === undefined ? 'now' : `at ${instant(nextAttemptAt)}`;
  const why = `It is due and can be collected until ${instant(collectBy)}.`;
  return { says: `Cycle ${cycle} is collected ${when}.`, why, rule: 3 };
}

/** That the notice of the last refusal was delivered. */
function notifiedOf({ notices }: Life, { cycle, attempts }: Cycle): string {
  const last = attempts.at(-1);
  const sent = notices.filter((notice) => notice.cycle === cycle);
  return last !== undefined && isByWebhook(sent, last)
    ? 'Your webhook accepted the notice to the payer.'
    : 'The payer was notified.';
}

/**
 * Whether the notice that the attempt was refused went to the merchant's webhook, which passes it on: it is then not
 * certain that the payer was notified.
 * @param notices those of the cycle of the attempt
 */
export function isByWebhook(notices: Life['notices'], { attempt }: Attempt): boolean {
  return notices.some(
    (notice) => notice.type === 'payment.failed' && notice.attempt === attempt && notice.channel === 'webhook',
  );
}

/** The ledger has a cycle before its first attempt if it was postponed. */
function nextUntriedOf({ cycles, coming }: Life): ScheduledCycle | undefined {
  return [...cycles.filter(isUntried), ...coming].sort((one, other) => one.cycle - other.cycle)[0];
}

function dueBy(cycle: ScheduledCycle | undefined, now: number): ScheduledCycle | undefined {
  return cycle !== undefined && Date.parse(cycle.dueAt) <= now ? cycle : undefined;
}

/** The first attempt of a cycle. After the due date, the cycle waits because of a spread, a halt, the cap on calls or an outage. */
function firstOf(subscription: Subscription, next: ScheduledCycle | undefined, now: number): Next {
  if (next === undefined)
    return { says: 'There are no further due dates.', why: 'The subscription ends before the next due date.', rule: 5 };
  const { cycle, amount, dueAt, postponedUntil, collectBy } = next;
  const startAt = postponedUntil ?? dueAt;
  const until = `can be collected until ${instant(collectBy)}.`;
  if (Date.parse(startAt) <= now)
    return { says: `Cycle ${cycle} waits for its first attempt.`, why: `It is due and ${until}`, rule: 3 };
  const change = subscription.pendingAmountChange;
  const changed = change?.fromCycle === cycle ? ', the new amount,' : '';
  const says = `Cycle ${cycle} collects ${money(amount)}${changed} at ${instant(startAt)}.`;
  if (postponedUntil !== undefined)
    return { says, why: `It was postponed from its due date, ${instant(dueAt)}, and ${until}`, rule: 3 };
  return { says, why: `It ${until} Due dates are counted from the first payment.`, rule: 1 };
}

/** The current amount, and that of the pending change. */
export function amountsOf({ amount, pendingAmountChange: change }: Subscription): string {
  const current = `The current amount is ${money(amount)}.`;
  if (change === undefined) return current;
  return `${current} A change to ${money(change.amount)} from cycle ${change.fromCycle} on is pending.`;
}

/** Why no other amount is accepted, for any cycle, before a payment has been collected (rule 9). */
export function beforeFirst(consentAmount: MoneyValue): string {
  return `No payment has been collected yet. Until one is, every cycle collects exactly the amount of the consent, ${money(consentAmount)}. After that you can change the amount.`;
}

/**
 * What a change of the amount does, in sentences.
 * @param hasPending whether another change is pending
 */
export function effectsOf(change: AmountChange, hasPending: boolean): readonly string[] {
  const { kind, amount, previousAmount, fromCycle, effectiveAt, countsAsIncrease, nextIncreaseAllowedFrom } = change;
  if (kind === 'unchanged')
    return [
      hasPending
        ? 'This is the current amount. Choosing it withdraws the pending change, which has not taken effect yet.'
        : 'This is the current amount. Nothing changes.',
    ];
  const name = kind === 'increase' ? 'An increase' : 'A reduction';
  const allowedFrom =
    nextIncreaseAllowedFrom === undefined ? '' : `; the next one is allowed from ${instant(nextIncreaseAllowedFrom)}`;
  return [
    `${name} from ${money(previousAmount)} to ${money(amount)}, from cycle ${fromCycle} on, due ${instant(effectiveAt)}. You can withdraw it until that cycle’s first attempt.`,
    ...(countsAsIncrease ? [`It counts as the one increase allowed in six months${allowedFrom}.`] : []),
    ...(kind === 'increase' ? ['The payer is notified beforehand.'] : []),
  ];
}

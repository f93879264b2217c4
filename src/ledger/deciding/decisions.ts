import { amountOfCycle } from '../../domain/subscription/pending-change';
import { REPLACED_BY_ANOTHER } from '../../domain/subscription/replacements';
import type { Closing, Notification } from '../../domain/subscription/step';
import { collectionWindow, dueAt } from '../../domain/subscription/schedule';
import {
  type AttemptResult,
  type CancelledBy,
  type CollectPlan,
  type CollectResult,
  type ConsentResult,
  isTerminal,
  type PendingAttempt,
  type PendingChange,
  type SubscriptionState,
} from '../../domain/subscription/state';
import { failedCapture } from '../../domain/subscription/transitions';
import { type Instant, isoOrNull, toIso } from '../../domain/time';
import { closingDetails, retryDetails, whyRetryThen } from '../../domain/audit/grounds';
import type { AmountChange } from '../../domain/subscription/amount-request';
import type { EventData } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { Decision, NoticeOrder } from '../rows/change';

/** What each decision writes in addition to the new state: audit entries, the record of a cycle, notices. */

/** No attempt starts any more; the payer is notified (rule 23). */
export function pausedDecision(until: Instant | null, reason: string | null): Decision {
  const data = { reason, until: isoOrNull(until) };
  return {
    events: [{ type: 'subscription.paused', data }],
    stoppedBy: 'pause',
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data }],
  };
}

export function resumedDecision(since: Instant, at: Instant, reason: string | null): Decision {
  const data = { reason, at: toIso(at) };
  return {
    events: [{ type: 'subscription.resumed', data: { ...data, since: toIso(since) } }],
    stoppedBy: null,
    notices: [{ type: 'subscription.resumed', cycle: null, attempt: null, data }],
  };
}

/** No attempt starts any more; the end of the consent follows (rule 24). */
export function cancelRequestedDecision(reason: string | null): Decision {
  return { events: [{ type: 'subscription.cancel_requested', data: { reason } }], stoppedBy: 'cancel' };
}

/** The answer of the payer (rule 6). */
export function answerDecision(result: ConsentResult, { terms, cycle, current: amount }: SubscriptionState): Decision {
  switch (result.kind) {
    case 'granted':
      return { events: [{ type: 'consent.granted', data: { cycle, dueAt: toIso(dueAt(terms, cycle)), amount } }] };
    case 'failed':
      return {
        events: [{ type: 'consent.failed', data: { reason: result.reason } }],
        notices: [{ type: 'consent.failed', cycle: null, attempt: null, data: { reason: result.reason } }],
      };
    case 'cancelled':
      return cancelledDecision(result.by, result.reason);
  }
}

/** The cycle waits for its retry; the notice to the payer is stored before it is sent (rule 13). */
export function dunningDecision(state: SubscriptionState, step: Notification): Decision {
  const { open, cycle } = state;
  if (open === null) throw new Error(`cycle ${cycle} of ${state.terms.subscriptionId} is not waiting for a retry`);
  const { dueAt: due, collectBy, rejection, retryAt, retriesLeft, retryUntil } = step;
  const { attempt, detail, description } = rejection;
  const { amount } = open;
  const facts = { dueAt: toIso(due), detail, description, retryAt: toIso(retryAt), retriesLeft };
  const limits = { collectBy: toIso(collectBy), retryUntil: toIso(retryUntil) };
  const why = whyRetryThen(open, rejection, collectBy, retryAt);
  return {
    events: [{ type: 'cycle.dunning', data: { cycle, attempt, amount, ...facts, ...limits, ...why } }],
    cycle: { cycle, dueAt: due, collectBy, amount, status: 'dunning', nextAttemptAt: retryAt, retriesLeft, retryUntil },
    notices: [{ type: 'payment.failed', cycle, attempt, data: { cycle, attempt, amount, ...facts } }],
  };
}

/** The notice to the payer about an increase, before it is collected (rule 21). */
export function announcingDecision({ fromCycle: cycle, amount, previousAmount, effectiveAt }: PendingChange): Decision {
  const data = { cycle, amount, previousAmount, dueAt: toIso(effectiveAt) };
  return {
    events: [{ type: 'amount_change.announcing', data }],
    notices: [{ type: 'payment.increase_announced', cycle, attempt: null, data }],
  };
}

export function viewChange(change: AmountChange | PendingChange) {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  return { amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease };
}

/** An entry of the audit log about a change of amount. */
export function changeDecision(change: AmountChange | PendingChange, type: EventType, more: EventData): Decision {
  return { events: [{ type, data: { ...viewChange(change), ...more } }] };
}

export function completedDecision({ cycle }: SubscriptionState): Decision {
  return {
    events: [{ type: 'subscription.completed', data: { cycles: cycle } }],
    notices: [{ type: 'subscription.completed', cycle: null, attempt: null, data: {} }],
  };
}

/** An operator has requested that a cycle is not collected. */
export function skippedDecision(state: SubscriptionState, cycle: number, reason: string | null): Decision {
  const window = collectionWindow(state.terms, cycle);
  const data = { cycle, dueAt: toIso(window.dueAt), amount: amountOfCycle(state, cycle), reason };
  return {
    events: [{ type: 'cycle.skip_requested', data }],
    cycle: {
      cycle,
      ...window,
      amount: amountOfCycle(state, cycle),
      status: 'skipped',
      reason: 'skipped_by_request',
      nextAttemptAt: null,
      retriesLeft: 0,
    },
  };
}

interface AskedOfCycle {
  readonly cycle: number;
  readonly reason: string | null;
}

/** A payer has asked to be debited later in the window; a request for the due date itself undoes that. */
export function postponedDecision(
  state: SubscriptionState,
  { cycle, until, reason }: AskedOfCycle & { readonly until: Instant },
): Decision {
  const window = collectionWindow(state.terms, cycle);
  const amount = amountOfCycle(state, cycle);
  const postponedUntil = until === window.dueAt ? null : until;
  const data = { cycle, dueAt: toIso(window.dueAt), amount, postponedUntil: isoOrNull(postponedUntil), reason };
  return {
    events: [{ type: 'cycle.postponed', data }],
    cycle: { cycle, ...window, amount, status: 'scheduled', nextAttemptAt: postponedUntil, postponedUntil },
  };
}

interface RequestedRetry {
  /** Null: now. */
  readonly retryAt: Instant | null;
  readonly from: Instant;
  /** When the retry will be made; null if it cannot be made. */
  readonly nextAttemptAt: Instant | null;
}

/** An operator has requested the next retry now, or at an instant. */
export function retryRequestedDecision(
  state: SubscriptionState,
  { cycle, retryAt, from, nextAttemptAt, reason }: AskedOfCycle & RequestedRetry,
): Decision {
  const window = collectionWindow(state.terms, cycle);
  const asked = retryAt === null ? {} : { retryAt: toIso(retryAt) };
  const data = { cycle, ...retryDetails(state, window.collectBy), ...asked, reason };
  return {
    events: [{ type: 'cycle.retry_requested', data }],
    cycle: { cycle, ...window, amount: amountOfCycle(state, cycle), status: 'dunning', nextAttemptAt, retryFrom: from },
  };
}

/** A cycle that ends uncollected: its record, its entry and its notices. */
export function closingDecision(state: SubscriptionState, step: Closing): Decision {
  const { cycle, window, status, reason } = step;
  const amount = amountOfCycle(state, cycle);
  const about = { cycle, dueAt: toIso(window.dueAt), amount, reason };
  return {
    events: [{ type: `cycle.${status}`, data: { ...about, ...closingDetails(state, step) } }],
    cycle: { cycle, ...window, amount, status, reason, nextAttemptAt: null, retriesLeft: 0 },
    notices: closingNotices(state, step, about),
  };
}

function closingNotices(state: SubscriptionState, step: Closing, about: Record<string, unknown>): NoticeOrder[] {
  if (step.status === 'skipped') return [];
  const merchant: NoticeOrder = { type: `cycle.${step.status}`, cycle: step.cycle, attempt: null, data: about };
  const rejection = state.open?.rejection;
  const isNoticeDue = state.open?.notice.kind === 'due' && !isTerminal(state.status);
  if (rejection == null || !isNoticeDue) return [merchant];
  const { attempt, detail, description } = rejection;
  const data = { ...about, attempt, detail, description, retryAt: null, retriesLeft: 0 };
  return [merchant, { type: 'payment.failed', cycle: step.cycle, attempt, data }];
}

/** What the result of an attempt causes in addition to the new state; null if nothing. */
export function resultDecision(
  before: SubscriptionState,
  after: SubscriptionState,
  plan: CollectPlan,
  result: AttemptResult,
): Decision | null {
  const about = { cycle: plan.cycle, attempt: plan.attempt, dueAt: toIso(plan.dueAt), amount: plan.amount };
  const collectBy = toIso(plan.collectBy);
  switch (result.kind) {
    case 'pending':
      return pendingPastWindowDecision(plan);
    case 'unlisted':
      return { events: [{ type: 'attempt.unlisted', data: { ...about, authorizationId: result.authorizationId } }] };
    case 'unknown':
      return { events: [{ type: 'attempt.unknown_past_window', data: { ...about, collectBy } }] };
    case 'unresolved':
      return plan.knownUnresolved ? null : unresolvedDecision(plan, { ...about, reason: result.reason });
    case 'collected':
    case 'rejected':
      return attentionDecision(before, after);
    case 'absent':
      return absentDecision(before, plan);
    case 'capture_failed':
      return null;
  }
}

/** An authorization is still pending at the end of its window. */
export function pendingPastWindowDecision({ cycle, attempt, dueAt, amount, collectBy }: CollectPlan): Decision {
  const data = { cycle, attempt, dueAt: toIso(dueAt), amount, collectBy: toIso(collectBy) };
  return { events: [{ type: 'attempt.pending_past_window', data }] };
}

function attentionDecision(before: SubscriptionState, after: SubscriptionState): Decision | null {
  const [was, is] = [before.standing.attention, after.standing.attention];
  return was.join() === is.join() ? null : { events: [{ type: 'attention.changed', data: { was, is } }] };
}

/** No debit was made after all: a cycle that was shown as unresolved is open again. */
function absentDecision(before: SubscriptionState, plan: CollectPlan): Decision {
  const { cycle, attempt, dueAt, collectBy, amount } = plan;
  const data = { cycle, attempt, dueAt: toIso(dueAt), collectBy: toIso(collectBy) };
  const events: Decision['events'] = [{ type: 'attempt.settled_absent', data }];
  const reopened = { cycle, dueAt, collectBy, amount, status: 'collecting' as const, reason: null };
  return before.open?.unsettled === 'unresolved' ? { events, cycle: reopened } : { events };
}

function unresolvedDecision(plan: CollectPlan, data: Record<string, unknown>): Decision {
  const { cycle, dueAt, collectBy, amount } = plan;
  return {
    events: [{ type: 'cycle.unresolved', data }],
    cycle: { cycle, dueAt, collectBy, amount, status: 'unresolved', reason: 'outcome_not_known' },
    notices: [{ type: 'cycle.unresolved', cycle, attempt: null, data }],
  };
}

/** The consent has ended; the payer is notified, unless another mandate of theirs has replaced it (rule 22). */
export function cancelledDecision(by: CancelledBy, reason: string | null): Decision {
  const events: Decision['events'] = [{ type: 'subscription.cancelled', data: { cancelledBy: by, reason } }];
  if (reason === REPLACED_BY_ANOTHER) return { events };
  return {
    events,
    notices: [{ type: 'subscription.cancelled', cycle: null, attempt: null, data: { cancelledBy: by, reason } }],
  };
}

/**
 * An attempt that was followed in parallel to later cycles has become final. What followed from a refusal remains if it
 * is refused again, and a cycle that another attempt has collected remains collected.
 */
export function pendingDecision(state: SubscriptionState, attempt: PendingAttempt, result: CollectResult): Decision {
  if (attempt.ended === 'collected' && result.kind !== 'collected') return { events: [] };
  if (result.kind === 'rejected' && result.again === true && !isLeftBehind(state, attempt)) return { events: [] };
  const { cycle, dueAt, collectBy, amount } = attempt;
  const about = { cycle, dueAt: toIso(dueAt), amount, outcome: result.kind };
  if (result.kind === 'collected') return { events: [{ type: 'cycle.collected_late', data: about }] };
  const reason = result.kind === 'capture_failed' ? 'capture_failed' : 'rejected';
  const failure =
    result.kind === 'capture_failed'
      ? failedCapture(attempt.attempt, result)
      : { attempt: attempt.attempt, detail: detailOf(result) };
  return {
    events: [{ type: 'cycle.failed', data: { ...about, ...failure, reason } }],
    cycle: { cycle, dueAt, collectBy, amount, status: 'failed', reason, nextAttemptAt: null, retriesLeft: 0 },
    notices: [{ type: 'cycle.failed', cycle, attempt: null, data: { ...about, reason } }],
  };
}

/**
 * Whether the attempt's cycle was left open because its refused authorization was listed again, and later cycles have
 * started since: no step will close it.
 */
function isLeftBehind({ cycle }: SubscriptionState, attempt: PendingAttempt): boolean {
  return attempt.ended === undefined && attempt.cycle < cycle - 1;
}

/** The detail of a failure from the service; null if none is known. */
function detailOf(result: CollectResult): string | null {
  return 'detail' in result ? result.detail : null;
}

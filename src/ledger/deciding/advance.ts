import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../domain/ids';
import { nextStep, outcomesBeside, retryPlan, retryQuestion } from '../../domain/subscription/next-step';
import {
  type AttemptNumber,
  type Closing,
  isOpenStep,
  type LedgerStep,
  type OpenStep,
} from '../../domain/subscription/step';
import { currentPause, pause, resume } from '../../domain/subscription/pauses';
import { dropChange, withAnnouncement } from '../../domain/subscription/pending-change';
import { startCancelling } from '../../domain/subscription/requests';
import { retriesLeft } from '../../domain/subscription/retries';
import { collectionWindow } from '../../domain/subscription/schedule';
import { isTerminal, type SubscriptionState } from '../../domain/subscription/state';
import { afterClosing, startDunning, withPendingPastWindow } from '../../domain/subscription/transitions';
import { type Instant, toIso } from '../../domain/time';
import { DELIVERING_NOTICE, endUnrecordableItem } from '../attention/unrecordable';
import { giveUpNotice } from '../rows/notice-results';
import { type Db, instantToColumn, readRecord } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import type { Decision } from '../rows/change';
import { writeTransition } from './changes';
import {
  announcingDecision,
  cancelRequestedDecision,
  changeDecision,
  closingDecision,
  completedDecision,
  dunningDecision,
  pausedDecision,
  pendingPastWindowDecision,
  resumedDecision,
} from './decisions';
import { announcementKey, type Current, readCurrent } from './facts';
import { project } from './projection';

/** The next step of a subscription, once the ledger has done everything that it can do alone. */
export interface Advanced extends Current {
  readonly step: OpenStep;
  /** Attempts whose outcome is awaited in parallel. */
  readonly beside: readonly AttemptNumber[];
}

/** An upper bound: closing every cycle of an outage of years takes fewer. */
const MAX_STEPS = 1_000;

/**
 * Takes every step that needs only the ledger, and returns the step after them. The caller holds the lock of the row.
 * @param followed attempts that have workflows of their own
 * @returns null if there is no such subscription; a draft does not count
 */
export async function advance(
  db: Db,
  subscriptionId: SubscriptionId,
  at: Instant,
  followed: readonly AttemptNumber[] = [],
): Promise<Advanced | null> {
  for (let taken = 0; taken < MAX_STEPS; taken += 1) {
    const current = await readCurrent(db, subscriptionId, at);
    if (current === null) return null;
    const { state } = current;
    if (await recordAnnounced(db, current, at)) continue;
    if (await recordPendingPastWindow(db, state, at)) continue;
    const step = nextStep(state, at, followed);
    if (isOpenStep(step)) {
      await showState(db, current);
      await showRetry(db, state);
      return { ...current, step, beside: numbersOf(state, at) };
    }
    await take(db, state, step, at);
  }
  throw new Error(`the subscription ${subscriptionId} takes more than ${MAX_STEPS} steps at once`);
}

/** The next step, if the ledger has nothing to write before it; null if it may have something to write. */
export function stepWithoutWrite(
  current: Current,
  at: Instant,
  followed: readonly AttemptNumber[] = [],
): Advanced | null {
  const { state } = current;
  // Whether a pending attempt has newly passed its window can only be read from the audit log.
  if (isNewlyAnnounced(current) || state.pending.length > 0 || !isShown(current)) return null;
  const step = nextStep(state, at, followed);
  return isOpenStep(step) ? { ...current, step, beside: numbersOf(state, at) } : null;
}

/** Attempts whose outcome is awaited in parallel to the subscription. */
export async function awaitedAttempts(db: Db, id: SubscriptionId, at: Instant): Promise<readonly AttemptNumber[]> {
  const current = await readCurrent(db, id, at);
  return current === null ? [] : numbersOf(current.state, at);
}

function numbersOf(state: SubscriptionState, at: Instant): readonly AttemptNumber[] {
  return outcomesBeside(state, at).map(({ cycle, attempt }) => ({ cycle, attempt }));
}

/** Updates the columns of the row that are derived from the state alone. */
async function showState(db: Db, current: Current): Promise<void> {
  if (isShown(current)) return;
  const { state } = current;
  const { nextDueAt, pausedUntil, amount } = project(state);
  await db.query(
    'update subscriptions set next_due_at = $2, paused_until = $3, amount = $4 where subscription_id = $1',
    [state.terms.subscriptionId, instantToColumn(nextDueAt), instantToColumn(pausedUntil), amount.value],
  );
}

/** Updates the next retry in the row of the cycle: a late notice moves the retry (rule 14). */
async function showRetry(db: Db, state: SubscriptionState): Promise<void> {
  const { terms, cycle, open } = state;
  const next = open?.notice.kind === 'delivered' ? retryOnceNotified(state, open.notice.at) : null;
  if (next === null) return;
  await db.query(
    `update cycles set next_attempt_at = $3, retries_left = $4
     where (subscription_id, cycle) = ($1, $2) and status = 'dunning'
       and (next_attempt_at, retries_left) is distinct from ($3::timestamptz, $4::integer)`,
    [terms.subscriptionId, cycle, instantToColumn(next.retryAt), next.retriesLeft],
  );
}

/** The retry of the open cycle if the payer is notified at this time; null if none is to come (rule 14). */
export function retryOnceNotified({ terms, cycle, open }: SubscriptionState, noticeAt: Instant) {
  if (open?.rejection?.retryable !== true) return null;
  const { collectBy } = collectionWindow(terms, cycle);
  const question = retryQuestion(open, open.rejection, collectBy, noticeAt);
  const retryAt = retryPlan(open)(question);
  return retryAt === null ? null : { retryAt, retriesLeft: retriesLeft(question) };
}

function isShown({ state, shown }: Current): boolean {
  const { nextDueAt, pausedUntil, amount } = project(state);
  return nextDueAt === shown.nextDueAt && pausedUntil === shown.pausedUntil && amount.value === shown.amount.value;
}

function isNewlyAnnounced({ state, announcement }: Current): boolean {
  return state.pendingChange?.announcement.kind === 'delivered' && announcement !== 'delivered';
}

/** Records once in the audit log that the payer was notified of an increase. */
async function recordAnnounced(db: Db, current: Current, at: Instant): Promise<boolean> {
  const { state } = current;
  const change = state.pendingChange;
  if (change?.announcement.kind !== 'delivered' || !isNewlyAnnounced(current)) return false;
  const decision = changeDecision(change, 'amount_change.notice_delivered', { at: toIso(change.announcement.at) });
  await write(db, { before: withAnnouncement(state, { kind: 'sending' }), after: state, decision, at });
  return true;
}

/**
 * Records once, for operators, that an authorization is still pending at the end of its window: it does not block later cycles
 * (rule 10).
 * @returns whether there was one to record
 */
async function recordPendingPastWindow(db: Db, before: SubscriptionState, at: Instant): Promise<boolean> {
  for (const attempt of before.pending) {
    if (!(await isNewlyPastWindow(db, before.terms.subscriptionId, attempt))) continue;
    const after = withPendingPastWindow(before, attempt.cycle);
    await write(db, { before, after, decision: pendingPastWindowDecision(attempt), at });
    return true;
  }
  return false;
}

/**
 * Whether it is not recorded yet that this attempt is pending past its window. False also for an attempt that was refused and is
 * listed again, or that lists lack: such an attempt is followed for another reason.
 */
async function isNewlyPastWindow(db: Db, id: SubscriptionId, { cycle, attempt }: AttemptNumber): Promise<boolean> {
  const row = await readRecord(
    db,
    `select 1 from attempts
     where (subscription_id, cycle, attempt) = ($1, $2, $3) and state = 'pending' and refused_as is null
       and not exists (
         select from events where subscription_id = $1 and type in ('attempt.pending_past_window', 'attempt.unlisted')
           and data ->> 'cycle' = $2::text
       )`,
    [id, cycle, attempt],
  );
  return row !== null;
}

async function take(db: Db, before: SubscriptionState, step: LedgerStep, at: Instant): Promise<void> {
  switch (step.kind) {
    case 'close':
      return close(db, before, step, at);
    case 'notify': {
      const { cycle, open } = before;
      const key = `dunning/${cycle}/${open?.rejection?.attempt ?? 0}`;
      return write(db, { before, after: startDunning(before), decision: dunningDecision(before, step), at, key });
    }
    case 'announce': {
      const after = withAnnouncement(before, { kind: 'sending' });
      return write(db, {
        before,
        after,
        decision: announcingDecision(step.change),
        at,
        key: announcementKey(step.change),
      });
    }
    case 'drop_change': {
      const { change, cycle, reason } = step;
      const decision = changeDecision(change, 'amount_change.dropped', { cycle, reason });
      return write(db, { before, after: dropChange(before), decision, at });
    }
    case 'resume': {
      const since = currentPause(before)?.since ?? step.at;
      const decision = resumedDecision(since, step.at, 'the scheduled end of the pause');
      return write(db, { before, after: resume(before, step.at), decision, at });
    }
    case 'complete': {
      const after: SubscriptionState = { ...before, pendingChange: null, status: 'completed' };
      return write(db, { before, after, decision: completedDecision(before), at });
    }
  }
}

async function close(db: Db, before: SubscriptionState, step: Closing, at: Instant): Promise<void> {
  const after = afterClosing(before, step);
  await write(db, { before, after, decision: closingDecision(before, step), at });
  const { rejection } = before.open ?? {};
  if (step.reason === 'notice_undeliverable' && rejection != null) {
    const id = await giveUpNotice(db, { ...before.terms, cycle: step.cycle, attempt: rejection.attempt }, at);
    if (id !== null) await endUnrecordableItem(db, { activity: DELIVERING_NOTICE, id });
  }
  const isExhausted = step.reason === 'retries_used' || step.reason === 'no_time_left';
  if (isExhausted && !isTerminal(after.status) && after.cancellation === null) await exhaust(db, after, step.cycle, at);
}

/**
 * Applies `onExhausted` to the subscription of a cycle whose retries are exhausted (rule 15), also during a pause: a pause does
 * not stop an attempt that was under way.
 */
async function exhaust(db: Db, before: SubscriptionState, cycle: number, at: Instant): Promise<void> {
  const reason = `retries of cycle ${cycle} exhausted`;
  switch (before.terms.onExhausted) {
    case 'continue':
      return;
    case 'pause': {
      const current = currentPause(before);
      if (current !== null && current.until === null) return;
      const after = pause(current === null ? before : resume(before, at), at, null);
      return write(db, { before, after, decision: pausedDecision(null, reason), at });
    }
    case 'cancel': {
      const after = startCancelling(before, { at, actor: DUEDAY, reason });
      return write(db, { before, after, decision: cancelRequestedDecision(reason), at });
    }
  }
}

interface Taken {
  readonly before: SubscriptionState;
  readonly after: SubscriptionState;
  readonly decision: Decision;
  readonly at: Instant;
  readonly key?: string;
}

async function write(db: Db, { key = `advanced/${randomUUID()}`, ...taken }: Taken): Promise<void> {
  await writeTransition(db, { actor: DUEDAY, ...taken, key });
}

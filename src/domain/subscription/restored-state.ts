import type { AuthorizationId, CaptureId, SubscriptionId } from '../ids';
import type { Money } from '../money';
import { type AttemptState, isVerdict } from '../send';
import type { Instant } from '../time';
import { announcedAnew } from './pending-change';
import { endReplacement, replacedBy, startReplacement } from './pauses';
import { retryLimit, type RetryPolicy } from './retries';
import { type Calendar, dueAt, firstCycleFrom } from './schedule';
import {
  type Cancellation,
  type CycleStatus,
  type FailedCapture,
  type NoticeState,
  isTerminal,
  type OpenCycle,
  type PendingAttempt,
  type PendingChange,
  type Rejection,
  type SubscriptionState,
} from './state';
import { followedBeside } from './transitions';

/** What the ledger knows of a subscription, as far as its next step follows from it. */
export interface LedgerFacts extends Omit<
  SubscriptionState,
  'adoption' | 'cycle' | 'open' | 'pending' | 'trailMark' | 'endHeardAt'
> {
  readonly hold: 'pause' | 'cancel' | null;
  /** Of the end of the consent, while a due date that waited then is not closed. */
  readonly endHeardAt: Instant | null;
  /** Of an import: nothing due before it is collected here. */
  readonly collectFrom: Instant | null;
  /** The highest cycle that is over; null where none is. A skip of a cycle to come is none. */
  readonly lastOver: number | null;
  /** Cycles that have begun and are not over, in their order. */
  readonly begun: readonly CycleFacts[];
}

export interface CycleFacts {
  readonly cycle: number;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly retryNow: boolean;
  /** The last send of each attempt, in their order. */
  readonly attempts: readonly AttemptFacts[];
  /** The payer's notices about rejections. */
  readonly notices: readonly NoticeFacts[];
}

export interface AttemptFacts {
  readonly attempt: number;
  readonly state: AttemptState;
  /** It was refused, and the service lists it as pending or successful since: its state is the refusal (rule 36). */
  readonly reopened: boolean;
  /** createdAt of the authorization, or when the answer came. */
  readonly at: Instant;
  /** When its last send left, by our clock. */
  readonly sentAt?: Instant;
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly detail: string | null;
  readonly description: string | null;
}

export interface NoticeFacts {
  /** Of the attempt that was rejected. */
  readonly attempt: number;
  readonly notice: NoticeState;
}

/**
 * The state as the ledger has it: what a workflow goes on with that was lost, reset, or has not heard of a change (rules
 * 4, 30). An attempt without an outcome is asked about first; one that is pending past its window is followed beside.
 */
export function restoreState(facts: LedgerFacts, now: Instant): SubscriptionState {
  const { hold, endHeardAt, collectFrom, lastOver, begun, ...known } = facts;
  const { terms, policy } = known;
  const parked = begun.filter((each) => isParked(each, lastOver ?? -1, now));
  const underWay = begun.find((each) => !parked.includes(each) && each.cycle > (lastOver ?? -1));
  const over = Math.max(firstCycleHere(terms, collectFrom) - 1, lastOver ?? -1, ...parked.map(({ cycle }) => cycle));
  const state: SubscriptionState = {
    ...known,
    ...(endHeardAt === null ? {} : { endHeardAt }),
    ...heldState(hold, known, now),
    cycle: underWay?.cycle ?? over + 1,
    open: underWay === undefined ? null : openCycle(underWay, policy, now),
    pending: [],
  };
  return announcedAnew({ ...state, pending: parked.map((each) => followed(state, each)) });
}

/** Of an import: nothing due before `collectFrom` is collected here. */
function firstCycleHere(calendar: Calendar, collectFrom: Instant | null): number {
  return collectFrom === null ? 0 : firstCycleFrom(calendar, collectFrom);
}

/** An authorization that is pending past its window, or was refused and is listed again, beside the later cycles (rules 10, 36). */
function followed(state: SubscriptionState, { cycle, amount, attempts }: CycleFacts): PendingAttempt {
  const attempt = (attempts.find(({ reopened }) => reopened) ?? attempts.at(-1))?.attempt ?? 0;
  return followedBeside(state, { cycle, amount, attempt });
}

/** A subscription that is to take this one's place. */
export interface SuccessorFacts extends Calendar {
  readonly by: SubscriptionId;
  /** When its consent was given; null where it was not. */
  readonly grantedAt: Instant | null;
  /** Its payer is being asked for the consent. */
  readonly isAsked: boolean;
  /** Of an import: nothing due before it is collected there. */
  readonly collectFrom: Instant | null;
}

/** What its successors would have told the workflow, had one run (rule 22). */
export function toldBySuccessors(state: SubscriptionState, successors: readonly SuccessorFacts[]): SubscriptionState {
  return successors.reduce(toldBy, state);
}

function toldBy(state: SubscriptionState, successor: SuccessorFacts): SubscriptionState {
  const { by, grantedAt, collectFrom } = successor;
  if (isTerminal(state.status)) return state;
  const replacement = { by, from: dueAt(successor, firstCycleHere(successor, collectFrom)) };
  if (grantedAt === null) {
    return successor.isAsked ? startReplacement(state, replacement) : endReplacement(state, by);
  }
  const cancellation: Cancellation = { at: grantedAt, actor: 'dueday', reason: `replaced by ${by}` };
  return { ...replacedBy(state, replacement), cancellation: state.cancellation ?? cancellation };
}

type Steerable = Pick<SubscriptionState, 'status' | 'pauses' | 'cancellation'>;

/** A hold whose pause or cancellation the ledger lacks still holds: a person may lift it. */
function heldState(hold: LedgerFacts['hold'], { status, pauses, cancellation }: Steerable, now: Instant): Steerable {
  if (hold === 'pause' && status === 'active') {
    return { status: 'paused', pauses: [...pauses, { since: now, until: null }], cancellation };
  }
  if (hold === 'cancel' && cancellation === null && !isTerminal(status)) {
    return { status, pauses, cancellation: { at: now, actor: 'dueday', reason: null } };
  }
  return { status, pauses, cancellation };
}

/** One that later cycles have passed was parked too: its answer may be in the ledger, and nobody have closed the cycle. */
function isParked({ cycle, collectBy, attempts }: CycleFacts, lastOver: number, now: Instant): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  if (attempts.some(({ reopened }) => reopened)) return cycle <= lastOver || now >= collectBy;
  return cycle <= lastOver
    ? last.state === 'pending' || isVerdict(last.state)
    : last.state === 'pending' && now >= collectBy;
}

function openCycle(begun: CycleFacts, policy: RetryPolicy, now: Instant): OpenCycle {
  const { cycle, amount, status, retryNow, attempts, notices } = begun;
  const rejections = attempts.flatMap(rejectionOf);
  const rejection = rejections.at(-1) ?? null;
  const firstFailureAt = rejections[0]?.at ?? null;
  const [failedCapture] = attempts.flatMap(failedCaptureOf);
  const notified = notices.find(({ attempt }) => attempt === rejection?.attempt);
  // One that no channel took is open for a person until the last moment for a retry (rule 13).
  const isInTime = firstFailureAt !== null && now < retryLimit(firstFailureAt, begun.collectBy, policy);
  const isStillOpen = notified === undefined || (notified.notice.kind === 'undeliverable' && isInTime);
  return {
    cycle,
    amount,
    policy,
    retryNow,
    rejection,
    attempt: rejection === null ? (attempts.at(-1)?.attempt ?? 0) : rejection.attempt + 1,
    firstFailureAt,
    notice: isStillOpen ? { kind: 'due' } : notified.notice,
    windowClosed: false,
    captureFailed: failedCapture !== undefined,
    ...(failedCapture === undefined ? {} : { failedCapture }),
    doubt: attempts.some(({ reopened }) => reopened) ? 'unknown' : doubtOf(status, attempts.at(-1)),
  };
}

function rejectionOf({ attempt, state, at, sentAt, detail, description }: AttemptFacts): Rejection[] {
  if (state !== 'rejected' && state !== 'rejected_retryable') return [];
  const retryable = state === 'rejected_retryable';
  const sent = sentAt === undefined ? {} : { sentAt };
  return [{ attempt, at, ...sent, detail: detail ?? 'UNKNOWN', description: description ?? '', retryable }];
}

function failedCaptureOf({ attempt, state, authorizationId, captureId, detail }: AttemptFacts): FailedCapture[] {
  if (state !== 'capture_failed') return [];
  return [{ attempt, authorizationId, captureId, detail: detail ?? 'CAPTURE_FAILED' }];
}

/** An attempt without an outcome is asked about before anything else goes on; polling has the same effect. */
function doubtOf(status: CycleStatus, last: AttemptFacts | undefined): OpenCycle['doubt'] {
  if (status === 'unresolved' || last?.state === 'unresolved') return 'unresolved';
  return last?.state === 'sending' || last?.state === 'unknown' || last?.state === 'pending' ? 'unknown' : 'none';
}

/** What a workflow knows that is about to close a cycle as never tried. */
export interface Known {
  readonly revision: number;
  readonly cycle: number;
  /** That the subscription has ended. */
  readonly isOver: boolean;
}

/** Whether the ledger knows of something that speaks against closing the cycle as never tried (rule 4). */
export function knowsMore(ledger: SubscriptionState, { revision, cycle, isOver }: Known): boolean {
  if (ledger.revision > revision || ledger.cycle > cycle || (isTerminal(ledger.status) && !isOver)) return true;
  const { open } = ledger;
  return open?.cycle === cycle && (open.doubt !== 'none' || open.rejection !== null || open.captureFailed);
}

/** Whether the ledger has an attempt of the cycle, under way or answered, that this state has not heard of. */
export function hasGoneFurther(ledger: SubscriptionState, own: SubscriptionState, cycle: number): boolean {
  if (ledger.cycle > cycle) return true;
  const { open } = ledger;
  if (open?.cycle !== cycle) return false;
  const hasFailedCapture = open.captureFailed && own.open?.captureFailed !== true;
  return open.doubt !== 'none' || open.attempt > (own.open?.attempt ?? 0) || hasFailedCapture;
}

/** The ledger's state in the place of an older one; what this workflow is about beside its cycles goes on. */
export function continuedFrom(own: SubscriptionState, ledger: SubscriptionState): SubscriptionState {
  const appeared = ledger.pending.filter(({ cycle }) => own.pending.every((each) => each.cycle !== cycle));
  const { trailMark, endHeardAt } = own;
  return {
    ...ledger,
    ...(trailMark === undefined ? {} : { trailMark }),
    ...(endHeardAt === undefined ? {} : { endHeardAt }),
    pendingChange: changeOf(own, ledger),
    pending: [...own.pending, ...appeared],
  };
}

/** What people have steered in the ledger, into a state whose cycle may be under way this moment (rules 25, 31). */
export function steeredBy(own: SubscriptionState, ledger: SubscriptionState): SubscriptionState {
  const { pauses, skips, replacements, replacedBy, cancellation, lastIncreaseAt, revision } = ledger;
  const steered = { pauses, skips, replacements, replacedBy, cancellation, lastIncreaseAt, revision };
  const retryNow = own.open?.retryNow === true && ledger.open?.retryNow === true;
  return {
    ...own,
    ...steered,
    ...statusOf(own, ledger),
    ...(own.open === null ? reopenedIn(ledger, own) : {}),
    pendingChange: changeOf(own, ledger),
    open: own.open === null ? null : { ...own.open, retryNow },
  };
}

/**
 * An operator found that the debit of the last cycle had paid the one before (rule 40): if its window is open, it is to be collected.
 */
function reopenedIn(ledger: SubscriptionState, own: SubscriptionState): Partial<SubscriptionState> {
  const standing = { ...own.standing, pastDue: ledger.standing.pastDue };
  const isFollowed = own.pending.some((each) => each.cycle === ledger.cycle);
  const isReopened = ledger.cycle === own.cycle - 1 && ledger.open === null && !isFollowed;
  return { standing, ...lateDebitIn(ledger, own), ...(isReopened ? { cycle: ledger.cycle } : {}) };
}

/** A debit that was found after its cycle had ended is the last that was collected, unless a later cycle was (rules 21, 36). */
function lateDebitIn(
  { collectedOnce, current, currentOf = null }: SubscriptionState,
  own: SubscriptionState,
): Partial<SubscriptionState> {
  return currentOf !== null && currentOf > (own.currentOf ?? -1) ? { collectedOnce, current, currentOf } : {};
}

/** Whether the payer is being notified of it is known to this workflow alone. */
function changeOf(own: SubscriptionState, ledger: SubscriptionState): PendingChange | null {
  const isSame = own.pendingChange?.requestedAt === ledger.pendingChange?.requestedAt;
  return isSame ? own.pendingChange : ledger.pendingChange;
}

/** The ledger may not have heard yet that the consent was given, or has ended. */
function statusOf(
  own: SubscriptionState,
  ledger: SubscriptionState,
): Pick<SubscriptionState, 'status' | 'cancelledBy'> {
  const isOlder = isTerminal(own.status) || own.status === 'pending_consent' || ledger.status === 'pending_consent';
  const { status, cancelledBy } = isOlder && !isTerminal(ledger.status) ? own : ledger;
  return { status, cancelledBy };
}

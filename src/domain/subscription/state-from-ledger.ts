import type { AuthorizationId, CaptureId } from '../ids';
import type { Money } from '../money';
import { type AttemptState, isVerdict } from '../send';
import type { Instant } from '../time';
import { withAnnouncement } from './pending-change';
import { retryLimit, type RetryPolicy } from './retries';
import { type Calendar, firstCycleFrom } from './schedule';
import {
  type CycleStatus,
  type FailedCapture,
  type NoticeState,
  isTerminal,
  OPEN_STATUSES,
  type OpenCycle,
  type PendingAttempt,
  type Postponement,
  type Rejection,
  type SubscriptionState,
} from './state';
import { isCountedIncrease } from './amount';
import { followedBeside } from './transitions';

/** The facts in the ledger that determine the next step of a subscription. */
export interface LedgerFacts extends Omit<
  SubscriptionState,
  'cycle' | 'open' | 'pending' | 'endSeenAt' | 'postponements' | 'heldUntil'
> {
  readonly postponements: readonly Postponement[] | null;
  /** The latest end of the holds that stop its attempts, as in {@link SubscriptionState}; null if there was none. */
  readonly heldUntil: Instant | null;
  readonly stoppedBy: 'pause' | 'cancel' | null;
  /** When the end of the consent was noticed; null unless a due date that was waiting at that time is still to be closed. */
  readonly endSeenAt: Instant | null;
  /** For an imported subscription: nothing due before this instant is collected here. */
  readonly collectFrom: Instant | null;
  /** The state of the payer's notice about the pending change, if it was ordered. */
  readonly announced: NoticeState | null;
  /** The highest cycle that has ended; null if there is none. A skipped future cycle does not count. */
  readonly lastOver: number | null;
  /**
   * Cycles that have started and not ended, and those with a refused attempt that is listed again (rule 36), in order.
   */
  readonly startedCycles: readonly CycleFacts[];
}

export interface CycleFacts {
  readonly cycle: number;
  readonly collectBy: Instant;
  readonly amount: Money;
  /** The amount authorized for the latest cycle before it; null if there was none. */
  readonly previousAmount: Money | null;
  readonly status: CycleStatus;
  /** The instant from which an operator has requested the next retry; null if none was requested. */
  readonly retryFrom: Instant | null;
  /** The last send of each attempt, in order. */
  readonly attempts: readonly AttemptFacts[];
  /** The payer's notices about rejections. */
  readonly notices: readonly NoticeFacts[];
}

export interface AttemptFacts {
  readonly attempt: number;
  readonly state: AttemptState;
  /** It was refused, and the service has since listed it as pending or successful: `state` remains the refusal (rule 36). */
  readonly reopened: boolean;
  /** createdAt of the authorization; if unknown, the arrival of the answer; without an answer, the send. */
  readonly at: Instant;
  /** When its last send was made, by our clock. */
  readonly sentAt?: Instant;
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly detail: string | null;
  readonly description: string | null;
}

export interface NoticeFacts {
  /** The number of the rejected attempt. */
  readonly attempt: number;
  readonly notice: NoticeState;
}

/**
 * Builds the state from the rows of the ledger, the only source: workflows keep none of it (rules 4, 30). An attempt without
 * an outcome is polled first; one that is pending past its window is followed in parallel.
 */
export function stateFromLedger(facts: LedgerFacts, now: Instant): SubscriptionState {
  const { stoppedBy, endSeenAt, postponements, heldUntil, collectFrom, lastOver, ...others } = facts;
  const { startedCycles, announced, ...known } = others;
  const { terms, policy } = known;
  const isUnlisted = ({ cycle }: CycleFacts) => known.standing.attention.includes(`unlisted:${cycle}`);
  const parked = startedCycles.filter((each) => isUnlisted(each) || isParked(each, lastOver ?? -1, now));
  const underWay = startedCycles.find((each) => !parked.includes(each) && each.cycle > (lastOver ?? -1));
  const over = Math.max(firstCycleHere(terms, collectFrom) - 1, lastOver ?? -1, ...parked.map(({ cycle }) => cycle));
  const state: SubscriptionState = {
    ...known,
    ...(endSeenAt === null ? {} : { endSeenAt }),
    ...(postponements === null ? {} : { postponements }),
    ...(heldUntil === null ? {} : { heldUntil }),
    ...stoppedState(stoppedBy, known, now),
    cycle: underWay?.cycle ?? over + 1,
    open: underWay === undefined ? null : openCycle(underWay, policy, now),
    pending: [],
  };
  return announcedAs({ ...state, pending: parked.map((each) => followed(state, each)) }, announced);
}

/** The payer's notice determines the progress of the announcement. A notice that could not be delivered remains open for an operator. */
function announcedAs(state: SubscriptionState, announced: NoticeState | null): SubscriptionState {
  const { kind } = state.pendingChange?.announcement ?? { kind: 'not_needed' };
  if (kind === 'not_needed' || kind === 'delivered') return state;
  if (announced === null) return withAnnouncement(state, { kind: 'due' });
  return withAnnouncement(state, announced.kind === 'delivered' ? announced : { kind: 'sending' });
}

/** For an imported subscription: nothing due before `collectFrom` is collected here. */
function firstCycleHere(calendar: Calendar, collectFrom: Instant | null): number {
  return collectFrom === null ? 0 : firstCycleFrom(calendar, collectFrom);
}

/**
 * An authorization that is pending past its window, or was refused and is listed again, is followed in parallel to later cycles
 * (rules 10, 36).
 */
function followed(
  state: SubscriptionState,
  { cycle, amount, status, attempts, previousAmount }: CycleFacts,
): PendingAttempt {
  const attempt = (attempts.find(({ reopened }) => reopened) ?? attempts.at(-1))?.attempt ?? 0;
  const { consentAmount } = state.terms;
  const countsAsIncrease = isCountedIncrease(amount, previousAmount ?? consentAmount, consentAmount);
  const ended = OPEN_STATUSES.some((each) => each === status) ? {} : { ended: status };
  return { ...followedBeside(state, { cycle, amount, attempt }), countsAsIncrease, ...ended };
}

type Steerable = Pick<SubscriptionState, 'status' | 'pauses' | 'cancellation'>;

/**
 * A stop remains in force even if the ledger lacks the pause or the cancellation that it belongs to: the pause then
 * lasts until it is resumed, and the cancellation is carried out.
 */
function stoppedState(
  stoppedBy: LedgerFacts['stoppedBy'],
  { status, pauses, cancellation }: Steerable,
  now: Instant,
): Steerable {
  if (stoppedBy === 'pause' && status === 'active') {
    return { status: 'paused', pauses: [...pauses, { since: now, until: null }], cancellation };
  }
  if (stoppedBy === 'cancel' && cancellation === null && !isTerminal(status)) {
    return { status, pauses, cancellation: { at: now, actor: 'dueday', reason: null } };
  }
  return { status, pauses, cancellation };
}

/**
 * Whether the cycle is followed in parallel. So is a cycle that later cycles have passed: its answer may be in the ledger although
 * the cycle is not closed.
 */
function isParked({ cycle, collectBy, attempts }: CycleFacts, lastOver: number, now: Instant): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  if (attempts.some(({ reopened }) => reopened)) return cycle <= lastOver || now >= collectBy;
  return cycle <= lastOver
    ? last.state === 'pending' || isVerdict(last.state)
    : last.state === 'pending' && now >= collectBy;
}

function openCycle(started: CycleFacts, policy: RetryPolicy, now: Instant): OpenCycle {
  const { cycle, amount, status, retryFrom, attempts, notices } = started;
  const rejections = attempts.flatMap(rejectionOf);
  const rejection = rejections.at(-1) ?? null;
  const firstFailureAt = rejections[0]?.at ?? null;
  const [failedCapture] = attempts.flatMap(failedCaptureOf);
  const notified = notices.find(({ attempt }) => attempt === rejection?.attempt);
  const isInTime = firstFailureAt !== null && now < retryLimit(firstFailureAt, started.collectBy, policy);
  return {
    cycle,
    amount,
    policy,
    retryFrom,
    rejection,
    attempt: rejection === null ? (attempts.at(-1)?.attempt ?? 0) : rejection.attempt + 1,
    firstFailureAt,
    notice: noticeOf(notified?.notice, isInTime),
    captureFailed: failedCapture !== undefined,
    ...(failedCapture === undefined ? {} : { failedCapture }),
    unsettled: attempts.some(({ reopened }) => reopened) ? 'reopened' : unknownOutcomeOf(status, attempts.at(-1)),
  };
}

/** A notice that could not be delivered remains open for an operator until the last instant for a retry (rule 13). */
function noticeOf(ordered: NoticeState | undefined, isInTime: boolean): NoticeState {
  if (ordered === undefined) return { kind: 'due' };
  return ordered.kind === 'undeliverable' && isInTime ? { kind: 'sending' } : ordered;
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

/**
 * States without a final outcome. An unresolved attempt is handed to an operator only once its cycle is unresolved, too, which
 * the worker may not have written yet.
 */
const AWAITED: readonly AttemptState[] = ['sending', 'unknown', 'pending', 'unresolved'];

/** An attempt without an outcome is polled before anything else continues. */
function unknownOutcomeOf(status: CycleStatus, last: AttemptFacts | undefined): OpenCycle['unsettled'] {
  if (status === 'unresolved') return 'unresolved';
  return last !== undefined && AWAITED.some((state) => state === last.state) ? 'unknown' : 'none';
}

import { addExactly, type Figure, sumOf } from '../money';

/** What retries have recovered, and what retries at other times might have recovered. */

/** The fields by which a report of recoveries can be grouped. */
export const RECOVERY_KEYS = ['attempt', 'detail', 'weekday', 'hour', 'repetition'] as const;
export type RecoveryKey = (typeof RECOVERY_KEYS)[number];

/** The result of a cycle that was attempted or paid by a link. Each cycle counts once, however many attempts it had. */
export const RECOVERY_FATES = ['firstAttempt', 'recovered', 'recoveredByLink', 'lost', 'open'] as const;
export type RecoveryFate = (typeof RECOVERY_FATES)[number];

/** Cycles with the same key and the same result. */
export interface RecoverySum extends Figure {
  /** Null if the cycle has no value for the key, for example no refusal or no detail. */
  readonly key: string | null;
  readonly fate: RecoveryFate;
}

/** Hours from the first refusal to the debit, over the recovered cycles. */
export interface RecoveryTime {
  readonly median: number;
  readonly mean: number;
}

/** The hours after the first refusal for which advice is given: every six, and the last one before the service's limit of 72. */
export const ADVISED_HOURS = [6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 71] as const;

/** Cycles whose first refusal was retryable and that had the same course. In whole hours after the first refusal. */
export interface RetryHistory extends Figure {
  /** The last refusal by the bank, rounded down; 0 if only the first attempt was refused. */
  readonly refusedUntil: number;
  /** The successful retry, rounded up; null if there was none. */
  readonly collectedAfter: number | null;
}

/** Retries sent this long after the first refusal, in whole hours. */
export interface RetriesMade {
  readonly hours: number;
  readonly isCollected: boolean;
  readonly count: number;
}

/** What past retries suggest about a retry this many hours after the first refusal. */
export interface RetryAdvice {
  readonly hours: number;
  /**
   * Cycles with an earlier or simultaneous successful retry: a retry at this time would have succeeded, too, if the balance had
   * not changed.
   */
  readonly met: Figure;
  /** Cycles in which the bank refused a retry at this time or later. */
  readonly refused: Figure;
  /**
   * All others: no attempt was made between the last refusal and the debit, or after the last refusal of a cycle that was never
   * collected.
   */
  readonly unknown: Figure;
  /** Retries that were actually made within three hours of this time. */
  readonly tried: number;
  /** How many of those retries were successful. */
  readonly collected: number;
}

/**
 * What retries at other times would have recovered, as far as the merchant's own history shows. It changes no setting: small
 * numbers prove little, and the outcome of a retry that was not made is unknown.
 */
export function adviseRetries(
  histories: readonly RetryHistory[],
  made: readonly RetriesMade[],
): readonly RetryAdvice[] {
  return ADVISED_HOURS.map((hours) => {
    const sumWhere = (isSo: (history: RetryHistory) => boolean) => sumOf(histories.filter(isSo));
    const near = made.filter((each) => Math.abs(each.hours - hours) <= NEAR);
    return {
      hours,
      met: sumWhere((each) => wouldMeet(each, hours)),
      refused: sumWhere((each) => wouldBeRefused(each, hours)),
      unknown: sumWhere((each) => !wouldMeet(each, hours) && !wouldBeRefused(each, hours)),
      tried: countOf(near),
      collected: countOf(near.filter(({ isCollected }) => isCollected)),
    };
  });
}

/** Hours. */
const NEAR = 3;

function wouldMeet({ collectedAfter }: RetryHistory, hours: number): boolean {
  return collectedAfter !== null && hours >= collectedAfter;
}

function wouldBeRefused({ refusedUntil }: RetryHistory, hours: number): boolean {
  return hours <= refusedUntil;
}

function countOf(made: readonly RetriesMade[]): number {
  return made.reduce((sum, { count }) => addExactly(sum, count), 0);
}

/** The given sums, added up for each result. */
export function figuresOf(sums: readonly RecoverySum[]): Readonly<Record<RecoveryFate, Figure>> {
  const sumWith = (fate: RecoveryFate) => sumOf(sums.filter((each) => each.fate === fate));
  return {
    firstAttempt: sumWith('firstAttempt'),
    recovered: sumWith('recovered'),
    recoveredByLink: sumWith('recoveredByLink'),
    lost: sumWith('lost'),
    open: sumWith('open'),
  };
}

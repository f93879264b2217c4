import { addExactly, type Figure, sumOf } from '../money';

/** What retries have brought in, and what others might have. */

/** By what a report of recoveries is divided. */
export const RECOVERY_KEYS = ['attempt', 'detail', 'weekday', 'hour', 'repetition'] as const;
export type RecoveryKey = (typeof RECOVERY_KEYS)[number];

/** The outcome of a cycle that was tried, or paid by a link: each counts once, however often it was tried. */
export const RECOVERY_FATES = ['firstAttempt', 'recovered', 'recoveredByLink', 'lost', 'open'] as const;
export type RecoveryFate = (typeof RECOVERY_FATES)[number];

/** Cycles of one kind and one fate. */
export interface RecoverySum extends Figure {
  /** Null for what says nothing of it: no refusal, no detail. */
  readonly key: string | null;
  readonly fate: RecoveryFate;
}

/** Hours from the first refusal to the debit, of the cycles that were recovered. */
export interface RecoveryTime {
  readonly median: number;
  readonly mean: number;
}

/** Hours after the first refusal of which advice is given: every six, and the last one before the service's 72. */
export const ADVISED_HOURS = [6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 71] as const;

/** Cycles that were first refused as retryable and that ended alike. Whole hours after the first refusal. */
export interface RetryHistory extends Figure {
  /** When the bank last refused, rounded down: 0 where it refused only the first attempt. */
  readonly refusedUntil: number;
  /** When it went through, rounded up; null where it never did. */
  readonly collectedAfter: number | null;
}

/** Retries that were made so long after the first refusal, rounded to whole hours. */
export interface RetriesMade {
  readonly hours: number;
  readonly isCollected: boolean;
  readonly count: number;
}

/** What the history says of a retry so many hours after the first refusal. */
export interface RetryAdvice {
  readonly hours: number;
  /** The bank had let a retry through by then: it would have met the money, if that stayed. */
  readonly met: Figure;
  /** The bank still refused a retry then or later. */
  readonly refused: Figure;
  /** Between the last refusal and the debit, or after the last refusal of one never collected: no attempt was made. */
  readonly unknown: Figure;
  /** Retries that were in fact made within three hours of it. */
  readonly tried: number;
  /** Those of them that went through. */
  readonly collected: number;
}

/**
 * What retries at other times would have met, as far as the merchant's own history shows it. It sets nothing: a small
 * number says little, and the outcome of a retry that was not made is unknown.
 */
export function adviseRetries(
  histories: readonly RetryHistory[],
  made: readonly RetriesMade[],
): readonly RetryAdvice[] {
  return ADVISED_HOURS.map((hours) => {
    const of = (isSo: (history: RetryHistory) => boolean) => sumOf(histories.filter(isSo));
    const near = made.filter((each) => Math.abs(each.hours - hours) <= NEAR);
    return {
      hours,
      met: of((each) => wouldMeet(each, hours)),
      refused: of((each) => wouldBeRefused(each, hours)),
      unknown: of((each) => !wouldMeet(each, hours) && !wouldBeRefused(each, hours)),
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

/** The sums of one key, each fate once. */
export function figuresOf(sums: readonly RecoverySum[]): Readonly<Record<RecoveryFate, Figure>> {
  const of = (fate: RecoveryFate) => sumOf(sums.filter((each) => each.fate === fate));
  return {
    firstAttempt: of('firstAttempt'),
    recovered: of('recovered'),
    recoveredByLink: of('recoveredByLink'),
    lost: of('lost'),
    open: of('open'),
  };
}

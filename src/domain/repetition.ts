/** The payment interval of a subscription, in the reference's words. It never changes (decisions 22). */
export const REPETITIONS = ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'] as const;

export type Repetition = (typeof REPETITIONS)[number];

/** Months in one interval; null for WEEKLY, which counts days. */
export function monthsOf(repetition: Repetition): number | null {
  switch (repetition) {
    case 'WEEKLY':
      return null;
    case 'MONTHLY':
      return 1;
    case 'QUARTERLY':
      return 3;
    case 'HALF_YEARLY':
      return 6;
    case 'YEARLY':
      return 12;
  }
}

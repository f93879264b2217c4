import type { DailyOutcome } from '../../src/domain/daily-work';

/** The counts of a page of the daily work, and the position after it. */
export function pageOf(outcome: DailyOutcome | undefined): Readonly<Record<string, unknown>> {
  if (outcome?.kind !== 'page') throw new Error(`expected a page, got ${JSON.stringify(outcome)}`);
  return { ...outcome.counts, after: outcome.after };
}

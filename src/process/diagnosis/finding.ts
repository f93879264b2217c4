import { SECOND } from '../../domain/time';
import { messageOf } from '../command-error';

/** The result of one check, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  /** What was found, without secrets. */
  readonly found: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

/** Real ms that the check of one dependency may take. */
export const CHECK_TIMEOUT = 10 * SECOND;
/** Real ms by which clocks may differ before it is reported; rule 16 stops sending at a minute. */
const AGREE_WITHIN = 2 * SECOND;

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, advice: null });
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found,
  advice,
});
export const failed = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'failed',
  found,
  advice,
});

/** The result of a check; if it rejects, a failed finding with the error's message. */
export async function finding(check: string, advice: string, work: () => Promise<Finding>): Promise<Finding> {
  return work().catch((error: unknown) => failed(check, messageOf(error), advice));
}

/** Describes how far another clock is ahead of ours; null if they agree. @param lead real ms, negative: behind */
export function clockDifference(lead: number): string | null {
  if (Math.abs(lead) <= AGREE_WITHIN) return null;
  return `${(Math.abs(lead) / SECOND).toFixed(1)} s ${lead > 0 ? 'ahead of' : 'behind'} ours`;
}

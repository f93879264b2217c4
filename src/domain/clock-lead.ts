import { SECOND } from './instant';
import { CLOCK_SKEW } from './listed-records';

/** When something was asked and when the answer was here, by our clock. Real time, epoch ms. */
export interface Asked {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * By how many ms another clock is ahead of ours at the least, negative where it is behind; 0 where both may agree. It
 * showed `shown` at some moment between the two of ours, cut to whole seconds.
 */
export function certainLead(shown: number, { askedAt, answeredAt }: Asked): number {
  // Ours may have been set back meanwhile.
  const earliest = Math.min(askedAt, answeredAt);
  const latest = Math.max(askedAt, answeredAt);
  if (shown > latest) return shown - latest;
  return Math.min(0, shown + SECOND - 1 - earliest);
}

/** Why nothing may be sent: what is ours among the service's records is told by its clock (decisions 16). Null where none. */
export function whyClocksDiffer(lead: number | undefined): string | null {
  if (lead === undefined || Math.abs(lead) <= CLOCK_SKEW) return null;
  const seconds = Math.floor(Math.abs(lead) / SECOND);
  return `the clock of the service is ${seconds} s or more ${lead > 0 ? 'ahead of' : 'behind'} ours`;
}

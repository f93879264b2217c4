import { DAY } from './time';

/** The four-eyes rule: what needs approval by a second person. */

/** Real ms within which an approval must be decided and used. */
export const APPROVAL_LIFE = DAY;

/** The states of an approval. `used`: the request that it permits was started. */
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The decisions that the second person can make. */
export const APPROVAL_DECISIONS = ['approved', 'rejected'] as const;
export type Decision = (typeof APPROVAL_DECISIONS)[number];

/** The deployment's settings for the four-eyes rule. */
export interface FourEyes {
  readonly environment: 'sandbox' | 'production';
  /** Amounts above this number of cents need a second person; omitted: no amount does. */
  readonly approvalAboveCents?: number;
}

/** Whether an act needs a second person regardless of its amount: always in production, elsewhere if the four-eyes rule is configured. */
export function isActGuarded({ environment, approvalAboveCents }: FourEyes): boolean {
  return environment === 'production' || approvalAboveCents !== undefined;
}

/** Whether this amount needs a second person. */
export function isAmountGuarded({ approvalAboveCents }: FourEyes, cents: number): boolean {
  return approvalAboveCents !== undefined && cents > approvalAboveCents;
}

/**
 * Whether two holders of API keys count as the same person: case and extra spaces make no difference. Holders are plain
 * ASCII.
 */
export function isSamePerson(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf(holder: string): string {
  return holder.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

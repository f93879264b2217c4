import { DAY } from './time';

/** Four eyes: what needs the word of a second person. */

/** Real ms after a request in which it is decided, and used. */
export const APPROVAL_LIFE = DAY;

/** How an approval stands. `used`: the request that it permits was begun. */
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What the person who decides says. */
export const APPROVAL_DECISIONS = ['approved', 'rejected'] as const;
export type Decision = (typeof APPROVAL_DECISIONS)[number];

/** Who must agree is set by the deployment. */
export interface FourEyes {
  readonly environment: 'sandbox' | 'production';
  /** Cents above which an amount needs a second person; left out: no amount does. */
  readonly approvalAboveCents?: number;
}

/** Whether an act needs a second person at any amount: always in production, elsewhere where four eyes are configured. */
export function isActGuarded({ environment, approvalAboveCents }: FourEyes): boolean {
  return environment === 'production' || approvalAboveCents !== undefined;
}

/** Whether so many cents need a second person. */
export function isAmountGuarded({ approvalAboveCents }: FourEyes, cents: number): boolean {
  return approvalAboveCents !== undefined && cents > approvalAboveCents;
}

/** Whether a reader would take two holders for one person: case and blanks make no difference. Holders are plain ASCII. */
export function isSamePerson(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf(holder: string): string {
  return holder.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

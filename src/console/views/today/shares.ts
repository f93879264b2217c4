import type { Deadline } from '../common/schemas';

interface Share {
  readonly one: string;
  readonly many: string;
  /** Heads the board where it shows these alone. */
  readonly title: string;
  readonly has: (deadline: Deadline) => boolean;
}

const NEAR_HOURS = 24;

const IN_DOUBT: ReadonlySet<Deadline['blockedBy'][number]> = new Set([
  'outcome_unknown',
  'outcome_unresolved',
  'awaiting_answer',
]);

/** What the board can be narrowed to, by the name in the address. */
export const SHARES = {
  near: {
    one: 'window closes within 24 h',
    many: 'windows close within 24 h',
    title: 'Less than 24 hours left',
    has: isNear,
  },
  retrying: {
    one: 'retries',
    many: 'retry',
    title: 'Waiting for a retry',
    has: ({ status }) => status === 'dunning',
  },
  unknown: {
    one: 'outcome is not known',
    many: 'outcomes are not known',
    title: 'Outcome not known',
    has: ({ blockedBy }) => blockedBy.some((each) => IN_DOUBT.has(each)),
  },
} as const satisfies Readonly<Record<string, Share>>;

export type ShareName = keyof typeof SHARES;

export function isShare(name: string | undefined): name is ShareName {
  return name !== undefined && Object.hasOwn(SHARES, name);
}

export function isNear({ hoursLeft }: Deadline): boolean {
  return hoursLeft < NEAR_HOURS;
}

import type { ContradictionOrder } from '../../src/sandbox';

/** How a due date ends: the ledger's status of its cycle, or `none`. */
export type CycleEnd = 'collected' | 'unresolved' | 'collecting' | 'missed' | 'failed' | 'skipped' | 'none';

/** The expected state of a subscription after five weeks. */
export interface Expected {
  /** The end of each due date, oldest first. */
  readonly cycles: readonly CycleEnd[];
  /** Attention items that are open at the end: kind, and its cycle if it has one. */
  readonly items: readonly string[];
  /** Attention items that open and are closed again when the subscription ends. */
  readonly closedItems?: readonly string[];
}

/** Something that is done some time before the cycle falls due. */
export type Preparation =
  | { readonly beforeCycle: number; readonly contradict: ContradictionOrder }
  /** Another system of the merchant's collects with the same mandate. */
  | { readonly beforeCycle: number; readonly elsewhere: { readonly hoursBefore: number; readonly cents: number } }
  | { readonly beforeCycle: number; readonly cancel: true }
  /** How much of the previous cycle is refunded. */
  | { readonly beforeCycle: number; readonly refundCents: number };

/** One way in which a service contradicts itself, and the expected result. */
export interface Kind {
  readonly name: string;
  /** Why the expectations are what they are. */
  readonly why: string;
  /** Set if it must have no effect: every date is collected and no item opens. */
  readonly isHarmless?: true;
  /** The payer's wallet before each cycle; `approves` if it is not given. */
  readonly wallet?: string;
  readonly prepared: readonly Preparation[];
  readonly expected: Expected;
  /** A second play, in which the answer to a cycle's POST is lost; null: the loss would show nothing more. */
  readonly lostAnswer?: { readonly inCycle: number; readonly expected?: Expected } | null;
  /** Set if it is played in the installation with PAYMENT_SERVICE_LIST_DAYS=90. */
  readonly isOfListDays?: true;
  /** Set if the mandate was granted elsewhere and is imported; its dates are monthly, and this many of them are past. */
  readonly imported?: { readonly pastCycles: number };
}

export const COLLECTED: Expected = { cycles: Array.from({ length: 5 }, () => 'collected'), items: [] };
/** A contradiction from the first cycle on, or from a later one on. */
export const always = (contradict: ContradictionOrder): Preparation => ({ beforeCycle: 0, contradict });
export const before = (beforeCycle: number, contradict: ContradictionOrder): Preparation => ({
  beforeCycle,
  contradict,
});
export const inCycle = (cycle: number, order: ContradictionOrder, attempt = 0): Preparation => ({
  beforeCycle: cycle,
  contradict: { ...order, match: { cycle, attempt } } as ContradictionOrder,
});
export const eachCycle = (order: ContradictionOrder): Preparation[] =>
  [0, 1, 2, 3, 4].map((cycle) => before(cycle, order));

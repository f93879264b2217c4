import type { Again, Answer, Notice, Seen, Settled } from '../../src/domain/attempt/action';
import type {
  Attempt,
  ConsentFacts,
  Facts,
  LedgerFacts,
  OwnRecords,
  Send,
  SendResult,
  Shown,
  ShownCapture,
} from '../../src/domain/attempt/attempt';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import type { EventData } from '../../src/domain/audit/event';
import type { SendOptions, ServiceResult } from '../../src/payment-service';

/** What the row is before a POST, or why there is none. */
export type Begun =
  | { readonly kind: 'started'; readonly send: Send }
  /** What the ledger knows of the payment has changed since the service was asked. */
  | { readonly kind: 'changed' }
  | Extract<SendResult, { kind: 'held' | 'no_notice' | 'halted' | 'probing' | 'blocked' | 'closed' }>;

/**
 * A debit, a capture or a refund under way: how ledger and service are asked about it, and how what became of it is written. What is
 * to be done is decided by `nextAction`.
 */
export interface Subject {
  readonly attempt: Attempt;
  /** Names its back-off in the ledger. */
  readonly key: string;
  /** What a trace calls it. */
  readonly noun: 'attempt' | 'order';
  /** What operators see of it on the pending activity, beside the number of its send. */
  readonly shownAs: EventData;
  /** How its record at the service is named there. */
  readonly idName: string;
  /** Calls that are made in one permit: from the first check to the POST. */
  readonly calls: number;
  readonly readSend: () => Promise<Pick<Facts, 'send' | 'beside'>>;
  /** Whether another worker has begun a send of it since. */
  readonly isBegun: () => Promise<boolean>;
  readonly readLedger: () => Promise<LedgerFacts>;
  readonly readConsent: () => Promise<ConsentFacts>;
  readonly readOwn: () => Promise<OwnRecords>;
  readonly readHeldIds: () => Promise<readonly string[]>;
  readonly list: () => Promise<ServiceResult<readonly Shown[]>>;
  readonly listCaptures: (of: AuthorizationId | null) => Promise<ServiceResult<readonly ShownCapture[]>>;
  /** Commits the row "sending", or says why not. */
  readonly begin: (knownIds: readonly string[]) => Promise<Begun>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<Shown>>;
  /** Asked right before the first byte: whether the window still permits it. */
  readonly mayLeave: () => boolean;
  /** @returns whether it was written: if not, the row says what counts */
  readonly settle: (send: Send, outcome: Settled) => Promise<boolean>;
  /** @returns the current row */
  readonly count: (send: Send, absent: boolean) => Promise<Send | null>;
  /** @returns the current row */
  readonly observe: (send: Send, seen: Seen) => Promise<Send | null>;
  /** @returns the result if it stops another cycle's attempt */
  readonly reopen: (again: Again) => Promise<Reopened | null>;
  /** @returns whether it is the cycle's debit now */
  readonly adopt: (record: Listed) => Promise<boolean>;
  /** Ends it without a POST. @returns whether it has ended; if not, another order has an unknown outcome */
  readonly giveUp: () => Promise<boolean>;
  readonly notify: (notice: Notice) => Promise<void>;
  /** The refused attempt of the cycle that is listed again; null if it was refused again. */
  readonly readBeside: () => Promise<Send | null>;
  /** Asks once what became of that attempt, and waits for nothing. */
  readonly pollBeside: () => Promise<void>;
  /** After each pass over the row. */
  readonly endPass: () => Promise<void>;
}

/** A refused attempt of another cycle that is listed again. */
export type Reopened = Extract<Answer['result'], { kind: 'reopened' }>;

import type { Again, Answer, Notice, Observation, Settled } from '../../src/domain/attempt/action';
import type {
  Attempt,
  ConsentFacts,
  Facts,
  LedgerFacts,
  OwnRecords,
  Send,
  SendResult,
  ServiceRecord,
  ServiceCapture,
} from '../../src/domain/attempt/attempt';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import type { EventData } from '../../src/domain/audit/event';
import type { SendOptions, ServiceResult } from '../../src/payment-service';

/** The row committed before a POST, or why there is none. */
export type BeginResult =
  | { readonly kind: 'started'; readonly send: Send }
  /** The ledger's state of the payment has changed since the service was read. */
  | { readonly kind: 'changed' }
  | Extract<SendResult, { kind: 'held' | 'no_notice' | 'halted' | 'probing' | 'blocked' | 'closed' }>;

/**
 * A debit, capture or refund in progress: how it is read from ledger and service, and how its outcome is recorded. `nextAction`
 * decides what to do next.
 */
export interface Subject {
  readonly attempt: Attempt;
  /** The key of its back-off in the ledger. */
  readonly key: string;
  /** Its name in traces. */
  readonly noun: 'attempt' | 'order';
  /** What operators see on the pending activity, besides the send's number. */
  readonly shownAs: EventData;
  /** The name of the service's record id in traces. */
  readonly idName: string;
  /** Calls reserved together: from the first check to the POST. */
  readonly calls: number;
  readonly readSend: () => Promise<Pick<Facts, 'send' | 'beside'>>;
  /** Whether another worker has started a send since. */
  readonly hasStarted: () => Promise<boolean>;
  readonly readLedger: () => Promise<LedgerFacts>;
  readonly readConsent: () => Promise<ConsentFacts>;
  readonly readOwn: () => Promise<OwnRecords>;
  readonly readTakenIds: () => Promise<readonly string[]>;
  readonly list: () => Promise<ServiceResult<readonly ServiceRecord[]>>;
  readonly listCaptures: (of: AuthorizationId | null) => Promise<ServiceResult<readonly ServiceCapture[]>>;
  /** Commits the row "sending", or says why not. */
  readonly begin: (knownIds: readonly string[]) => Promise<BeginResult>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<ServiceRecord>>;
  /** Checked right before the first byte: whether the window still permits the send. */
  readonly mayLeave: () => boolean;
  /** @returns whether it was written; if not, the stored row already has an outcome, which counts */
  readonly settle: (send: Send, outcome: Settled) => Promise<boolean>;
  /** @returns the current row */
  readonly count: (send: Send, absent: boolean) => Promise<Send | null>;
  /** @returns the current row */
  readonly observe: (send: Send, seen: Observation) => Promise<Send | null>;
  /** @returns the result, if it stops an attempt of another cycle */
  readonly reopen: (again: Again) => Promise<Reopened | null>;
  /** @returns whether the record is now the cycle's debit */
  readonly adopt: (record: Listed) => Promise<boolean>;
  /** Ends the subject without a POST. @returns whether it has ended; if not, another order has an unknown outcome */
  readonly giveUp: () => Promise<boolean>;
  readonly notify: (notice: Notice) => Promise<void>;
  /** The cycle's refused attempt that is listed again; null if it was refused again. */
  readonly readBeside: () => Promise<Send | null>;
  /** Checks once, without waiting, the outcome of that attempt. */
  readonly pollBeside: () => Promise<void>;
  /** Called after each pass over the row. */
  readonly endPass: () => Promise<void>;
}

/** A refused attempt of another cycle that is listed again. */
export type Reopened = Extract<Answer['result'], { kind: 'reopened' }>;

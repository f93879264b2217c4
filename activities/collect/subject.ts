import type { Again, Answer, Observation, Settled, SideEffect } from '../../src/domain/attempt/action';
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
import type { ServiceResult } from '../../src/payment-service';

/** The row committed before a POST, or why there is none. */
export type BeginResult =
  | { readonly kind: 'started'; readonly send: Send }
  /** The ledger's state of the payment has changed since the service was read. */
  | { readonly kind: 'changed' }
  | Extract<SendResult, { kind: 'stopped' | 'no_notice' | 'halted' | 'probing' | 'blocked' | 'closed' }>;

/**
 * A debit, capture or refund in progress: how it is read from ledger and service, and how its outcome is recorded. `nextAction`
 * decides what to do next.
 */
export type Subject = DebitInProgress | OrderInProgress;

interface InProgress {
  readonly attempt: Attempt;
  /** The key of its back-off in the ledger. */
  readonly key: string;
  /** What operators see on the pending activity, besides the send's number. */
  readonly shownAs: EventData;
  /** The name under which operators see the service's record id on the pending activity. */
  readonly idName: string;
  /** Calls reserved together: from the first check to the POST. */
  readonly calls: number;
  readSend(): Promise<Pick<Facts, 'send' | 'reopened'>>;
  readLedger(): Promise<LedgerFacts>;
  readOwn(): Promise<OwnRecords>;
  readTakenIds(): Promise<readonly string[]>;
  list(): Promise<ServiceResult<readonly ServiceRecord[]>>;
  /** Commits the row "sending", or says why not. */
  begin(knownIds: readonly string[]): Promise<BeginResult>;
  /** @param mayBeSent the last check, right before the first byte */
  post(mayBeSent: () => boolean): Promise<ServiceResult<ServiceRecord>>;
  /** Checked right before the first byte: whether the window still permits the send. */
  mayLeave(): boolean;
  /** @returns whether it was written; if not, the stored row already has an outcome, which counts */
  settle(send: Send, outcome: Settled): Promise<boolean>;
  /** @returns the current row */
  countAbsence(send: Send, absent: boolean): Promise<Send | null>;
  record(sideEffect: SideEffect): Promise<void>;
  /** Called after each pass, except one that ends as soon as it has read the row. */
  endPass(): Promise<void>;
}

/** A debit of a subscription in progress. */
export interface DebitInProgress extends InProgress {
  /** Its name in traces. */
  readonly noun: 'attempt';
  /** Whether another worker has started a send since the row was read. */
  hasStarted(): Promise<boolean>;
  readConsent(): Promise<ConsentFacts>;
  listCaptures(of: AuthorizationId | null): Promise<ServiceResult<readonly ServiceCapture[]>>;
  /** @returns the current row */
  observe(send: Send, seen: Observation): Promise<Send | null>;
  /** @returns the reopened attempt if it belongs to another cycle than this one; null if it does not, or is not pending */
  reopen(again: Again): Promise<Reopened | null>;
  /** @returns whether the record is now the cycle's debit */
  adopt(record: Listed): Promise<boolean>;
  /** The cycle's refused attempt that is listed again; null if it was refused again. */
  readReopened(): Promise<Send | null>;
  /** Checks once, without waiting, the outcome of that attempt. */
  pollReopened(): Promise<void>;
}

/** A capture or refund in progress. */
export interface OrderInProgress extends InProgress {
  /** Its name in traces. */
  readonly noun: 'order';
  /** Ends the order without a POST. @returns whether it has ended; if not, another order has an unknown outcome */
  giveUp(): Promise<boolean>;
}

/** A refused attempt of another cycle that is listed again. */
export type Reopened = Extract<Answer['result'], { kind: 'reopened' }>;

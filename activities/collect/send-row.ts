import type { Facts, Send } from '../../src/domain/attempt/attempt';
import type { AcceptedDebit, AttemptRead, AttemptRecord, Current } from '../../src/ledger';
import { sendOf } from './debit-forms';

/** An outcome as it was written. The optional fields are known only if a single statement was enough to write it. */
export interface WrittenOutcome {
  readonly send: AttemptRecord;
  readonly reopened?: AttemptRead['reopened'];
  /** Present if the outcome is the accepted answer to the POST: the facts from which the end of the debit is decided. */
  readonly accepted?: AcceptedDebit;
  /** For a debit: the state after it, which decides the next step. */
  readonly current?: Current;
}

/**
 * The row of an attempt's last send, as this run last read or wrote it, or the row of a reopened attempt, if that is followed
 * instead. Also holds what the ledger returned when this run wrote an outcome.
 */
export class SendRow {
  private row: AttemptRecord | null = null;
  /** What reading the row would return; known because this run has just written it. */
  private written: Pick<AttemptRead, 'reopened'> | null = null;
  private acceptedDebit: AcceptedDebit | null = null;
  private afterDebit: Current | null = null;

  /** Null if nothing was sent. */
  get record(): AttemptRecord | null {
    return this.row;
  }

  /** The row in the common form of sends; null if nothing was sent. */
  get send(): Send | null {
    return this.row === null ? null : sendOf(this.row);
  }

  /** Returned when the accepted answer to the POST was written; null if several statements were needed. */
  get accepted(): AcceptedDebit | null {
    return this.acceptedDebit;
  }

  /** The state after the debit; null if several statements were needed to write it, or if there is none yet. */
  get current(): Current | null {
    return this.afterDebit;
  }

  /** @throws if nothing was sent */
  requireRecord(): AttemptRecord {
    if (this.row === null) throw new Error('an outcome for an attempt that was never sent');
    return this.row;
  }

  replace(row: AttemptRecord | null): Send | null {
    this.row = row;
    return this.send;
  }

  /** @param reopened undefined if it must be read before the next pass */
  write({ send, accepted, current }: WrittenOutcome, reopened: AttemptRead['reopened'] | undefined): void {
    this.row = send;
    this.written = reopened === undefined ? null : { reopened };
    this.acceptedDebit = accepted ?? this.acceptedDebit;
    this.afterDebit = current ?? this.afterDebit;
  }

  /** Returns once, after a write, what reading would return; null if it must be read. */
  takeWritten(): Pick<Facts, 'send' | 'reopened'> | null {
    const { written } = this;
    this.written = null;
    return written === null ? null : { send: this.send, reopened: written.reopened };
  }
}

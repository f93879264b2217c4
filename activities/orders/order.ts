import { ApplicationFailure } from '@temporalio/common';
import type { Settled, SideEffect } from '../../src/domain/attempt/action';
import type { Attempt, Facts, LedgerFacts, OwnRecords, Send, ServiceRecord } from '../../src/domain/attempt/attempt';
import { maySendAt } from '../../src/domain/attempt/before-send';
import { probeInterval } from '../../src/domain/attempt/limits';
import type { Money } from '../../src/domain/money';
import { type Instant, toIso } from '../../src/domain/time';
import {
  beginOrderSend,
  failUnsent,
  takenRecordIds,
  knownOrders,
  latestOrderSend,
  type OrderSendRecord,
  type OrderSubject,
  precheckOrder,
  readStoredBackOff,
  recordOrderCheck,
} from '../../src/ledger';
import type { SendOptions, ServiceResult } from '../../src/payment-service';
import { carryOut } from '../collect/interpreter';
import { isAnsweredSinceLast } from '../collect/post';
import type { BeginResult, OrderInProgress } from '../collect/subject';
import type { Dependencies } from '../dependencies';
import { withHeartbeat } from '../stops';
import { recordSettled, recordSideEffect, sendOf } from './order-records';

/** The order, and how to request it from the service: everything in which captures and refunds differ. */
export interface Order {
  readonly subject: OrderSubject;
  readonly amount: Money;
  /** Business time of the order. */
  readonly orderedAt: Instant;
  /** Business times before which a capture must arrive and must be sent; null for a refund, which has no window. */
  readonly deadline: { readonly at: Instant; readonly sendBefore: Instant } | null;
  readonly list: () => Promise<ServiceResult<readonly ServiceRecord[]>>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<ServiceRecord>>;
}

/** The failure, not retried, if the ledger has no such order: nothing is sent then, whatever the workflow's input says. */
export function notOrdered(what: 'capture' | 'refund', id: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`the ledger has no order for ${what} ${id}`, 'not_ordered');
}

/**
 * Executes one order. Safe to run any number of times: the ledger's row says how far it got, and a row without an outcome
 * is settled, never sent again (rules 16, 18).
 * @returns the final row
 */
export function executeOrder(deps: Dependencies, order: Order): Promise<OrderSendRecord> {
  return withHeartbeat(async (progress) => {
    const subject = new CaptureOrRefund(deps, order);
    await carryOut(deps, subject, progress, await readStoredBackOff(deps.ledger, subject.key));
    return subject.currentRow();
  });
}

/** The calls for the list and the POST. */
const CALLS = 2;

/** One capture or refund in progress. */
class CaptureOrRefund implements OrderInProgress {
  readonly attempt: Attempt;
  readonly key: string;
  readonly noun = 'order';
  readonly idName = 'serviceId';
  readonly shownAs = {};
  readonly calls = CALLS;
  readonly subject: OrderSubject;
  private row: OrderSendRecord | null = null;
  /** Whether the service has answered none of the installation's last POSTs readably. */
  private isUnanswered = false;

  constructor(
    readonly deps: Dependencies,
    private readonly order: Order,
  ) {
    const { subject, amount, orderedAt, deadline } = order;
    this.subject = subject;
    this.key = subject.orderId;
    this.attempt = {
      recordKind: subject.kind,
      amount,
      since: orderedAt,
      notBefore: -Infinity,
      sendBefore: deadline?.sendBefore ?? null,
      endsAt: deadline?.at ?? null,
      isRetry: false,
      settleOnly: false,
      parked: false,
      knownUnresolved: false,
    };
  }

  async readSend(): Promise<Pick<Facts, 'send' | 'reopened'>> {
    this.row = await latestOrderSend(this.deps.ledger, this.key as OrderSubject['orderId']);
    return { send: this.current(), reopened: null };
  }

  async readLedger(): Promise<LedgerFacts> {
    const { ledger } = this.deps;
    const before = await precheckOrder(ledger, this.subject.orderId);
    const { sends, lastUnknownReal, isHalted } = before;
    this.isUnanswered = before.isUnanswered;
    const isAnswered = await isAnsweredSinceLast(ledger, before);
    const debitOnly = { isStopped: false, currentAmount: null, hasIncompleteListItem: false };
    return { since: this.order.orderedAt, isHalted, sends, lastUnknownReal, isAnswered, ...debitOnly };
  }

  async readOwn(): Promise<OwnRecords> {
    const { paymentId, orderId } = this.subject;
    const { records, isOtherUnknown } = await knownOrders(this.deps.ledger, paymentId, orderId);
    return { known: records, ofCycle: [], isOtherUnknown };
  }

  readTakenIds(): Promise<readonly string[]> {
    return takenRecordIds(this.deps.ledger, this.subject.orderId);
  }

  list(): Promise<ServiceResult<readonly ServiceRecord[]>> {
    return this.order.list();
  }

  async begin(knownIds: readonly string[]): Promise<BeginResult> {
    const { ledger, clock, settings } = this.deps;
    const result = await beginOrderSend(ledger, {
      orderId: this.subject.orderId,
      knownIds,
      owner: settings.owner,
      at: clock.now(),
      realAt: clock.realNow(),
      probeInterval: this.isUnanswered ? probeInterval(settings) : undefined,
    });
    if (result.kind !== 'started') return result;
    this.row = result.send;
    return { kind: 'started', send: sendOf(result.send) };
  }

  post(mayBeSent: () => boolean): Promise<ServiceResult<ServiceRecord>> {
    return this.order.post({ beforeSend: mayBeSent });
  }

  mayLeave(): boolean {
    return maySendAt(this.attempt, this.deps.clock.now());
  }

  settle({ send }: Send, outcome: Settled): Promise<boolean> {
    return recordSettled(this, send, outcome);
  }

  async countAbsence({ send }: Send, absent: boolean): Promise<Send | null> {
    this.row = await recordOrderCheck(this.deps.ledger, { orderId: this.subject.orderId, send }, { absent });
    return this.current();
  }

  /** Fails the order without a POST: the amount that it reserved is available again. */
  async giveUp(): Promise<boolean> {
    const { ledger, clock, settings } = this.deps;
    const { orderId } = this.subject;
    const done = await failUnsent(ledger, {
      orderId,
      owner: settings.owner,
      at: clock.now(),
      realAt: clock.realNow(),
      detail: 'CAPTURE_PERIOD_ENDED',
      description: `it had to arrive before ${toIso(this.order.deadline?.at ?? clock.now())}`,
    });
    return done.kind === 'failed' || done.by.orderId === orderId;
  }

  record(sideEffect: SideEffect): Promise<void> {
    return recordSideEffect(this, sideEffect);
  }

  endPass(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws if the ledger has no row of a send */
  currentRow(): OrderSendRecord {
    if (this.row === null) throw new Error(`order ${this.key} ended without a send`);
    return this.row;
  }

  private current(): Send | null {
    return this.row === null ? null : sendOf(this.row);
  }
}

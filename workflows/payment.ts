import {
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
  allHandlersFinished,
  continueAsNew,
} from '@temporalio/workflow';
import type { ConsentRequestResult } from '../src/contract/activities';
import {
  type CaptureInput,
  type CaptureResult,
  captureUpdate,
  checkPaymentUpdate,
  type FollowedPayment,
  type PaymentInput,
  type PaymentReference,
  type PaymentState,
  paymentStateQuery,
  releaseUpdate,
  requestPaymentUpdate,
  type RefundInput,
  type RefundResult,
} from '../src/contract/payments';
import { DUEDAY_STATUS } from '../src/contract/workflows';
import { formatMoney } from '../src/domain/money';
import { DEADLINE_NOTICE, isSettled } from '../src/domain/payment/payment';
import { realDelay, toBusiness, type Instant, toIso } from '../src/domain/time';
import {
  announceDeadline,
  capturePayment,
  discardPayment,
  expirePayment,
  followPayment,
  lookAtPayment,
  releasePayment,
  requestPayment,
  refundPayment,
} from './activities';
import { sendNotice, Mutex, afterDiscarding, unavailable } from './runtime';

/** One step after the other, beside what people order. About money the ledger decides; here is only when. */
export class PaymentLife {
  private current: PaymentState;
  private answer: ConsentRequestResult | null = null;
  private changes = 0;
  /** Captures and a release one at a time, and none beside the end. */
  private readonly turns = new Mutex();

  constructor(private readonly input: PaymentInput) {
    this.current = input.state;
    const { paymentId, requestedRealAt } = this.current;
    if (paymentId !== null && requestedRealAt !== null) this.answer = { kind: 'requested', paymentId, requestedRealAt };
    setHandler(paymentStateQuery, () => this.state);
    setHandler(requestPaymentUpdate, () => this.requested());
    setHandler(checkPaymentUpdate, () => this.look());
    setHandler(captureUpdate, (order) => this.capture(order));
    setHandler(releaseUpdate, () => this.release());
  }

  get state(): PaymentState {
    return this.current;
  }

  async begin(): Promise<void> {
    if (this.current.paymentId === null) await this.request();
  }

  /** One step; false where it was the last. */
  async goOn(): Promise<boolean> {
    const { paymentId, status, captureBy, deadlineTold, terms } = this.current;
    if (paymentId === null || isSettled(status)) return false;
    if (status === 'pending_consent' || terms.plan === 'SINGLE') {
      await this.take(await followPayment({ paymentId }));
      return true;
    }
    if (captureBy === null) throw new Error(`payment ${paymentId} is ${status} and has no deadline`);
    const now = this.now();
    if (now >= captureBy) await this.turns.take(() => this.expire());
    else if (!deadlineTold && now >= captureBy - DEADLINE_NOTICE) await this.tell(captureBy);
    else await this.sleepUntil(deadlineTold ? captureBy : captureBy - DEADLINE_NOTICE);
    return true;
  }

  /** What the service said to `POST /payments`. */
  private async requested(): Promise<ConsentRequestResult> {
    await condition(() => this.answer !== null);
    return this.answer as ConsentRequestResult;
  }

  private async request(): Promise<void> {
    const { requestId } = this.current.terms;
    let answer = await requestPayment({ requestId }).catch(unavailable);
    if (answer.kind !== 'requested') answer = afterDiscarding(answer, await discardPayment({ requestId }));
    if (answer.kind === 'requested') {
      const { paymentId, requestedRealAt } = answer;
      this.update({ ...this.current, paymentId, requestedRealAt });
    }
    this.answer = answer;
  }

  private async look(): Promise<void> {
    await this.requested();
    if (this.current.paymentId !== null) await lookAtPayment(this.reference);
  }

  private async capture(order: CaptureInput): Promise<CaptureResult> {
    const summary = `capture ${formatMoney(order.amount)}${order.finalCapture ? ', final' : ''}`;
    return this.turns.take(async () => {
      const result = await capturePayment.executeWithOptions({ summary }, [order]);
      this.update({ ...this.current, status: result.status });
      return result;
    });
  }

  private async release(): Promise<void> {
    await this.turns.take(async () => {
      if (!isSettled(this.current.status)) await this.take(await releasePayment(this.reference));
    });
  }

  private async expire(): Promise<void> {
    if (isSettled(this.current.status)) return;
    const { transit } = this.current.terms;
    await this.take(await expirePayment({ ...this.reference, transit }));
  }

  private async tell(captureBy: Instant): Promise<void> {
    const noticeId = await announceDeadline({ ...this.reference, captureBy });
    this.update({ ...this.current, deadlineTold: true });
    if (noticeId !== null) await sendNotice(noticeId);
  }

  private async take({ status, captureBy, noticeId }: FollowedPayment): Promise<void> {
    this.update({ ...this.current, status, captureBy });
    if (noticeId !== null) await sendNotice(noticeId);
  }

  /** @throws Error before the service has opened the payment: nothing that needs it runs then. */
  private get reference(): PaymentReference {
    const { paymentId, terms } = this.current;
    if (paymentId === null) throw new Error(`the request ${terms.requestId} has no payment yet`);
    return { paymentId };
  }

  /** Takes a new state and wakes whoever waits for news. */
  private update(state: PaymentState): void {
    this.current = state;
    this.changes += 1;
    const { status, terms, paymentId, captureBy } = state;
    if (workflowInfo().typedSearchAttributes.get(DUEDAY_STATUS) !== status) {
      upsertSearchAttributes([{ key: DUEDAY_STATUS, value: status }]);
    }
    const lines = [
      `**${status}**`,
      `${terms.plan}, ${formatMoney(terms.amount)}`,
      `Payment ${paymentId ?? 'not requested yet'}`,
      ...(captureBy === null ? [] : [`Captures before ${toIso(captureBy)}`]),
    ];
    setCurrentDetails(lines.map((line) => `- ${line}`).join('\n'));
  }

  private now(): Instant {
    // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
    return toBusiness(this.input.clock, Date.now());
  }

  /** Waits until the instant, or until the state changes. */
  private async sleepUntil(until: Instant): Promise<void> {
    const seen = this.changes;
    // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
    const delay = realDelay(this.input.clock, Date.now(), until);
    const changed = () => this.changes !== seen;
    if (delay > 0) await condition(changed, delay, { summary: `until ${toIso(until)}` });
  }
}

/**
 * The life of one payment: request consent, follow the authorization; then, of Single Immediate, the booking, and of
 * Event Dependent the captures that are ordered, until the final one, the release, or the deadline.
 */
export async function payment(input: PaymentInput): Promise<void> {
  const life = new PaymentLife(input);
  await life.begin();
  while (await life.goOn()) {
    if (!workflowInfo().continueAsNewSuggested) continue;
    await condition(allHandlersFinished);
    await continueAsNew<typeof payment>({ state: life.state, clock: input.clock });
  }
  await condition(allHandlersFinished);
}

/** Makes one refund that the ledger has ordered, and asks until it is final; money is guarded there, not here. */
export async function refund(input: RefundInput): Promise<RefundResult> {
  const { subscriptionId, cycle, captureId, amount } = input;
  setCurrentDetails(`- ${formatMoney(amount)} of cycle ${cycle} of ${subscriptionId}\n- Capture ${captureId}`);
  return refundPayment(input);
}

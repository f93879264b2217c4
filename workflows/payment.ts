import {
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
  allHandlersFinished,
  continueAsNew,
} from '@temporalio/workflow';
import type { ConsentRequestResult } from '../src/contract/activities';
import {
  type CaptureInput,
  type CaptureProgress,
  type CaptureTurn,
  CAPTURE,
  captureUpdate,
  checkPaymentUpdate,
  type FollowedPayment,
  type PaymentInput,
  type PaymentReference,
  type PaymentState,
  paymentStateQuery,
  releaseUpdate,
  requestPaymentUpdate,
} from '../src/contract/payments';
import { DUEDAY_STATUS } from '../src/contract/workflows';
import type { OrderId } from '../src/domain/ids';
import { formatMoney } from '../src/domain/money';
import { DEADLINE_NOTICE, isSettled } from '../src/domain/payment/payment';
import { type Instant, toIso } from '../src/domain/time';
import {
  announceDeadline,
  capturePayment,
  discardPayment,
  expirePayment,
  followPayment,
  lookAtPayment,
  releasePayment,
  requestPayment,
} from './activities';
import {
  afterDiscarding,
  isFailure,
  requireArgument,
  showAttributes,
  TAKES_NOTHING,
  unavailable,
  WorkflowContext,
} from './runtime';

/**
 * One step after the other, beside what people order: captures and a release one at a time, and none beside the end. About
 * money the ledger decides; here is only when.
 */
export class PaymentLife extends WorkflowContext<PaymentState> {
  private answer: ConsentRequestResult | null = null;
  /** Captures that this run has begun to follow. */
  private readonly followed = new Set<OrderId>();

  constructor(input: PaymentInput) {
    super(input.state, input);
    const { paymentId, requestedRealAt } = input.state;
    if (paymentId !== null && requestedRealAt !== null) this.answer = { kind: 'requested', paymentId, requestedRealAt };
    setHandler(paymentStateQuery, () => this.state);
    setHandler(requestPaymentUpdate, () => this.requested(), TAKES_NOTHING);
    setHandler(checkPaymentUpdate, () => this.look(), TAKES_NOTHING);
    setHandler(captureUpdate, (order) => this.capture(order), {
      validator: (order) => requireArgument(CAPTURE, order),
    });
    setHandler(releaseUpdate, () => this.release(), TAKES_NOTHING);
  }

  async begin(): Promise<void> {
    if (this.state.paymentId === null) await this.request();
    if (this.openCaptures.length > 0) this.takeUp(this.openCaptures);
  }

  /** What another run, or a workflow before this one, has left open. */
  private takeUp(left: readonly CaptureInput[]): void {
    left.forEach((order) => void this.capture(order).catch((error: unknown) => this.leave(order, error)));
  }

  /** Ordered, and not final. */
  get openCaptures(): readonly CaptureInput[] {
    return this.state.openCaptures ?? [];
  }

  /** One step; false where it was the last. */
  async goOn(): Promise<boolean> {
    const { paymentId, status, captureBy, deadlineTold, terms } = this.state;
    if (paymentId === null || isSettled(status)) return false;
    if (status === 'pending_consent' || terms.plan === 'SINGLE') {
      await this.take(await followPayment({ paymentId }));
      return true;
    }
    if (captureBy === null) throw new Error(`payment ${paymentId} is ${status} and has no deadline`);
    const now = this.now();
    const next = deadlineTold ? captureBy : captureBy - DEADLINE_NOTICE;
    if (now >= captureBy) await this.turns.take(() => this.expire());
    else if (now >= next) await this.sendDeadlineNotice(captureBy);
    else
      await this.sleepUntil(
        next,
        deadlineTold
          ? `wait until ${toIso(next)} (capture deadline)`
          : `wait until ${toIso(next)} (tell the merchant of the deadline)`,
      );
    return true;
  }

  /** What the service said to `POST /payments`. */
  private async requested(): Promise<ConsentRequestResult> {
    await condition(() => this.answer !== null);
    return this.answer as ConsentRequestResult;
  }

  private async request(): Promise<void> {
    const { requestId } = this.state.terms;
    let answer = await requestPayment({ requestId }).catch(unavailable);
    if (answer.kind !== 'requested') answer = afterDiscarding(answer, await discardPayment({ requestId }));
    if (answer.kind === 'requested') {
      const { paymentId, requestedRealAt } = answer;
      this.update({ ...this.state, paymentId, requestedRealAt });
    }
    this.answer = answer;
  }

  private async look(): Promise<void> {
    await this.requested();
    if (this.state.paymentId !== null) await lookAtPayment(this.reference);
  }

  /**
   * Sent in its turn; one whose booking takes long is followed beside the orders after it, and its caller is answered: Temporal
   * takes but a few updates at a time.
   */
  private async capture(order: CaptureInput): Promise<CaptureProgress> {
    const progress = await this.turns.take(() => this.order({ ...order, standsBack: true }));
    if (progress.kind !== 'pending') this.keepOpen(order, false);
    else void this.follow(order).catch((error: unknown) => this.leave(order, error));
    return progress;
  }

  private async follow(order: CaptureInput): Promise<void> {
    if (this.followed.has(order.orderId)) return;
    this.followed.add(order.orderId);
    this.keepOpen(order, true);
    await this.order(order);
    this.keepOpen(order, false);
  }

  /** What the ledger does not have ordered, as it may have been restored, is not followed: it decides about money. */
  private leave(order: CaptureInput, error: unknown): void {
    if (isCancellation(error)) return;
    if (!isFailure(error)) throw error;
    this.keepOpen(order, false);
  }

  private keepOpen(order: CaptureInput, isOpen: boolean): void {
    const others = this.openCaptures.filter(({ orderId }) => orderId !== order.orderId);
    const openCaptures = isOpen ? [...others, order] : others;
    if (openCaptures.length > 0 || this.openCaptures.length > 0) this.update({ ...this.state, openCaptures });
  }

  private async order(order: CaptureTurn): Promise<CaptureProgress> {
    const summary = `capture ${formatMoney(order.amount)}${order.finalCapture ? ', final' : ''}`;
    const progress = await capturePayment.executeWithOptions({ summary }, [order]);
    this.update({ ...this.state, status: progress.status });
    return progress;
  }

  private async release(): Promise<void> {
    await this.turns.take(async () => {
      if (!isSettled(this.state.status)) await this.take(await releasePayment(this.reference));
    });
  }

  private async expire(): Promise<void> {
    if (isSettled(this.state.status)) return;
    await this.take(await expirePayment(this.reference));
  }

  private async sendDeadlineNotice(captureBy: Instant): Promise<void> {
    const asked = this.state;
    const noticeId = await announceDeadline(this.reference);
    // Captures under way take all of it: should one fail, there is something to tell.
    if (noticeId === null) {
      if (this.state === asked) await this.sleepUntil(captureBy, `wait until ${toIso(captureBy)} (captures under way)`);
      return;
    }
    this.update({ ...this.state, deadlineTold: true });
  }

  private async take({ status, captureBy }: FollowedPayment): Promise<void> {
    this.update({ ...this.state, status, captureBy });
  }

  /** @throws Error before the service has opened the payment: nothing that needs it runs then. */
  private get reference(): PaymentReference {
    const { paymentId, terms } = this.state;
    if (paymentId === null) throw new Error(`the request ${terms.requestId} has no payment yet`);
    return { paymentId };
  }

  protected mark(): void {
    const { status, terms, paymentId, captureBy } = this.state;
    showAttributes([{ key: DUEDAY_STATUS, value: status }]);
    const lines = [
      `**${status}**`,
      `${terms.plan}, ${formatMoney(terms.amount)}`,
      `Payment ${paymentId ?? 'not requested yet'}`,
      ...(captureBy === null ? [] : [`Captures before ${toIso(captureBy)}`]),
      ...(paymentId === null ? [] : this.consoleLink(`/payments/${encodeURIComponent(paymentId)}`)),
    ];
    setCurrentDetails(lines.map((line) => `- ${line}`).join('\n'));
  }
}

/**
 * The life of one payment: request consent, follow the authorization; then, of Single Immediate, the booking, and of
 * Event Dependent the captures that are ordered, until the final one, the release, or the deadline, and none is open.
 */
export async function payment(input: PaymentInput): Promise<void> {
  const life = new PaymentLife(input);
  await life.begin();
  while (await life.goOn()) {
    if (!workflowInfo().continueAsNewSuggested) continue;
    await condition(allHandlersFinished);
    await continueAsNew<typeof payment>({ ...input, state: life.state });
  }
  await condition(() => allHandlersFinished() && life.openCaptures.length === 0);
}

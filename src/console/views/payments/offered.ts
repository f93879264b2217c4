import { mayBeSeveral } from '../../../domain/payment/payment';
import type { Payment } from '../common/schemas';

/** What the offered actions depend on. */
type State = Pick<
  Payment,
  'plan' | 'status' | 'remaining' | 'captures' | 'refunds' | 'releaseRequestedAt' | 'partialCapture' | 'multipleCapture'
>;

type Capture = State['captures'][number];
type Money = Capture['amount'];

/** A capture that can be refunded. */
export interface Refundable extends Pick<Capture, 'createdAt'> {
  readonly captureId: string;
  readonly left: Money;
}

/** The actions the console offers for a one-time payment. The API decides. */
export interface Offered {
  /** `of_several` if others may follow it; null if nothing can be captured. */
  readonly capture: 'only' | 'of_several' | null;
  readonly isReleasable: boolean;
  /** Empty if no refund can be made. */
  readonly refundable: readonly Refundable[];
}

/** @param eventDependentRefunds whether the deployment refunds Event Dependent payments (rule 27) */
export function offeredOf(payment: State, eventDependentRefunds: boolean): Offered {
  const { plan, status, remaining, captures, releaseRequestedAt } = payment;
  const isByOrder = plan === 'EVENT_DEPENDENT';
  const isUncaptured = captures.every((capture) => capture.status === 'failed');
  return {
    capture: isByOrder && remaining.value > 0 ? kindOf(payment) : null,
    isReleasable: isByOrder && status === 'authorized' && releaseRequestedAt === undefined && isUncaptured,
    refundable: isByOrder && !eventDependentRefunds ? [] : refundableOf(payment),
  };
}

function kindOf(payment: State): 'only' | 'of_several' {
  return mayBeSeveral(payment) ? 'of_several' : 'only';
}

function refundableOf({ captures, refunds }: State): readonly Refundable[] {
  return captures.flatMap((capture) => {
    const { captureId, status, createdAt } = capture;
    const left = leftOf(capture, refunds);
    return status === 'successful' && captureId !== null && left.value > 0 ? [{ captureId, left, createdAt }] : [];
  });
}

/** What can still be refunded of a capture. Refunds that are not final count as made. */
export function leftOf(
  { captureId, amount }: Pick<Capture, 'captureId' | 'amount'>,
  refunds: Readonly<State['refunds']>,
): Money {
  const refunded = refunds.filter((each) => each.captureId === captureId && each.status !== 'failed');
  return { ...amount, value: Math.max(0, amount.value - refunded.reduce((sum, each) => sum + each.amount.value, 0)) };
}

import { mayBeSeveral } from '../../../domain/payment/payment';
import type { Payment } from '../common/schemas';

/** What decides it. */
type State = Pick<
  Payment,
  'plan' | 'status' | 'remaining' | 'captures' | 'refunds' | 'releaseRequestedAt' | 'partialCapture' | 'multipleCapture'
>;

type Capture = State['captures'][number];
type Money = Capture['amount'];

/** A capture of which something can be given back. */
export interface Refundable extends Pick<Capture, 'createdAt'> {
  readonly captureId: string;
  readonly left: Money;
}

/** What can be done with a one-time payment in its state. The API has the last word. */
export interface Offered {
  /** `of_several`: others may follow it. Null where nothing can be captured. */
  readonly capture: 'only' | 'of_several' | null;
  readonly isReleasable: boolean;
  /** Empty where no refund can be made. */
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

/** What of a capture can be given back: refunds of it that may yet be made count as made. */
export function leftOf(
  { captureId, amount }: Pick<Capture, 'captureId' | 'amount'>,
  refunds: Readonly<State['refunds']>,
): Money {
  const given = refunds.filter((each) => each.captureId === captureId && each.status !== 'failed');
  return { ...amount, value: Math.max(0, amount.value - given.reduce((sum, each) => sum + each.amount.value, 0)) };
}

import { mayBeSeveral } from '../../../domain/payment/payment';
import type { Payment } from '../common/schemas';

/** What decides it. */
type State = Pick<
  Payment,
  'plan' | 'status' | 'remaining' | 'captures' | 'releaseRequestedAt' | 'partialCapture' | 'multipleCapture'
>;

/** What can be done with a one-time payment in its state. The API has the last word. */
export interface Offered {
  /** `of_several`: others may follow it. Null where nothing can be captured. */
  readonly capture: 'only' | 'of_several' | null;
  readonly isReleasable: boolean;
  readonly isRefundable: boolean;
}

/** @param eventDependentRefunds whether the deployment refunds Event Dependent payments (rule 27) */
export function offeredOf(payment: State, eventDependentRefunds: boolean): Offered {
  const { plan, status, remaining, captures, releaseRequestedAt } = payment;
  const isByOrder = plan === 'EVENT_DEPENDENT';
  const isUncaptured = captures.every((capture) => capture.status === 'failed');
  return {
    capture: isByOrder && remaining.value > 0 ? kindOf(payment) : null,
    isReleasable: isByOrder && status === 'authorized' && releaseRequestedAt === undefined && isUncaptured,
    isRefundable: (!isByOrder || eventDependentRefunds) && captures.some((capture) => capture.status === 'successful'),
  };
}

function kindOf(payment: State): 'only' | 'of_several' {
  return mayBeSeveral(payment) ? 'of_several' : 'only';
}

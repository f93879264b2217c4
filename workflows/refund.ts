import { setCurrentDetails } from '@temporalio/workflow';
import type { RefundInput, RefundResult } from '../src/contract/refunds';
import { formatMoney } from '../src/domain/money';
import { refundPayment } from './activities';

/** Makes one refund that the ledger has ordered, and asks until it is final; money is guarded there, not here. */
export async function refund(input: RefundInput): Promise<RefundResult> {
  const { subscriptionId, cycle, captureId, amount } = input;
  setCurrentDetails(`- ${formatMoney(amount)} of cycle ${cycle} of ${subscriptionId}\n- Capture ${captureId}`);
  return refundPayment(input);
}

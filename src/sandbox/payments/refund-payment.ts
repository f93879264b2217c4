import { bookingDelay } from '../bank/bookings';
import { judgeRefund } from '../limits/order-limits';
import { allowedOrThrow, Refusal } from '../refusal';
import { newRecordId, type Service } from '../service';
import type { Payment, Refund } from './records';

const REFUND_FAILED = { detail: 'INTERNAL_ERROR', description: 'The refund could not be booked.' };

/** Make Refund (Single Immediate, Subscription). @throws Refusal */
export function refundPayment(
  service: Service,
  payment: Payment,
  amount: number,
  captureId: string | undefined,
): Refund {
  if (payment.request.useCase === 'EVENT_DEPENDENT' && !payment.merchant.eventDependentRefunds) {
    throw new Refusal('STATE_CONFLICT', 'refunds are made for Single Immediate and Subscription');
  }
  const verdict = allowedOrThrow(
    judgeRefund(payment.captures, payment.refunds, amount, captureId, service.settings.brokenRules),
  );
  const plan = service.contradictions.planFor(payment, 'refunds', null);
  const isBooked = !plan.isRefused && (plan.isBooked || !payment.wallet.refundFails);
  const refund: Refund = {
    refundId: newRecordId(service, 'ref', payment.refunds),
    captureId: verdict.captureId,
    amount,
    createdAt: payment.clock.now(),
    result: 'pending',
    rejection: null,
    booking: {
      finalAt: payment.clock.realNow() + bookingDelay(service, payment),
      rejection: isBooked ? null : REFUND_FAILED,
    },
  };
  payment.refunds.push(refund);
  service.contradictions.record(payment, 'refunds', refund, plan, payment.clock.realNow());
  return refund;
}

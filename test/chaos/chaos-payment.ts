import type { World } from '../activities/activity-world';
import { captureThrough, refundThrough } from '../activities/misfortunes';
import { createAuthorized, orderedCapture, orderedPaymentRefund } from '../activities/payment-world';
import type { PlannedPayment } from './chaos-plan';
import { heldAgainst, type MoneyOrder } from '../lives/orders';
import type { Verdict } from './chaos-checks';

/** Plays an Event Dependent payment under faults: each capture and the refund must be made once, and nothing else. */
export async function playPayment(
  world: World,
  plan: PlannedPayment,
): Promise<Pick<Verdict, 'doubleDebits' | 'broken'>> {
  const fates = [...plan.misfortunes];
  const { paymentId } = await createAuthorized(world, { amount: { value: plan.cents, currency: 'EUR' } });
  const answers: string[] = [];
  const captures: MoneyOrder[] = [];
  let left = plan.cents;
  for (const share of plan.captures) {
    const cents = Math.max(1, Math.round(left * share));
    captures.push({ captureId: null, cents });
    left -= cents;
    answers.push((await captureThrough(world, await orderedCapture(world, { paymentId }, cents), fates)).kind);
  }
  const refunds: MoneyOrder[] = [];
  const [first] = world.sandbox.payment(paymentId).debits;
  if (plan.refund !== null && first !== undefined) {
    const cents = Math.max(1, Math.round(first.amount.value * plan.refund));
    refunds.push({ captureId: first.captureId, cents });
    const input = await orderedPaymentRefund(world, { paymentId }, cents, first.captureId);
    answers.push((await refundThrough(world, input, fates)).kind);
  }
  world.sandbox.faults.clear();
  world.sandbox.settle(paymentId);
  const account = world.sandbox.payment(paymentId);
  const debited = account.debits.filter(({ status }) => status !== 'failed');
  const returned = account.refunds.filter(({ result }) => result !== 'failed');
  const inCaptures = heldAgainst(
    captures,
    debited.map(({ amount }) => ({ captureId: null, cents: amount.value })),
  );
  const inRefunds = heldAgainst(
    refunds,
    returned.map(({ captureId, amount }) => ({ captureId, cents: amount })),
  );
  return {
    doubleDebits: inCaptures.tooMany.map(({ cents }) => `a capture of ${cents} cents too many`),
    broken: [
      ...inCaptures.lacking.map(({ cents }) => `a capture of ${cents} cents was not made`),
      ...inRefunds.tooMany.map(({ cents }) => `a refund of ${cents} cents too many`),
      ...inRefunds.lacking.map(({ cents }) => `a refund of ${cents} cents was not made`),
      ...answers.filter((kind) => kind !== 'successful').map((kind) => `an order of the payment came to ${kind}`),
    ],
  };
}

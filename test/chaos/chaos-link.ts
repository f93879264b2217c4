import { euros } from '../../src/domain/money';
import { getPaymentOfRequest, insertLinkDraft } from '../../src/ledger';
import type { PaymentId } from '../../src/domain/ids';
import type { Subscribed, World } from '../activities/activity-world';
import { follow, paymentActivities, stepOf } from '../activities/payment-world';
import { linkDraft } from '../ledger/link-fixture';

/** The payer of the first cycle, which has failed as far as is known, pays by a link. @returns null if no link is allowed */
export async function payFirstByLink(
  world: World,
  { subscriptionId }: Subscribed,
  cents: number,
): Promise<PaymentId | null> {
  const { clock, ledger } = world.deps;
  const moment = { createdAt: clock.now(), draftedRealAt: clock.realNow() };
  const draft = linkDraft({ subscriptionId }, { amount: euros(cents), ...moment });
  const { requestId } = draft;
  const { kind } = await insertLinkDraft(ledger, draft, clock.realNow());
  if (kind !== 'inserted') return null;
  await world.driver.drive(() => paymentActivities(world).requestPayment(stepOf({ requestId })));
  const payment = await getPaymentOfRequest(ledger, requestId);
  if (payment === null) throw new Error('the payment of the link was not requested');
  const { paymentId } = payment;
  world.sandbox.payer(paymentId).approve('approves');
  await follow(world, { requestId, paymentId });
  return paymentId;
}

/** Reports a cycle with two debits if no attention item tells an operator to refund one of them. */
export function paidTwice(
  world: World,
  { paymentId }: Subscribed,
  link: PaymentId | null,
  items: readonly string[],
): string[] {
  const isDebited = (of: PaymentId, cycle: number | null) =>
    world.sandbox
      .payment(of)
      .debits.some((each) => each.status === 'successful' && (cycle === null || each.cycle === cycle));
  if (link === null || !isDebited(link, null) || !isDebited(paymentId, 0)) return [];
  return items.includes('contradiction') ? [] : ['cycle 0 was debited and paid by a link, and no item says so'];
}

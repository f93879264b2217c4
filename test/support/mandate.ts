import { HOUR, type Instant, toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';

export interface Mandate {
  readonly paymentId: string;
  /** As a line of an import. */
  readonly line: string;
}

/** A monthly mandate that another system was granted, and that is to be imported before its first due date. */
export function grantMandate({ sandbox, clock }: ProcessStack, subscriptionId: string, due: Instant): Mandate {
  const billingAddress = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
  const terms = { amount: { value: 1999, currency: 'EUR' }, repetition: 'MONTHLY', billingAddress } as const;
  const returnURL = 'https://shop.example/return';
  const { paymentId } = sandbox.grantElsewhere(
    { useCase: 'SUBSCRIPTION', ...terms, startAt: due, firstPaymentAt: due, returnURL },
    clock.now() - HOUR,
  );
  const dates = { startAt: toIso(due), firstPaymentAt: toIso(due) };
  const payer = { reference: subscriptionId, email: 'payer@shop.example' };
  return { paymentId, line: JSON.stringify({ subscriptionId, paymentId, ...terms, ...dates, payer }) };
}

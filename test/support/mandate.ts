import { type Instant, toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';

const BILLING_ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

export interface Mandate {
  readonly paymentId: string;
  /** The mandate as a line of an import file. */
  readonly line: string;
}

/** The terms by which mandates differ. */
export interface MandateTerms {
  readonly subscriptionId: string;
  readonly cents: number;
  readonly firstPaymentAt: Instant;
  readonly grantedAt: Instant;
  /** The client id of the merchant at the service; undefined: that of the merchant with which the simulator started. */
  readonly clientId?: string | undefined;
}

/** Creates a monthly mandate at the service, as if it had been granted to another system and now had to be imported. */
export function grantMandate(
  { sandbox }: ProcessStack,
  { subscriptionId, cents, firstPaymentAt, grantedAt, clientId }: MandateTerms,
): Mandate {
  const amount = { value: cents, currency: 'EUR' } as const;
  const terms = { amount, repetition: 'MONTHLY', billingAddress: BILLING_ADDRESS } as const;
  const returnURL = 'https://shop.example/return';
  const { paymentId } = sandbox.grantElsewhere(
    { useCase: 'SUBSCRIPTION', ...terms, startAt: firstPaymentAt, firstPaymentAt, returnURL },
    grantedAt,
    clientId,
  );
  const dates = { startAt: toIso(firstPaymentAt), firstPaymentAt: toIso(firstPaymentAt) };
  const payer = { reference: subscriptionId };
  return { paymentId, line: JSON.stringify({ subscriptionId, paymentId, ...terms, ...dates, payer }) };
}

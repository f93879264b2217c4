import { euros } from '../../src/domain/money';
import type { PaymentFacts } from '../../src/domain/payment/payment';

/** An authorized payment of 100.00 EUR, Event Dependent with both flags, of which nothing is captured. */
export const AUTHORIZED: PaymentFacts = {
  plan: 'EVENT_DEPENDENT',
  amount: euros(10_000),
  partialCapture: true,
  multipleCapture: true,
  consent: 'successful',
  authorization: 'successful',
  captures: [],
  refunded: euros(0),
  isBeingReleased: false,
  isReleased: false,
  isExpired: false,
};

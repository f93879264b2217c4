import type { CaptureId, OrderId } from '../../src/domain/ids';
import { euros, type Money } from '../../src/domain/money';
import type { LedgerRefund } from '../../src/domain/reconciliation/subscription';
import { DAY } from '../../src/domain/time';

/** Records of one payment, as ledger and service have them: the same on both sides unless a test changes one. */

/** When the ledger learned of the payment, and when the debit was sent. */
export const KNOWN = Date.UTC(2027, 0, 1, 9);
export const SENT = Date.UTC(2027, 0, 31, 10);

interface Made {
  readonly amount: Money;
  readonly createdAt: number;
}

/** Creates authorizations of the service. */
export const authorizationsOf =
  (made: Made) =>
  (changes = {}) => ({ authorizationId: 'aut-1', status: 'successful', ...made, ...changes });

/** Creates captures of the service. */
export const capturesOf =
  (made: Made) =>
  (changes = {}) => ({ captureId: 'cap-1', authorizationId: 'aut-1', status: 'successful', ...made, ...changes });

/** A refund of the service: 5.00 EUR, ordered a day after the debit. */
export const givenBack = (changes = {}) => ({
  serviceRefundId: 'back-1',
  captureId: 'cap-1',
  amount: euros(500),
  createdAt: SENT + DAY,
  status: 'successful',
  ...changes,
});

/** The same refund in the ledger, of cycle 3. */
export function ledgerRefund(changes: Partial<LedgerRefund> = {}): LedgerRefund {
  return {
    cycle: 3,
    state: 'successful',
    amount: euros(500),
    at: SENT + DAY,
    knownIds: [],
    refundId: 'ref_1' as OrderId,
    captureId: 'cap-1' as CaptureId,
    serviceRefundId: 'back-1',
    ...changes,
  };
}

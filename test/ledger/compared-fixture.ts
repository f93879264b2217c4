import { randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import {
  findDifferences,
  findOneTimeDifferences,
  type ServicePayment,
} from '../../src/domain/reconciliation/subscription';
import { DAY, type Instant } from '../../src/domain/time';
import {
  beginReconciliation,
  endReconciliation,
  type Pool,
  readLedgerOneTimePayment,
  readLedgerPayment,
  recordCompared,
} from '../../src/ledger';
import { NOW, REAL_NOW } from './ledger-fixture';

/** A payment to compare; its subscription, or our id of a one-time payment. */
type Compared =
  | { readonly subscriptionId: SubscriptionId; readonly paymentId: PaymentId }
  | { readonly subscriptionId: null; readonly requestId: string; readonly paymentId: PaymentId };

/** Compares one payment with what the service lists of it, in a run that started at `at` and covers the payment. */
export async function compare(pool: Pool, payment: Compared, service: ServicePayment, at: Instant): Promise<void> {
  const run = { runId: randomUUID(), period: { from: NOW - DAY, to: NOW + 30 * DAY }, actor: 'till' };
  await beginReconciliation(pool, { ...run, at, realAt: REAL_NOW });
  const differences =
    payment.subscriptionId === null
      ? findOneTimeDifferences(await readLedgerOneTimePayment(pool, payment.paymentId), service, {
          business: at,
          real: REAL_NOW,
        })
      : findDifferences(await readLedgerPayment(pool, payment), service, at);
  await recordCompared(pool, run.runId, payment, differences, null);
  await endReconciliation(pool, run.runId, null, REAL_NOW);
}

interface ServiceDebit {
  readonly authorizationId: string;
  readonly captureId: string;
  readonly cents: number;
  /** The service's status of the debit; one that dueday does not know counts as pending. */
  readonly status?: string;
}

const KNOWN: readonly string[] = ['pending', 'successful', 'failed'];

/** What the service lists: debits, each with its authorization, and refunds in cents by the debit's `captureId`. */
export function listed(
  debits: readonly ServiceDebit[],
  refunds: readonly (readonly [captureId: string, cents: number])[] = [],
): ServicePayment {
  return {
    authorizations: debits.map(({ authorizationId, cents }) => {
      return { authorizationId, amount: euros(cents), createdAt: NOW, status: 'successful' };
    }),
    captures: debits.map(({ authorizationId, captureId, cents, status = 'successful' }) => {
      const state = KNOWN.includes(status) ? { status } : { status: 'pending', unknownStatus: status };
      return { authorizationId, captureId, amount: euros(cents), createdAt: NOW, ...state };
    }),
    refunds: refunds.map(([captureId, cents], index) => {
      return {
        serviceRefundId: `elsewhere-${index}`,
        captureId,
        amount: euros(cents),
        createdAt: NOW,
        status: 'successful',
      };
    }),
  };
}

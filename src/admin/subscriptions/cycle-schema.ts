import { z } from 'zod';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { LINK_STATES } from '../../domain/payment/link';
import { CYCLE_STATUSES } from '../../domain/subscription/state';
import type { CycleRecord } from '../../ledger';
import type { AttemptState } from '../../domain/send';
import { InstantOut, omitNull, MoneyOut } from '../http/fields';
import { RefundOut, viewOrder } from '../orders/schema';

const AttemptOut = z
  .object({
    attempt: z.int().min(0).max(MAX_RETRIES),
    send: z.int().min(0),
    at: InstantOut,
    amount: MoneyOut,
    outcome: z.enum(['pending', 'successful', 'rejected_retryable', 'rejected', 'not_sent', 'unknown']),
    authorizationId: omitNull(z.string()),
    captureId: omitNull(z.string()),
    detail: omitNull(z.string()),
    description: omitNull(z.string()),
    payerNotifiedAt: omitNull(InstantOut),
    resolvedBy: omitNull(z.string()),
    adopted: z
      .boolean()
      .describe('Whether another system made the debit, and it was adopted as the debit of this cycle'),
  })
  .meta({ id: 'Attempt', description: 'One attempt to collect a cycle.' });

const PaymentLinkOut = z
  .object({
    paymentId: z.string(),
    state: z.enum(LINK_STATES).describe('`paid` remains, also if the payment is refunded'),
    createdAt: InstantOut,
    paidAt: omitNull(InstantOut),
  })
  .meta({ id: 'CyclePaymentLink', description: 'The payment by which the payer can pay the cycle, or has paid it.' });

export const CycleOut = z
  .object({
    cycle: z.int().min(0),
    dueAt: InstantOut,
    collectBy: InstantOut,
    amount: MoneyOut,
    status: z.enum(CYCLE_STATUSES),
    reason: omitNull(z.string()),
    collectedAt: omitNull(InstantOut),
    nextAttemptAt: omitNull(InstantOut),
    postponedUntil: omitNull(InstantOut).describe('When the first attempt is made, or was, instead of at the due date'),
    retriesLeft: z.int().min(0).max(MAX_RETRIES),
    retryUntil: omitNull(InstantOut),
    attempts: z.array(AttemptOut),
    refunds: z.array(RefundOut),
    paymentLink: omitNull(PaymentLinkOut).describe('The newest payment link of a failed or missed cycle'),
  })
  .meta({ id: 'Cycle', description: 'One due date of a subscription, with its attempts and refunds.' });

export type CycleOut = z.output<typeof CycleOut>;

export function viewCycle(record: CycleRecord): CycleOut {
  const attempts = record.attempts.map((attempt) => ({ ...attempt, outcome: OUTCOMES[attempt.state] }));
  return { ...record, attempts, refunds: record.refunds.map(viewOrder) };
}

/** The API has fewer outcomes than the ledger has states. */
const OUTCOMES: Readonly<Record<AttemptState, z.output<typeof AttemptOut>['outcome']>> = {
  sending: 'pending',
  pending: 'pending',
  unknown: 'unknown',
  unresolved: 'unknown',
  successful: 'successful',
  rejected_retryable: 'rejected_retryable',
  rejected: 'rejected',
  capture_failed: 'rejected',
  not_sent: 'not_sent',
};

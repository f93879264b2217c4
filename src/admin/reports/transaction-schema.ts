import { isoOrNull, toIso } from '../../domain/time';
import type { TransactionRecord } from '../../ledger';
import type { Cell } from '../../domain/csv';
import { decimalOf } from '../../domain/money';
import { adviceOn } from '../../domain/payment/refund-rules';
import { z } from 'zod';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { PAYMENT_PLANS } from '../../domain/payment/payment';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../ledger';
import {
  checkPeriod,
  InstantIn,
  InstantOut,
  omitNull,
  line,
  MoneyOut,
  PAGE_FIELDS,
  PaymentIdText,
  SubscriptionIdText,
} from '../http/fields';

export const TransactionsQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    from: InstantIn.optional().meta({
      description:
        'Only transactions at or after this time; compared with `bookedAt`, or with `createdAt` if not booked',
    }),
    to: InstantIn.optional().meta({ description: 'Only transactions before this time; compared like `from`' }),
    type: z.enum(TRANSACTION_TYPES).optional(),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    subscriptionId: SubscriptionIdText.optional(),
    paymentId: PaymentIdText.optional(),
    reference: line(140).optional().meta({ description: "The payer's reference" }),
    reversed: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({
        description:
          'Whether the debit or capture was given back outside dueday: refunded without an order of dueday, or reversed',
      }),
    after: z.string().min(1).max(200).optional().meta({
      description:
        'The transactionId after which the list continues, instead of a cursor: resumes an interrupted export',
    }),
  })
  .superRefine((query, context) => {
    checkPeriod(query, ['from', 'to'], context);
    if (query.after === undefined || query.cursor === undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['after'],
      message: 'no value together with cursor, which has the same purpose',
    });
  });

export type TransactionsQuery = z.output<typeof TransactionsQuery>;

/** A debit, a capture or a refund. Fields that do not apply are omitted; `bookedAt` is null unless `status` is successful. */
export const TransactionOut = z
  .object({
    transactionId: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    status: z.enum(TRANSACTION_STATUSES).meta({ description: '`pending` until the outcome is known' }),
    amount: MoneyOut,
    bookedAt: InstantOut.nullable(),
    createdAt: InstantOut.meta({ description: 'When the transaction started; the list is in this order' }),
    plan: z.enum(['SUBSCRIPTION', ...PAYMENT_PLANS]),
    subscriptionId: omitNull(z.string()),
    paymentId: z.string(),
    cycle: omitNull(z.int().min(0)),
    attempt: omitNull(z.int().min(0).max(MAX_RETRIES)),
    authorizationId: omitNull(z.string()),
    captureId: omitNull(z.string()).meta({ description: 'For a refund, the capture that it refunds' }),
    refundId: omitNull(z.string()),
    serviceRefundId: omitNull(z.string()).meta({ description: "The service's id of a refund" }),
    orderId: omitNull(z.string()).meta({ description: 'Only for captures that were ordered here' }),
    detail: omitNull(z.string()).meta({ description: 'Why the transaction failed' }),
    reference: omitNull(z.string()).meta({ description: "The payer's reference" }),
    reversedAt: omitNull(InstantOut).meta({
      description:
        'When a comparison found that a successful debit or capture was refunded or reversed elsewhere, without an order of dueday',
    }),
    reversedAmount: omitNull(MoneyOut).meta({ description: 'The part of the amount that was given back elsewhere' }),
    advice: omitNull(z.string()).meta({
      description: 'Present with `reversedAt`: why the debit or capture must not be refunded again',
    }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'The metadata of the subscription or payment' }),
  })
  .meta({ id: 'Transaction', description: 'A debit, a capture or a refund.' });

/** The columns of the CSV: the fields of the API, with amounts split into cents, currency and decimal. */
export const TRANSACTION_COLUMNS = [
  ...(['transactionId', 'type', 'status', 'amount', 'currency', 'amountDecimal', 'bookedAt', 'createdAt'] as const),
  ...(['plan', 'subscriptionId', 'paymentId', 'cycle', 'attempt', 'authorizationId', 'captureId', 'refundId'] as const),
  ...(['serviceRefundId', 'orderId', 'detail', 'reference', 'metadata'] as const),
  ...(['reversedAt', 'reversedAmount', 'reversedAmountDecimal', 'advice'] as const),
];

/** Adds the advice not to refund what was reversed elsewhere. */
export function viewTransaction(transaction: TransactionRecord) {
  const { reversedAmount, reversedAs } = transaction;
  return { ...transaction, advice: reversedAmount === null ? null : adviceOn({ reversedAmount, reversedAs }) };
}

/** The cells of one row, in the order of the columns. Amounts are in cents and as decimals, with their currency. */
export function transactionCells(transaction: TransactionRecord): Cell[] {
  const { amount, bookedAt, createdAt, metadata, reversedAt, reversedAmount } = transaction;
  const cells: Readonly<Record<(typeof TRANSACTION_COLUMNS)[number], Cell>> = {
    ...viewTransaction(transaction),
    amount: amount.value,
    currency: amount.currency,
    amountDecimal: decimalOf(amount),
    bookedAt: isoOrNull(bookedAt),
    createdAt: toIso(createdAt),
    metadata: JSON.stringify(metadata),
    reversedAt: isoOrNull(reversedAt),
    reversedAmount: reversedAmount?.value ?? null,
    reversedAmountDecimal: reversedAmount === null ? null : decimalOf(reversedAmount),
  };
  return TRANSACTION_COLUMNS.map((name) => cells[name]);
}

import { isoOrNull, toIso } from '../../domain/time';
import type { TransactionRecord } from '../../ledger';
import { type Cell, decimalOf } from '../csv/line';

/** The names of the fields on the wire. */
export const TRANSACTION_COLUMNS = [
  ...(['transactionId', 'type', 'status', 'amount', 'currency', 'amountDecimal', 'bookedAt', 'createdAt'] as const),
  ...(['plan', 'subscriptionId', 'paymentId', 'cycle', 'attempt', 'authorizationId', 'captureId', 'refundId'] as const),
  ...(['serviceRefundId', 'orderId', 'detail', 'reference', 'metadata'] as const),
];

/** In the order of the columns; an amount comes in cents and as a decimal, with its currency beside. */
export function transactionCells(transaction: TransactionRecord): Cell[] {
  const { amount, bookedAt, createdAt, metadata } = transaction;
  const cells: Readonly<Record<(typeof TRANSACTION_COLUMNS)[number], Cell>> = {
    ...transaction,
    amount: amount.value,
    currency: amount.currency,
    amountDecimal: decimalOf(amount),
    bookedAt: isoOrNull(bookedAt),
    createdAt: toIso(createdAt),
    metadata: JSON.stringify(metadata),
  };
  return TRANSACTION_COLUMNS.map((name) => cells[name]);
}

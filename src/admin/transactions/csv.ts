import { isoOrNull, toIso } from '../../domain/time';
import type { TransactionRecord } from '../../ledger';

/** Movements of money as comma-separated values, by RFC 4180. */

type Cell = string | number | null;

/** The names of the fields on the wire. */
const COLUMNS = [
  ...(['transactionId', 'type', 'status', 'amount', 'currency', 'bookedAt', 'createdAt', 'plan'] as const),
  ...(['subscriptionId', 'paymentId', 'cycle', 'attempt', 'authorizationId', 'captureId', 'refundId'] as const),
  ...(['serviceRefundId', 'orderId', 'detail', 'reference', 'metadata'] as const),
];

/** By column; an amount is in cents, with its currency beside. */
function cellsOf(transaction: TransactionRecord): Readonly<Record<(typeof COLUMNS)[number], Cell>> {
  const { amount, bookedAt, createdAt, metadata } = transaction;
  return {
    ...transaction,
    amount: amount.value,
    currency: amount.currency,
    bookedAt: isoOrNull(bookedAt),
    createdAt: toIso(createdAt),
    metadata: JSON.stringify(metadata),
  };
}

export const CSV_HEADER = lineOf(COLUMNS);

export function csvLine(transaction: TransactionRecord): string {
  const cells = cellsOf(transaction);
  return lineOf(COLUMNS.map((name) => cells[name]));
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = withoutFormula(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run what begins so as a formula; a line end before one is skipped by some. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

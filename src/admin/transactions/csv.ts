import { toIso } from '../../domain/time';
import type { TransactionRecord } from '../../ledger';

/** Movements of money as comma-separated values, by RFC 4180. */

type Cell = string | number | null;

/** The names of the fields on the wire; an amount is in cents, with its currency beside. */
const COLUMNS: readonly (readonly [name: string, cell: (transaction: TransactionRecord) => Cell])[] = [
  ['transactionId', ({ transactionId }) => transactionId],
  ['type', ({ type }) => type],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => amount.value],
  ['currency', ({ amount }) => amount.currency],
  ['bookedAt', ({ bookedAt }) => (bookedAt === null ? null : toIso(bookedAt))],
  ['createdAt', ({ createdAt }) => toIso(createdAt)],
  ['plan', ({ plan }) => plan],
  ['subscriptionId', ({ subscriptionId }) => subscriptionId],
  ['paymentId', ({ paymentId }) => paymentId],
  ['cycle', ({ cycle }) => cycle],
  ['attempt', ({ attempt }) => attempt],
  ['authorizationId', ({ authorizationId }) => authorizationId],
  ['captureId', ({ captureId }) => captureId],
  ['refundId', ({ refundId }) => refundId],
  ['serviceRefundId', ({ serviceRefundId }) => serviceRefundId],
  ['orderId', ({ orderId }) => orderId],
  ['detail', ({ detail }) => detail],
  ['reference', ({ reference }) => reference],
  ['metadata', ({ metadata }) => JSON.stringify(metadata)],
];

export const CSV_HEADER = lineOf(COLUMNS.map(([name]) => name));

export function csvLine(transaction: TransactionRecord): string {
  return lineOf(COLUMNS.map(([, cellOf]) => cellOf(transaction)));
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

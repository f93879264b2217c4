/**
 * Ids of transactions: debits, captures and refunds. Each is derived from the key of the row that holds the transaction, so that
 * it never changes and identifies the row. Callers treat it as opaque.
 */

/** The key of the row that holds a transaction. */
export type TransactionKey =
  /** A debit of a subscription: one send of one attempt. */
  | {
      readonly source: 'attempt';
      readonly key: string;
      readonly cycle: number;
      readonly attempt: number;
      readonly send: number;
    }
  /** A debit of Single Immediate: `key` is dueday's own id of the payment. */
  | { readonly source: 'payment'; readonly key: string }
  /** An ordered capture or refund. */
  | { readonly source: 'order'; readonly key: string };

/** The order of transactions with the same instant. */
export const SOURCES = ['attempt', 'payment', 'order'] as const satisfies readonly TransactionKey['source'][];

const ATTEMPT = /^attempt\.([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.(\d{1,9})\.([0-3])\.(\d{1,9})$/;
const OTHER = /^(payment|order)\.((?:pay|cap|ref)_[\w-]{1,64})$/;

/** Null if the text is not the id of a transaction. */
export function readTransactionId(text: string): TransactionKey | null {
  const [, id, ...numbers] = ATTEMPT.exec(text) ?? [];
  if (id !== undefined) {
    const [cycle = 0, attempt = 0, send = 0] = numbers.map(Number);
    return { source: 'attempt', key: id, cycle, attempt, send };
  }
  const [, source, key] = OTHER.exec(text) ?? [];
  if (key === undefined) return null;
  return { source: source === 'payment' ? 'payment' : 'order', key };
}

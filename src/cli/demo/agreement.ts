import type { Money } from '../../domain/money';

/** One successful debit, as one side recorded it. */
export interface DebitLine {
  readonly paymentId: string;
  readonly authorizationId: string;
  readonly captureId: string;
  readonly amount: Money;
}

/**
 * Compares the ledger's successful debits with the service's own record of debits, in both directions, each debit once.
 * @returns the debits that both have with the same capture and amount, and one line for each difference
 */
export function compareDebits(ledger: readonly DebitLine[], service: readonly DebitLine[]) {
  const debits: DebitLine[] = [];
  const differences: string[] = [];
  const unmatched = [...service];
  for (const line of ledger) {
    const match = takeFirst(unmatched, (other) => isSame(line, other));
    const near = match ?? takeFirst(unmatched, (other) => other.authorizationId === line.authorizationId);
    if (match !== undefined) debits.push(line);
    else if (near !== undefined) differences.push(`${name(line)} differs between the ledger and the service`);
    else differences.push(`the ledger has ${name(line)}, the service does not`);
  }
  return {
    debits,
    differences: [...differences, ...unmatched.map((line) => `the service has ${name(line)}, the ledger does not`)],
  };
}

function takeFirst(lines: DebitLine[], fits: (line: DebitLine) => boolean): DebitLine | undefined {
  const index = lines.findIndex(fits);
  return index < 0 ? undefined : lines.splice(index, 1)[0];
}

function isSame(a: DebitLine, b: DebitLine): boolean {
  const isOneDebit = a.authorizationId === b.authorizationId && a.captureId === b.captureId;
  return isOneDebit && a.amount.value === b.amount.value && a.paymentId === b.paymentId;
}

function name({ paymentId, authorizationId, amount }: DebitLine): string {
  return `${amount.value} cents of ${authorizationId} (payment ${paymentId})`;
}

import type { Money } from '../../domain/money';

/** One successful debit, as one side has it. */
export interface DebitLine {
  readonly paymentId: string;
  readonly authorizationId: string;
  readonly captureId: string;
  readonly amount: Money;
}

export interface Agreement {
  /** In both, with the same capture and amount. */
  readonly debits: readonly DebitLine[];
  /** In words, one line each. */
  readonly differences: readonly string[];
}

/** Holds the ledger's collected attempts against the service's own record of debits, both ways. */
export function compareDebits(ledger: readonly DebitLine[], service: readonly DebitLine[]): Agreement {
  const inLedger = new Map(ledger.map((line) => [line.authorizationId, line]));
  const inService = new Map(service.map((line) => [line.authorizationId, line]));
  const onlyLedger = ledger.filter((line) => !inService.has(line.authorizationId));
  const onlyService = service.filter((line) => !inLedger.has(line.authorizationId));
  const both = ledger.filter((line) => inService.has(line.authorizationId));
  const unequal = both.filter((line) => !isSame(line, inService.get(line.authorizationId)));
  return {
    debits: both.filter((line) => !unequal.includes(line)),
    differences: [
      ...onlyLedger.map((line) => `the ledger has ${name(line)}, the service does not`),
      ...onlyService.map((line) => `the service has ${name(line)}, the ledger does not`),
      ...unequal.map((line) => `${name(line)} differs between the ledger and the service`),
    ],
  };
}

function isSame(a: DebitLine, b: DebitLine | undefined): boolean {
  return a.captureId === b?.captureId && a.amount.value === b.amount.value && a.paymentId === b.paymentId;
}

function name({ paymentId, authorizationId, amount }: DebitLine): string {
  return `${amount.value} cents of ${authorizationId} (payment ${paymentId})`;
}

import { order } from './order';

/** A valid line of an import, whose first payment lies half a year before NOW. */
export function mandate(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const rest = order();
  delete rest['returnURL'];
  return {
    ...rest,
    paymentId: 'pay_1',
    payer: { email: 'ada@example.com', reference: `customer of ${JSON.stringify(changes['paymentId'] ?? 'pay_1')}` },
    startAt: '2026-07-31T12:00:00.000Z',
    firstPaymentAt: '2026-07-31T12:00:00.000Z',
    ...changes,
  };
}

export function ndjson(...lines: (Record<string, unknown> | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

import { compareDebits, type DebitLine } from '../../src/cli/demo/agreement';

function debit(n: number, more: Partial<DebitLine> = {}): DebitLine {
  return {
    paymentId: 'pay-1',
    authorizationId: `aut-${n}`,
    captureId: `cap-${n}`,
    amount: { value: 1999, currency: 'EUR' },
    ...more,
  };
}

const [one, two, three] = [debit(1), debit(2), debit(3)];

test('ledger and service agree if neither has a debit', () => {
  expect(compareDebits([], [])).toEqual({ debits: [], differences: [] });
});

test('ledger and service agree if they have the same debits in another order', () => {
  expect(compareDebits([one, two, three], [three, one, two])).toEqual({ debits: [one, two, three], differences: [] });
});

test('a debit that only the ledger has is reported as a difference', () => {
  expect(compareDebits([one, two], [one])).toEqual({
    debits: [one],
    differences: ['the ledger has 1999 cents of aut-2 (payment pay-1), the service does not'],
  });
});

test('a debit that only the service has is reported as a difference', () => {
  expect(compareDebits([one], [one, two])).toEqual({
    debits: [one],
    differences: ['the service has 1999 cents of aut-2 (payment pay-1), the ledger does not'],
  });
});

test.each([
  ['by a cent', { amount: { value: 2000, currency: 'EUR' } as const }],
  ['in its capture', { captureId: 'cap-9' }],
  ['in its payment', { paymentId: 'pay-9' }],
])('a debit that differs %s is reported once as a difference', (_how, more) => {
  expect(compareDebits([one, two], [debit(1, more), two])).toEqual({
    debits: [two],
    differences: ['1999 cents of aut-1 (payment pay-1) differs between the ledger and the service'],
  });
});

test('the same authorization debited twice by the service is a difference', () => {
  const again = debit(1, { captureId: 'cap-again' });
  expect(compareDebits([one], [one, again]).differences).not.toEqual([]);
  expect(compareDebits([one], [again, one]).differences).not.toEqual([]);
});

test('the same debit twice in the ledger is a difference', () => {
  expect(compareDebits([one, one], [one]).differences).not.toEqual([]);
});

test('every difference is reported', () => {
  expect(compareDebits([one, two], [two, three]).differences).toHaveLength(2);
});

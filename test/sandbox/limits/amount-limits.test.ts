import { judgeAmount, type PastAmount } from '../../../src/sandbox/limits/amount-limits';
import type { Repetition } from '../../../src/sandbox/payments/calendar';

const at = (day: string): number => Date.parse(`${day}T10:00:00.000Z`);

/** `[day, cents]`, all successful. */
function paid(...payments: readonly (readonly [string, number])[]): PastAmount[] {
  return payments.map(([day, amount]) => ({ amount, createdAt: at(day), result: 'successful' }));
}

function isAllowed(
  amount: number,
  past: readonly PastAmount[],
  now: number = at('2028-01-31'),
  terms: { repetition: Repetition; amount: number } = { repetition: 'MONTHLY', amount: 5000 },
): boolean {
  return judgeAmount(terms, past, amount, now).kind === 'allowed';
}

it('the first payment equals the consent amount to the cent', () => {
  expect([4999, 5000, 5001].map((amount) => isAllowed(amount, []))).toEqual([false, true, false]);
});

it('a payment counts as the first one as long as none has succeeded', () => {
  const past: PastAmount[] = [
    { amount: 5000, createdAt: at('2027-01-31'), result: 'failed' },
    { amount: 5000, createdAt: at('2027-02-28'), result: 'pending' },
  ];
  expect([4999, 5000, 5001].map((amount) => isAllowed(amount, past))).toEqual([false, true, false]);
});

it('a reduction is allowed at any time and any number of times', () => {
  const past = paid(['2027-01-31', 5000], ['2027-02-28', 6000]);
  expect(isAllowed(5999, past, at('2027-03-01'))).toBe(true);
  expect(isAllowed(1, [...past, ...paid(['2027-03-01', 5999])], at('2027-03-02'))).toBe(true);
});

it('a reduced amount may rise to the consent amount again at any time, but not a cent further', () => {
  const past = paid(['2027-01-31', 5000], ['2027-02-28', 6000], ['2027-03-31', 4000]);
  expect(isAllowed(5000, past, at('2027-04-01'))).toBe(true);
  expect(isAllowed(5001, past, at('2027-04-01'))).toBe(false);
});

it.each([
  ['WEEKLY', 15_000],
  ['MONTHLY', 50_000],
  ['QUARTERLY', 150_000],
  ['HALF_YEARLY', 250_000],
  ['YEARLY', 500_000],
] as const)('the cap of an increase of a %s subscription is %i cents', (repetition, cap) => {
  const past = paid(['2027-01-31', 5000]);
  const terms = { repetition, amount: 5000 };
  expect([cap, cap + 1].map((amount) => isAllowed(amount, past, undefined, terms))).toEqual([true, false]);
});

it('no increase is allowed if the consent amount exceeds the cap', () => {
  const judge = (consent: number, amount: number): boolean =>
    isAllowed(amount, paid(['2027-01-31', consent]), undefined, { repetition: 'MONTHLY', amount: consent });
  expect(judge(50_001, 50_002)).toBe(false);
  expect(judge(50_001, 50_001)).toBe(true);
  expect(judge(49_999, 50_000)).toBe(true);
});

const past = paid(['2027-01-31', 5000], ['2027-08-31', 6000]);

it('six months between increases end on the calendar day, to the millisecond: 31 August and 6 months are 29 February 2028', () => {
  const end = at('2028-02-29');
  expect([end - 1, end].map((now) => isAllowed(6001, past, now))).toEqual([false, true]);
});

it('six months between increases run from the first payment at the higher amount, not from its repetitions', () => {
  const repeated = [...past, ...paid(['2027-09-30', 6000], ['2028-01-31', 6000])];
  expect(isAllowed(6001, repeated, at('2028-02-29'))).toBe(true);
});

it('six months between increases are not required for the same amount again', () => {
  expect(isAllowed(6000, past, at('2027-09-01'))).toBe(true);
});

it('six months between increases are also required for a return to an amount above the consent after a reduction', () => {
  const reduced = [...past, ...paid(['2027-09-30', 5500])];
  expect(isAllowed(5501, reduced, at('2028-02-29') - 1)).toBe(false);
  expect(isAllowed(5501, reduced, at('2028-02-29'))).toBe(true);
});

it('six months between increases restart with an increase after a reduction', () => {
  const again = [...past, ...paid(['2027-09-30', 4000], ['2028-02-29', 6000])];
  expect(isAllowed(6001, again, at('2028-08-29') - 1)).toBe(false);
  expect(isAllowed(6001, again, at('2028-08-29'))).toBe(true);
});

it('six months between increases do not start with a return to the consent amount', () => {
  const back = paid(['2027-01-31', 5000], ['2027-02-28', 4000], ['2027-03-31', 5000]);
  expect(isAllowed(6000, back, at('2027-04-01'))).toBe(true);
});

it('six months between increases do not start with a failed increase, but do with a pending one', () => {
  const tried = (result: 'failed' | 'pending'): PastAmount[] => [
    ...paid(['2027-01-31', 5000]),
    { amount: 6000, createdAt: at('2027-08-31'), result },
  ];
  expect(isAllowed(7000, tried('failed'), at('2027-09-01'))).toBe(true);
  expect(isAllowed(7000, tried('pending'), at('2027-09-01'))).toBe(false);
});

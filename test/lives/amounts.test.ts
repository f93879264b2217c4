import { amountAnswers, type Authorized } from './amounts';
import { type Agreement, plusMonths } from './calendar';

const FIRST = Date.parse('2027-01-31T09:00:00.000Z');
const AGREEMENT: Agreement = { repetition: 'MONTHLY', first: FIRST, end: null, cents: 5_000, onExhausted: 'continue' };

function paid(...amounts: readonly [number, number][]): Authorized[] {
  return amounts.map(([at, amount], cycle) => {
    return { amount, createdAt: new Date(at).toISOString(), cycle, result: 'successful', isDebited: true };
  });
}

const answers = (made: readonly Authorized[], cycle: number, cents: number) =>
  amountAnswers(AGREEMENT, made, cycle, cents);

it('the first payment must equal the consent amount', () => {
  expect(answers(paid(), 1, 4_999)).toEqual(['refused']);
  expect(answers(paid(), 1, 5_000)).toEqual(['accepted']);
});

it('an increase is allowed up to the cap, inclusive', () => {
  expect(answers(paid([FIRST, 5_000]), 1, 50_000)).toEqual(['accepted']);
  expect(answers(paid([FIRST, 5_000]), 1, 50_001)).toEqual(['refused']);
});

it('an increase is allowed six months after another, and a return to the consent amount at any time', () => {
  const increased = paid([FIRST, 5_000], [plusMonths(FIRST, 1), 6_000]);
  expect(answers(increased, 6, 6_001)).toEqual(['refused']);
  expect(answers(increased, 8, 6_001)).toEqual(['accepted']);
  const reduced = paid([FIRST, 5_000], [plusMonths(FIRST, 1), 6_000], [plusMonths(FIRST, 2), 4_000]);
  expect(answers(reduced, 3, 5_000)).toEqual(['accepted']);
  expect(answers(reduced, 3, 5_001)).toEqual(['refused']);
});

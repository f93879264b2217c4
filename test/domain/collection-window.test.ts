import fc from 'fast-check';
import {
  collectionWindow,
  isLastWindowCut,
  type Calendar,
  dueAt,
  REPETITIONS,
} from '../../src/domain/subscription/schedule';
import { HOUR } from '../../src/domain/time';
import { at } from './subscription-under-test';

const FIRST = at('2027-01-31');

function weekly(endAt: number | null): Calendar {
  return { firstPaymentAt: FIRST, repetition: 'WEEKLY', endAt };
}

it.each(REPETITIONS)('the collection window of %s cycles is 120 hours long (rule 3)', (repetition) => {
  const calendar: Calendar = { firstPaymentAt: FIRST, repetition, endAt: null };
  const { dueAt: due, collectBy } = collectionWindow(calendar, 1);
  expect(collectBy - due).toBe(120 * HOUR);
});

it.each([
  ['a millisecond before 120 h', 120 * HOUR - 1, 120 * HOUR - 1],
  ['at 120 h', 120 * HOUR, 120 * HOUR],
  ['a millisecond after 120 h', 120 * HOUR + 1, 120 * HOUR],
  ['a millisecond after the due date', 1, 1],
])(
  'the collection window with endAt %s ends at endAt or 120 h after the due date, whichever is first',
  (_, endsAfter, length) => {
    expect(collectionWindow(weekly(FIRST + endsAfter), 0)).toEqual({ dueAt: FIRST, collectBy: FIRST + length });
  },
);

it('the collection window of an earlier cycle is not cut if the subscription ends after this window', () => {
  const calendar = weekly(FIRST + 8 * 24 * HOUR);
  expect(collectionWindow(calendar, 0).collectBy).toBe(FIRST + 120 * HOUR);
  expect(collectionWindow(calendar, 1).collectBy).toBe(FIRST + 8 * 24 * HOUR);
});

it.each([
  ['a millisecond short of 120 h', true, 120 * HOUR - 1],
  ['of exactly 120 h', false, 120 * HOUR],
  ['of 120 h that ends a millisecond before endAt', false, 120 * HOUR + 1],
])('a last window %s is reported as cut short: %p (rule 2)', (_, cut, endsAfter) => {
  expect(isLastWindowCut(weekly(FIRST + endsAfter), 0)).toBe(cut);
});

it('no window is reported as cut short if the subscription has no end', () => {
  expect(isLastWindowCut(weekly(null), 0)).toBe(false);
});

const calendars = fc.record({
  firstPaymentAt: fc.integer({ min: at('2020-01-01'), max: at('2060-01-01') }),
  repetition: fc.constantFrom(...REPETITIONS),
});

it('collection windows of any calendar never overlap, are never longer than 120 h and never reach past endAt', () => {
  const ends = fc.record({ n: fc.nat(200), cut: fc.integer({ min: 1, max: 200 * HOUR }) });
  fc.assert(
    fc.property(calendars, ends, (open, { n, cut }) => {
      const endAt = dueAt({ ...open, endAt: null }, n) + cut;
      const calendar = { ...open, endAt };
      const window = collectionWindow(calendar, n);
      expect(window.collectBy).toBeGreaterThan(window.dueAt);
      expect(window.collectBy - window.dueAt).toBeLessThanOrEqual(120 * HOUR);
      expect(window.collectBy).toBeLessThanOrEqual(Math.min(endAt, dueAt(calendar, n + 1)));
    }),
  );
});

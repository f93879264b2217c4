import fc from 'fast-check';
import { isActGuarded, isAmountGuarded, isSamePerson } from '../../src/domain/approvals';

const [SANDBOX, PRODUCTION] = [{ environment: 'sandbox' }, { environment: 'production' }] as const;

test('actions that always need a second person do so in production, and elsewhere if an amount is configured', () => {
  expect([SANDBOX, PRODUCTION, { ...SANDBOX, approvalAboveCents: 0 }].map(isActGuarded)).toEqual([false, true, true]);
});

test('an amount needs one above the configured amount alone, wherever it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(SANDBOX, PRODUCTION), fc.nat(), fc.nat(), (where, above, cents) => {
      expect(isAmountGuarded({ ...where, approvalAboveCents: above }, cents)).toBe(cents > above);
      expect(isAmountGuarded(where, cents)).toBe(false);
    }),
  );
});

test.each([
  ['Grace Hopper', 'grace  hopper'],
  [' Grace Hopper ', 'GRACE HOPPER'],
])('%j and %j are one person', (one, other) => {
  expect([isSamePerson(one, other), isSamePerson(other, one)]).toEqual([true, true]);
});

test.each([
  ['Grace Hopper', 'Ada Byron'],
  ['Grace Hopper', 'Grace'],
])('%j and %j are two', (one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});

import fc from 'fast-check';
import { isActGuarded, isAmountGuarded, isSamePerson } from '../../src/domain/approvals';

const [SANDBOX, PRODUCTION] = [{ environment: 'sandbox' }, { environment: 'production' }] as const;

test('actions that are always guarded need a second person in production, and in the sandbox if an amount is configured', () => {
  expect([SANDBOX, PRODUCTION, { ...SANDBOX, approvalAboveCents: 0 }].map(isActGuarded)).toEqual([false, true, true]);
});

test('an amount needs a second person only above the configured amount, in any environment', () => {
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
])('the names %j and %j are those of one person', (one, other) => {
  expect([isSamePerson(one, other), isSamePerson(other, one)]).toEqual([true, true]);
});

test.each([
  ['Grace Hopper', 'Ada Byron'],
  ['Grace Hopper', 'Grace'],
])('the names %j and %j are those of two people', (one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});

import {
  beganElsewhere,
  judgeMandate,
  type Mandate,
  type MandateAtService,
} from '../../src/domain/subscription/mandate';
import { increaseCap } from '../../src/domain/subscription/amount';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { REPETITIONS } from '../../src/domain/subscription/schedule';

const FIRST = Date.parse('2026-01-31T10:00:00.000Z');
const JUNE = Date.parse('2026-06-15T00:00:00.000Z');

function mandate(changes: Partial<Mandate> = {}): Mandate {
  return {
    firstPaymentAt: FIRST,
    repetition: 'MONTHLY',
    endAt: null,
    amount: euros(1999),
    consentAmount: euros(1999),
    collectFrom: JUNE,
    lastIncreaseAt: null,
    ...changes,
  };
}

function atService(changes: Partial<MandateAtService> = {}): MandateAtService {
  return {
    consentAmount: euros(1999),
    repetition: 'MONTHLY',
    firstPaymentAt: FIRST,
    endAt: null,
    hasCollected: false,
    ...changes,
  };
}

function accepted(m: Partial<Mandate> = {}, w: Partial<MandateAtService> = {}) {
  const verdict = judgeMandate(mandate(m), atService(w));
  if (verdict.kind === 'refused') throw new Error(JSON.stringify(verdict.faults));
  return verdict.consent;
}

function faults(m: Partial<Mandate> = {}, w: Partial<MandateAtService> = {}): string[] {
  const verdict = judgeMandate(mandate(m), atService(w));
  return verdict.kind === 'refused' ? verdict.faults.map(({ path, message }) => `${path}: ${message}`) : [];
}

test.each([
  ['a millisecond before dueday begins to collect counts as collected', FIRST + 1, true],
  ['when dueday begins to collect does not count as collected', FIRST, false],
  ['a millisecond after dueday begins to collect does not count as collected', FIRST - 1, false],
])('a first payment that is due %s (rule 9)', (_name, collectFrom, isCollected) => {
  expect(beganElsewhere(mandate({ collectFrom }))).toBe(isCollected);
  expect(accepted({ collectFrom }).collectedOnce).toBe(isCollected);
});

test('a mandate for which the service lists a payment counts as collected once, even if its first due date is in the future', () => {
  expect(accepted({ collectFrom: FIRST }, { hasCollected: true }).collectedOnce).toBe(true);
});

test.each([1998, 2000])(
  'an imported amount of %i cents is refused before the first payment, because that must be exactly the consent’s amount',
  (cents) => {
    const amount = euros(cents);
    expect(faults({ amount, collectFrom: FIRST })).toEqual([
      `amount: expected 19.99 EUR, the amount of the consent, as nothing has been collected yet; got ${cents === 1998 ? '19.98' : '20.00'} EUR`,
    ]);
    expect(faults({ amount, collectFrom: FIRST }, { hasCollected: true })).toEqual([]);
  },
);

test('an imported amount may be below the consent’s once a cycle has been collected', () => {
  expect(accepted({ amount: euros(1) })).toMatchObject({ consentAmount: euros(1999), lastIncreaseAt: null });
});

test.each(REPETITIONS)('the imported amount of a %s mandate may reach the cap, and not a cent more', (repetition) => {
  const cap = increaseCap(repetition).value;
  expect(faults({ repetition, amount: euros(cap) }, { repetition })).toEqual([]);
  expect(faults({ repetition, amount: euros(cap + 1) }, { repetition })).toHaveLength(1);
});

test('an imported amount may not be above the amount of a consent that is itself above the cap', () => {
  const [consentAmount, above] = [euros(60_000), euros(60_001)];
  expect(faults({ amount: consentAmount, consentAmount }, { consentAmount })).toEqual([]);
  expect(faults({ amount: above, consentAmount }, { consentAmount })).toEqual([
    'amount: expected at most 600.00 EUR, by the cap of MONTHLY; got 600.01 EUR',
  ]);
});

const amount = euros(2500);

test('an imported amount above the consent’s counts as an increase at the import’s lastIncreaseAt', () => {
  const lastIncreaseAt = FIRST + 40 * DAY;
  expect(accepted({ amount, lastIncreaseAt })).toMatchObject({ lastIncreaseAt, warnings: [] });
});

test('an imported amount above the consent’s counts as an increase at the start of collection, with a warning, if no date is given', () => {
  const { lastIncreaseAt, warnings } = accepted({ amount });
  expect(lastIncreaseAt).toBe(JUNE);
  expect(warnings).toEqual([expect.stringContaining('2026-06-15T00:00:00.000Z')]);
});

test('the consent’s amount comes from the service if the import does not give it', () => {
  expect(accepted({ consentAmount: null }).consentAmount).toEqual(euros(1999));
});

test('the consent’s amount comes from the import if the service does not report it', () => {
  expect(accepted({}, { consentAmount: null }).consentAmount).toEqual(euros(1999));
  expect(faults({ consentAmount: null }, { consentAmount: null })).toEqual([
    'consentAmount: required, as the service does not report the amount of the consent',
  ]);
});

test('an import that differs from the mandate at the service is refused, and both values are named', () => {
  expect(faults({ consentAmount: euros(2000) }, { repetition: 'YEARLY' })).toEqual([
    "consentAmount: expected 19.99 EUR, as in the service's record of the consent; got 20.00 EUR",
    "repetition: expected YEARLY, as in the service's record of the consent; got MONTHLY",
  ]);
});

test('an import whose due dates are not those of the mandate gets a warning', () => {
  expect(accepted({}, { firstPaymentAt: FIRST + 1 }).warnings).toHaveLength(1);
  expect(accepted({}, { firstPaymentAt: null }).warnings).toEqual([]);
});

test('an import with another anchor but the same due dates as the mandate gets no warning', () => {
  const repetition = 'WEEKLY';
  expect(accepted({ repetition }, { repetition, firstPaymentAt: FIRST + 70 * DAY }).warnings).toEqual([]);
});

test('an import that ends later than its consent, or never, gets a warning', () => {
  const endAt = JUNE + 365 * DAY;
  expect(accepted({ endAt }, { endAt }).warnings).toEqual([]);
  expect(accepted({ endAt: endAt + 1 }, { endAt }).warnings).toHaveLength(1);
  expect(accepted({ endAt: null }, { endAt }).warnings).toHaveLength(1);
});

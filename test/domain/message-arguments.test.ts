import { faultIn, type MessageShape } from '../../src/contract/arguments';
import { JUDGE_CHANGE, PAUSE, REPLACEMENT, RESOLVE, SKIP } from '../../src/contract/messages';
import { CAPTURE } from '../../src/contract/payments';

/** What people can send to a workflow, and what is said of it. */

const BY = { actor: 'ops', reason: null };
const MONEY = { value: 1999, currency: 'EUR' };
const RESOLUTION = { actor: 'ops', cycle: 3, outcome: 'failed', evidence: 'x', authorizationId: null, captureId: null };
const ORDER = {
  orderId: 'o',
  paymentId: 'p',
  amount: MONEY,
  finalCapture: true,
  orderedAt: 0,
  captureBy: 1,
  transit: 0,
};

test.each<[MessageShape<unknown>, unknown]>([
  [PAUSE, { ...BY, until: null }],
  [
    PAUSE,
    { ...BY, keyId: 'k', requestId: 'r', until: 1_800_000_000_000, revision: 3, settled: { cycle: 0, attempt: 1 } },
  ],
  [SKIP, { ...BY, keyId: null, cycle: 0 }],
  [SKIP, { ...BY, cycle: 100_000 }],
  [RESOLVE, RESOLUTION],
  [CAPTURE, ORDER],
  [REPLACEMENT, { by: 'sub_2', from: 0, stage: 'granted' }],
  [JUDGE_CHANGE, { amount: MONEY, fromCycle: null, announceAhead: 0 }],
])('%#: what dueday sends is taken', (shape, argument) => {
  expect(faultIn(shape, argument)).toBeNull();
});

test.each<[MessageShape<unknown>, unknown, string]>([
  [PAUSE, undefined, 'update pause takes an object; got nothing'],
  [PAUSE, [], 'update pause takes an object; got []'],
  [PAUSE, {}, 'update pause: actor must be a text; got nothing'],
  [
    PAUSE,
    { ...BY, until: '2027' },
    'update pause: until must be an instant in epoch milliseconds from 0 to 253402300799999, or null; got "2027"',
  ],
  [
    PAUSE,
    { ...BY, until: 253_402_300_800_000 },
    'update pause: until must be an instant in epoch milliseconds from 0 to 253402300799999, or null; got 253402300800000',
  ],
  [PAUSE, { ...BY, until: null, reason: 5 }, 'update pause: reason must be a text, or null; got 5'],
  [
    PAUSE,
    { ...BY, until: null, settled: { cycle: 1 } },
    'update pause: settled must be an attempt such as {"cycle":3,"attempt":0}, or left out; got {"cycle":1}',
  ],
  [SKIP, { ...BY, cycle: -1 }, 'update skipCycle: cycle must be a whole number from 0 to 100000; got -1'],
  [SKIP, { ...BY, cycle: 1.5 }, 'update skipCycle: cycle must be a whole number from 0 to 100000; got 1.5'],
  [SKIP, { ...BY, cycle: 100_001 }, 'update skipCycle: cycle must be a whole number from 0 to 100000; got 100001'],
  [RESOLVE, { ...RESOLUTION, outcome: 'paid' }, 'update resolveCycle: outcome must be collected or failed; got "paid"'],
  [CAPTURE, { ...ORDER, finalCapture: 'yes' }, 'update capture: finalCapture must be true or false; got "yes"'],
  [
    CAPTURE,
    { ...ORDER, amount: { value: 1, currency: 'USD' } },
    'update capture: amount must be an amount such as {"value":1999,"currency":"EUR"}; got {"value":1,"currency":"USD"}',
  ],
  [
    REPLACEMENT,
    { by: 'sub_2', from: 0, stage: 'taken' },
    'signal replacement: stage must be requested or granted or ended; got "taken"',
  ],
  [
    JUDGE_CHANGE,
    { amount: -5, fromCycle: 0, announceAhead: 0 },
    'query judgeChange: amount must be an amount such as {"value":1999,"currency":"EUR"}; got -5',
  ],
])('%#: anything else is refused with the field, the expectation and the value', (shape, argument, fault) => {
  expect(faultIn(shape, argument)).toBe(fault);
});

test('a long value is shown by its beginning', () => {
  expect(faultIn(PAUSE, 'x'.repeat(1000))?.length).toBeLessThan(150);
});

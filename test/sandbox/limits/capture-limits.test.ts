import { judgeCapture, type PastCapture, type Reservation } from '../../../src/sandbox/limits/order-limits';

const DEADLINE = Date.parse('2027-02-07T10:00:00.000Z');

function reservation(changes: Partial<Reservation> = {}): Reservation {
  return {
    result: 'successful',
    amount: 10_000,
    deadline: DEADLINE,
    partialCapture: false,
    multipleCapture: false,
    captures: [],
    ...changes,
  };
}

const captured = (amount: number, changes: Partial<PastCapture> = {}): PastCapture => ({
  amount,
  finalCapture: false,
  result: 'successful',
  ...changes,
});

function judge(of: Reservation, amount: number, now = DEADLINE - 1, maximum: number | null = null): string {
  const verdict = judgeCapture(of, amount, now, maximum);
  return verdict.kind === 'allowed' ? 'allowed' : verdict.detail;
}

/** The verdict for each combination of flags on a capture of a part, of the full amount, and on a second capture. */
it.each([
  [false, false, 'AMOUNT_NOT_ALLOWED', 'STATE_CONFLICT'],
  [false, true, 'AMOUNT_NOT_ALLOWED', 'STATE_CONFLICT'],
  [true, false, 'allowed', 'STATE_CONFLICT'],
  [true, true, 'allowed', 'allowed'],
])(
  'with partialCapture %s and multipleCapture %s, a capture of a part is %s, and a second capture is %s',
  (partialCapture, multipleCapture, part, second) => {
    const flags = { partialCapture, multipleCapture };
    expect(judge(reservation(flags), 9_999)).toBe(part);
    expect(judge(reservation(flags), 10_000)).toBe('allowed');
    expect(judge(reservation({ ...flags, captures: [captured(4_000)] }), 1_000)).toBe(second);
  },
);

const several = { partialCapture: true, multipleCapture: true };

it('captures up to the authorized amount are allowed, to the cent', () => {
  expect(judge(reservation(), 10_001)).toBe('CAPTURE_EXCEEDS_AUTHORIZATION');
  const parts = reservation({ ...several, captures: [captured(4_000), captured(5_000, { result: 'pending' })] });
  expect([1_000, 1_001].map((amount) => judge(parts, amount))).toEqual(['allowed', 'CAPTURE_EXCEEDS_AUTHORIZATION']);
});

it('a failed capture does not count against the authorized amount', () => {
  const failed = captured(10_000, { result: 'failed', finalCapture: true });
  expect(judge(reservation({ captures: [failed] }), 10_000)).toBe('allowed');
});

it('a final capture allows no further capture', () => {
  const closed = reservation({ ...several, captures: [captured(4_000, { finalCapture: true })] });
  expect(judge(closed, 1)).toBe('STATE_CONFLICT');
});

it('the capture period ends with its deadline, to the millisecond', () => {
  const judged = [DEADLINE - 1, DEADLINE, DEADLINE + 1].map((now) => judge(reservation(), 10_000, now));
  expect(judged).toEqual(['allowed', 'CAPTURE_PERIOD_ENDED', 'CAPTURE_PERIOD_ENDED']);
});

it('the capture period has ended for an expired authorization', () => {
  expect(judge(reservation({ result: 'expired' }), 10_000)).toBe('CAPTURE_PERIOD_ENDED');
});

it.each(['pending', 'failed', 'released'] as const)('an authorization that is %s cannot be captured', (result) => {
  expect(judge(reservation({ result }), 10_000)).toBe('STATE_CONFLICT');
});

it('each capture of a restricted merchant is limited to its maximum', () => {
  const several = reservation({ partialCapture: true, multipleCapture: true });
  expect(judge(several, 5_000, DEADLINE - 1, 5_000)).toBe('allowed');
  expect(judge(several, 5_001, DEADLINE - 1, 5_000)).toBe('AMOUNT_NOT_ALLOWED');
});

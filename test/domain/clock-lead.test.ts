import fc from 'fast-check';
import { certainLead, whyClocksDiffer } from '../../src/domain/send';
import { MINUTE, SECOND } from '../../src/domain/time';

const AT = Date.parse('2027-01-31T10:00:00.000Z');
const within = (ms: number) => ({ askedAt: AT, answeredAt: AT + ms });

it.each([
  ['the moment of the answer may agree with ours', AT + 5, 5, 0],
  ['a millisecond after the answer is ahead by a millisecond', AT + 6, 5, 1],
  ['a minute after the answer is ahead by a minute', AT + 5 + MINUTE, 5, MINUTE],
  ['the second that ends just as we ask may agree with ours', AT - SECOND + 1, 5, 0],
  ['a second that ended a millisecond before we ask is behind by a millisecond', AT - SECOND, 5, -1],
  ['a minute before the earliest time that may agree is behind by a minute', AT - SECOND + 1 - MINUTE, 5, -MINUTE],
  ['any moment during a long request may agree with ours', AT + 17 * SECOND, 30 * SECOND, 0],
])('another clock that shows %s', (_what, shown, ms, lead) => {
  expect(certainLead(shown, within(ms))).toBe(lead);
});

it('if our clock was set back during the request, another clock may agree with either of our readings', () => {
  expect(certainLead(AT, { askedAt: AT + MINUTE, answeredAt: AT })).toBe(0);
});

it('the lead of another clock is never overestimated, and is underestimated by at most a second and the duration of the request', () => {
  const ms = fc.integer({ min: 0, max: 40_000 });
  fc.assert(
    fc.property(fc.integer({ min: -200_000, max: 200_000 }), ms, ms, (off, before, after) => {
      const asked = { askedAt: AT - before, answeredAt: AT + after };
      const lead = certainLead(Math.floor((AT + off) / SECOND) * SECOND, asked);
      expect(Math.abs(lead)).toBeLessThanOrEqual(Math.abs(off));
      expect(Math.abs(off) - Math.abs(lead)).toBeLessThanOrEqual(SECOND + before + after);
      if (lead !== 0) expect(Math.sign(lead)).toBe(Math.sign(off));
    }),
  );
});

describe('requests and the clocks of service and process', () => {
  it.each([
    ['no reading of the other clock, requests are sent', undefined, null],
    ['the other clock a minute ahead, requests are sent', MINUTE, null],
    ['the other clock a minute behind, requests are sent', -MINUTE, null],
    [
      'the other clock a millisecond more than a minute ahead, nothing is sent',
      MINUTE + 1,
      'the clock of the service is 60 s or more ahead of ours',
    ],
    [
      'the other clock a millisecond more than a minute behind, nothing is sent',
      -MINUTE - 1,
      'the clock of the service is 60 s or more behind ours',
    ],
  ])('with %s', (_what, lead, why) => {
    expect(whyClocksDiffer(lead)).toBe(why);
  });
});

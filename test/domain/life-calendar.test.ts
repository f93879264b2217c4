import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { Terms } from '../../src/domain/subscription/state';
import { live } from './life';
import type { Life } from './life-record';
import type { Answer, Script } from './life-script';
import { at, FIRST, MINUTE_MARGIN, termsOf } from './subscription-under-test';

const APPROVED: Answer = { kind: 'approved', finalAfter: 0 };
const REFUSED: Answer = { kind: 'refused', retryable: true, finalAfter: 0 };

function lived(terms: Partial<Terms>, wanted: Partial<Script> = {}): Life {
  return live({
    terms: termsOf(terms),
    policy: MINUTE_MARGIN,
    spread: 0,
    grantedAt: FIRST - DAY,
    answers: [],
    notices: [],
    outages: [],
    messages: [],
    ...wanted,
  });
}

const until = (day: string): Partial<Terms> => ({ endAt: at(day) });
/** One line for each cycle: number, outcome, reason. */
const calendar = ({ outcomes }: Life) =>
  outcomes.map(({ cycle, outcome, reason }) => `${cycle} ${outcome} ${reason}`.trim());
const postedAt = ({ posts }: Life) => posts.map((post) => toIso(post.at).slice(0, 16));

it.each([
  ['MONTHLY', '2032-01-31', 60],
  ['WEEKLY', '2032-01-25', 260],
  ['QUARTERLY', '2032-01-31', 20],
  ['HALF_YEARLY', '2032-01-31', 10],
  ['YEARLY', '2032-01-31', 5],
] as const)(
  'in five uneventful years each %s cycle is collected by one request, and the subscription is completed at the end',
  (repetition, end, count) => {
    const life = lived({ repetition, ...until(end) });
    expect(life.outcomes.filter(({ outcome }) => outcome === 'collected')).toHaveLength(count);
    expect([life.posts.length, life.state.status]).toEqual([count, 'completed']);
  },
);

it('a first payment on 31 January is followed by one on the last day of each month', () => {
  expect(postedAt(lived(until('2027-06-01')))).toEqual([
    '2027-01-31T10:00',
    '2027-02-28T10:00',
    '2027-03-31T10:00',
    '2027-04-30T10:00',
    '2027-05-31T10:00',
  ]);
});

it('after one refusal for insufficient funds a retry a day later collects, and the next due date does not move', () => {
  const life = lived(until('2027-03-01'), { answers: [REFUSED] });
  expect(calendar(life)).toEqual(['0 collected', '1 collected']);
  expect(postedAt(life)).toEqual(['2027-01-31T10:00', '2027-02-01T10:00', '2027-02-28T10:00']);
});

it('a cycle whose three retries are all refused is failed, and the next collection clears past due', () => {
  const life = lived(until('2027-03-01'), { answers: [REFUSED, REFUSED, REFUSED, REFUSED] });
  expect(calendar(life)).toEqual(['0 failed retries_used', '1 collected']);
  expect(postedAt(life).slice(0, 4)).toEqual([
    '2027-01-31T10:00',
    '2027-02-01T10:00',
    '2027-02-02T10:00',
    '2027-02-03T09:00',
  ]);
  expect(life.state.standing.pastDue).toBe(false);
});

it('a refusal is not retried if the payer cannot be notified of it, and does not count as exhausted retries', () => {
  const life = lived({ ...until('2027-03-01'), onExhausted: 'cancel' }, { answers: [REFUSED], notices: [null] });
  expect(calendar(life)).toEqual(['0 failed notice_undeliverable', '1 collected']);
  expect([life.posts.length, life.exhausted]).toEqual([2, []]);
});

it.each([
  ['pause', 'completed', ['0 failed retries_used', '1 skipped paused']],
  ['cancel', 'cancelled', ['0 failed retries_used']],
] as const)('exhausted retries have the consequence that onExhausted sets: %s', (onExhausted, status, outcomes) => {
  const life = lived({ ...until('2027-03-01'), onExhausted }, { answers: [REFUSED, REFUSED, REFUSED, REFUSED] });
  expect([life.state.status, calendar(life)]).toEqual([status, outcomes]);
});

it('a cycle that falls due in an outage of three days is collected after the outage, within its window', () => {
  const life = lived(until('2027-03-01'), { outages: [{ from: FIRST, to: FIRST + 3 * DAY }] });
  expect(postedAt(life)).toEqual(['2027-02-03T10:00', '2027-02-28T10:00']);
});

it('after an outage of three months the cycles that fell due are missed, in order, and collection continues', () => {
  const life = lived(until('2027-06-01'), { outages: [{ from: FIRST + 1, to: at('2027-04-20') }] });
  expect(calendar(life)).toEqual([
    '0 collected',
    '1 missed window_closed',
    '2 missed window_closed',
    '3 collected',
    '4 collected',
  ]);
});

it('a first attempt that an outage delays, and that is refused half an hour before its window closes, cancels no subscription', () => {
  const life = lived(
    { ...until('2027-03-01'), onExhausted: 'cancel' },
    { answers: [REFUSED], outages: [{ from: FIRST, to: FIRST + 119.5 * HOUR }] },
  );
  expect(calendar(life)).toEqual(['0 failed out_of_time', '1 collected']);
});

it('a pause with an end skips what falls due in it, and ends by itself', () => {
  const message = { kind: 'pause', at: at('2027-02-10'), lasts: 60 * DAY } as const;
  const life = lived(until('2027-06-01'), { messages: [message] });
  expect(calendar(life)).toEqual(['0 collected', '1 skipped paused', '2 skipped paused', '3 collected', '4 collected']);
  expect(life.state.status).toBe('completed');
});

it('a pause whose end passes during an outage ends at that time, even if an operator resumes later', () => {
  const life = lived(until('2027-06-01'), {
    outages: [{ from: at('2027-02-11'), to: at('2027-04-20') }],
    messages: [
      { kind: 'pause', at: at('2027-02-10'), lasts: 20 * DAY },
      { kind: 'resume', at: at('2027-04-20') },
    ],
  });
  expect(calendar(life)).toEqual([
    '0 collected',
    '1 skipped paused',
    '2 missed window_closed',
    '3 collected',
    '4 collected',
  ]);
});

const lost = { kind: 'lost', unresolvedAfter: null } as const;

it('a debit whose answer was lost and that is found by GET is made once', () => {
  const life = lived(until('2027-02-01'), { answers: [{ ...lost, truth: 'approved', settledAfter: HOUR }] });
  expect([calendar(life), life.posts.length]).toEqual([['0 collected'], 1]);
});

it('a debit whose answer was lost and that was never made is sent again, as the same attempt', () => {
  const life = lived(until('2027-02-20'), { answers: [{ ...lost, truth: 'nothing', settledAfter: HOUR }, APPROVED] });
  expect([calendar(life), life.posts.map(({ attempt }) => attempt)]).toEqual([['0 collected'], [0, 0]]);
});

it('while the outcome of a debit is unknown for two months, no later cycle is sent', () => {
  const answers: Answer[] = [{ kind: 'lost', truth: 'approved', settledAfter: 62 * DAY, unresolvedAfter: DAY }];
  const life = lived(until('2027-06-01'), { answers });
  expect(calendar(life)).toEqual([
    '0 collected',
    '1 missed window_closed',
    '2 collected',
    '3 collected',
    '4 collected',
  ]);
  expect(postedAt(life)[1]).toBe('2027-04-03T10:00');
});

it('if the answer to a debit was lost and the debit was refused because the consent had ended, the subscription ends and the cycle is failed', () => {
  const life = lived(until('2027-06-01'), { answers: [{ ...lost, truth: 'consent_gone', settledAfter: 10 * DAY }] });
  expect([life.state.status, life.state.cancelledBy, calendar(life)]).toEqual([
    'cancelled',
    'payer',
    ['0 failed consent_ended'],
  ]);
});

it('if a refusal because the consent had ended is known only after the next window, the cycle of that window is missed', () => {
  const life = lived(until('2027-06-01'), { answers: [{ ...lost, truth: 'consent_gone', settledAfter: 40 * DAY }] });
  expect(calendar(life)).toEqual(['0 failed consent_ended', '1 missed window_closed']);
});

const seen = { kind: 'payer_cancels', at: at('2027-02-01'), isSeen: true } as const;

it('a cancellation at the bank that is noticed while a due cycle waits for its spread leaves that cycle skipped', () => {
  const life = lived(until('2027-06-01'), { spread: 2 * DAY, messages: [seen] });
  expect([life.state.cancelledBy, calendar(life)]).toEqual(['payer', ['0 skipped consent_ended']]);
});

it('a cancellation at the bank that is noticed while a pause stops a due cycle leaves that cycle skipped by the pause', () => {
  const pause = { kind: 'pause', at: FIRST + HOUR, lasts: null } as const;
  const life = lived(until('2027-06-01'), { spread: 2 * DAY, messages: [pause, seen] });
  expect(calendar(life)).toEqual(['0 skipped paused']);
});

it('an authorization that is pending for three months delays no later cycle', () => {
  const life = lived(until('2027-06-01'), { answers: [{ kind: 'approved', finalAfter: 90 * DAY }] });
  expect(calendar(life)).toEqual(['1 collected', '2 collected', '3 collected', '0 collected_late', '4 collected']);
});

it('a subscription cancelled while paused leaves no due date without an outcome', () => {
  const life = lived(until('2027-12-01'), {
    messages: [
      { kind: 'pause', at: at('2027-02-28T10:00:00.001'), lasts: null },
      { kind: 'cancel', at: at('2027-03-02'), confirmedAfter: DAY },
    ],
    outages: [{ from: at('2027-02-28'), to: at('2027-03-01') }],
  });
  expect(calendar(life)).toEqual(['0 collected', '1 skipped paused']);
});

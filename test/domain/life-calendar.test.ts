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
/** One line a cycle: number, outcome, reason. */
const calendar = ({ outcomes }: Life) =>
  outcomes.map(({ cycle, outcome, reason }) => `${cycle} ${outcome} ${reason}`.trim());
const postedAt = ({ posts }: Life) => posts.map((post) => toIso(post.at).slice(0, 16));

it.each([
  ['MONTHLY', '2032-01-31', 60],
  ['WEEKLY', '2032-01-25', 260],
  ['QUARTERLY', '2032-01-31', 20],
  ['HALF_YEARLY', '2032-01-31', 10],
  ['YEARLY', '2032-01-31', 5],
] as const)('five years without a word %s are collected on their due dates', (repetition, end, count) => {
  const life = lived({ repetition, ...until(end) });
  expect(life.outcomes.filter(({ outcome }) => outcome === 'collected')).toHaveLength(count);
  expect([life.posts.length, life.state.status]).toEqual([count, 'completed']);
});

it('31 January collects on the last day of every month', () => {
  expect(postedAt(lived(until('2027-06-01')))).toEqual([
    '2027-01-31T10:00',
    '2027-02-28T10:00',
    '2027-03-31T10:00',
    '2027-04-30T10:00',
    '2027-05-31T10:00',
  ]);
});

it('insufficient funds once: notified, retried a day after, collected; the next due date does not move', () => {
  const life = lived(until('2027-03-01'), { answers: [REFUSED] });
  expect(calendar(life)).toEqual(['0 collected', '1 collected']);
  expect(postedAt(life)).toEqual(['2027-01-31T10:00', '2027-02-01T10:00', '2027-02-28T10:00']);
});

it('insufficient funds to the end: three retries, failed, past due, cleared by the next collection', () => {
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

it('insufficient funds and no way to notify the payer: no retry, and it is no exhaustion', () => {
  const life = lived({ ...until('2027-03-01'), onExhausted: 'cancel' }, { answers: [REFUSED], notices: [null] });
  expect(calendar(life)).toEqual(['0 failed notice_undeliverable', '1 collected']);
  expect([life.posts.length, life.exhausted]).toEqual([2, []]);
});

it.each([
  ['pause', 'completed', ['0 failed retries_used', '1 skipped paused']],
  ['cancel', 'cancelled', ['0 failed retries_used']],
] as const)('insufficient funds to the end, with %s agreed', (onExhausted, status, outcomes) => {
  const life = lived({ ...until('2027-03-01'), onExhausted }, { answers: [REFUSED, REFUSED, REFUSED, REFUSED] });
  expect([life.state.status, calendar(life)]).toEqual([status, outcomes]);
});

it('an outage of three days is made up for inside the window', () => {
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

it('an outage over the first attempt, refused with half an hour left, cancels no subscription', () => {
  const life = lived(
    { ...until('2027-03-01'), onExhausted: 'cancel' },
    { answers: [REFUSED], outages: [{ from: FIRST, to: FIRST + 119.5 * HOUR }] },
  );
  expect(calendar(life)).toEqual(['0 failed out_of_time', '1 collected']);
});

it('a pause until a date skips what falls due in it, and resumes by itself', () => {
  const message = { kind: 'pause', at: at('2027-02-10'), lasts: 60 * DAY } as const;
  const life = lived(until('2027-06-01'), { messages: [message] });
  expect(calendar(life)).toEqual(['0 collected', '1 skipped paused', '2 skipped paused', '3 collected', '4 collected']);
  expect(life.state.status).toBe('completed');
});

it('a pause whose end passes in an outage ends then, though a person resumes later', () => {
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

it('an answer that is lost and never made is sent again, with the same attempt', () => {
  const life = lived(until('2027-02-20'), { answers: [{ ...lost, truth: 'nothing', settledAfter: HOUR }, APPROVED] });
  expect([calendar(life), life.posts.map(({ attempt }) => attempt)]).toEqual([['0 collected'], [0, 0]]);
});

it('an answer that is lost for two months lets nothing later be sent', () => {
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

it('an answer that is lost as the consent had gone ends the subscription, its cycle failed', () => {
  const life = lived(until('2027-06-01'), { answers: [{ ...lost, truth: 'consent_gone', settledAfter: 10 * DAY }] });
  expect([life.state.status, life.state.cancelledBy, calendar(life)]).toEqual([
    'cancelled',
    'payer',
    ['0 failed consent_ended'],
  ]);
});

it('an answer that is lost as the consent had gone, for longer than the next window, leaves that one missed', () => {
  const life = lived(until('2027-06-01'), { answers: [{ ...lost, truth: 'consent_gone', settledAfter: 40 * DAY }] });
  expect(calendar(life)).toEqual(['0 failed consent_ended', '1 missed window_closed']);
});

const seen = { kind: 'payer_cancels', at: at('2027-02-01'), isSeen: true } as const;

it('a payer who cancels at the bank, seen while a due date waits for its spread, leaves it skipped', () => {
  const life = lived(until('2027-06-01'), { spread: 2 * DAY, messages: [seen] });
  expect([life.state.cancelledBy, calendar(life)]).toEqual(['payer', ['0 skipped consent_ended']]);
});

it('a payer who cancels at the bank, seen while a due date waits held by a pause, leaves it to that', () => {
  const pause = { kind: 'pause', at: FIRST + HOUR, lasts: null } as const;
  const life = lived(until('2027-06-01'), { spread: 2 * DAY, messages: [pause, seen] });
  expect(calendar(life)).toEqual(['0 skipped paused']);
});

it('an authorization pending for three months holds no later cycle', () => {
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

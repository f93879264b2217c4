import type { Authorized } from './amounts';
import { DAY, HOUR, MINUTE, plusMonths } from './calendar';
import { type AmountStory, type Announcements, isTold, pendingChanges, wrongAmounts } from './owed';

/** The campaigns check amounts by these functions, which must notice every kind of wrong amount. */
const FIRST = Date.parse('2027-01-31T09:00:00.000Z');
const TERMS = { repetition: 'MONTHLY', first: FIRST, end: null, cents: 5_000 } as const;
const dueOf = (cycle: number): number => plusMonths(FIRST, cycle);

function made(cycle: number, amount: number, result = 'successful', after = 1_000): Authorized {
  const createdAt = new Date(dueOf(cycle) + after).toISOString();
  return { amount, createdAt, cycle, result, isDebited: result === 'successful' };
}

const asked = (at: number, fromCycle: number, cents: number) => {
  return { moment: { earliest: at, latest: at + 100 }, change: { fromCycle, cents } };
};
const withdrawn = (at: number) => ({ moment: { earliest: at, latest: at + 100 }, change: null });

type Changes = Partial<AmountStory & Announcements>;

function story({ told = [], outages = [], ...changes }: Changes): AmountStory {
  return {
    terms: TERMS,
    requests: [],
    authorizations: [],
    isTold: (change, at) => isTold(TERMS, { told, outages }, change, at),
    ...changes,
  };
}

const wrong = (changes: Changes): string => wrongAmounts(story(changes)).join('\n');
const EARLY = FIRST + DAY;

it('every cycle owes the amount of the previous one, starting with the consent amount', () => {
  expect(wrong({ authorizations: [made(0, 5_000), made(1, 5_000)] })).toBe('');
  expect(wrong({ authorizations: [made(0, 4_999)] })).toContain('cycle 0 was tried with 4999 cents; expected 5000');
});

it('a change is owed from its cycle on, and not before', () => {
  const requests = [asked(EARLY, 2, 4_000)];
  const rest = [made(0, 5_000), made(1, 5_000)];
  expect(wrong({ requests, authorizations: [...rest, made(2, 4_000), made(3, 4_000)] })).toBe('');
  expect(wrong({ requests, authorizations: [...rest, made(2, 5_000)] })).toContain('expected 4000');
  expect(wrong({ requests, authorizations: [made(0, 5_000), made(1, 4_000)] })).toContain('expected 5000');
});

it('the last of several changes is owed, and a withdrawn change is not', () => {
  const authorizations = [made(0, 5_000), made(1, 4_000)];
  expect(wrong({ requests: [asked(EARLY, 1, 3_000), asked(EARLY + HOUR, 1, 4_000)], authorizations })).toBe('');
  expect(wrong({ requests: [asked(EARLY, 1, 4_000), withdrawn(EARLY + HOUR)], authorizations })).toContain(
    'expected 5000',
  );
});

it('a change whose cycle failed stays pending, and retries owe the frozen amount', () => {
  const requests = [asked(EARLY, 1, 4_000), asked(dueOf(1) + DAY, 2, 3_000)];
  const failed = [made(0, 5_000), made(1, 4_000, 'failed'), made(1, 4_000, 'failed', 2 * DAY)];
  expect(wrong({ requests: requests.slice(0, 1), authorizations: [...failed, made(2, 4_000)] })).toBe('');
  expect(wrong({ requests, authorizations: [...failed, made(2, 3_000)] })).toBe('');
  expect(wrong({ requests, authorizations: [...failed.slice(0, 2), made(1, 3_000, 'failed', 2 * DAY)] })).toContain(
    'cycle 1 was started with 4000 cents and tried with 3000',
  );
});

const failed = [made(0, 5_000), made(1, 4_000, 'failed')];
const first = asked(EARLY, 1, 4_000);
const during = dueOf(1) + HOUR;

it('a change that a cycle has frozen stays pending when it is requested again, and no cycle owes the old amount', () => {
  const requests = [first, asked(during, 2, 4_000)];
  expect(wrong({ requests, authorizations: [...failed, made(2, 4_000)] })).toBe('');
  expect(wrong({ requests, authorizations: [...failed, made(2, 5_000)] })).toContain('expected 4000');
});

it('until the cycle of a later change, the amount that a cycle has frozen is owed, or the old one if that cycle had failed before the request', () => {
  const requests = [first, asked(during, 4, 3_000)];
  for (const cents of [4_000, 5_000])
    expect(wrong({ requests, authorizations: [...failed, made(2, cents), made(4, 3_000)] })).toBe('');
  expect(wrong({ requests, authorizations: [...failed, made(2, 3_000)] })).toContain('expected 4000 or 5000');
  const kept = [...failed, made(2, 4_000), made(3, 5_000)];
  expect(wrong({ requests, authorizations: kept })).toContain('expected 4000');
});

it('a change that a cycle has frozen is collected if the payer was not notified of a later change', () => {
  const requests = [first, asked(during, 2, 4_500)];
  const outages = [{ from: during, to: null }];
  expect(wrong({ requests, outages, authorizations: [...failed, made(2, 4_000)] })).toBe('');
});

it('a change that a cycle has frozen is not withdrawn with a later change', () => {
  const requests = [first, asked(during, 4, 3_000), withdrawn(during + HOUR)];
  const pending = pendingChanges(story({ requests, authorizations: failed }));
  expect(pending).toMatchObject([{ fromCycle: 1, cents: 4_000 }, null]);
});

const requests = [asked(EARLY, 1, 6_000)];
const told = [{ cycle: 1, at: dueOf(1) - 7 * DAY }];
const [old, raised] = [5_000, 6_000].map((cents) => [made(0, 5_000), made(1, cents)]);

it('an increase is collected if the payer was notified of it, and never otherwise', () => {
  expect(wrong({ requests, told, authorizations: raised! })).toBe('');
  expect(wrong({ requests, told, authorizations: old! })).toContain('expected 6000');
  const outages = [{ from: EARLY, to: null }];
  expect(wrong({ requests, outages, authorizations: old! })).toBe('');
  expect(wrong({ requests, outages, authorizations: raised! })).toContain('expected 5000');
});

it('an increase must be announced if nothing prevents it', () => {
  expect(wrong({ requests, authorizations: old! })).toContain('expected 6000');
});

it('an increase is dropped for good once it is no longer allowed', () => {
  const twice = [asked(EARLY, 1, 6_000), asked(dueOf(1) + DAY, 2, 7_000)];
  const all = [...told, { cycle: 2, at: dueOf(2) - 7 * DAY }];
  const kept = [...raised!, made(2, 6_000), made(8, 6_000)];
  expect(wrong({ requests: twice, told: all, authorizations: kept })).toBe('');
  expect(wrong({ requests: twice, told: all, authorizations: [...raised!, made(2, 7_000)] })).toContain('6000');
});

it('either outcome of a change requested at the moment of freezing is accepted', () => {
  const requests = [asked(dueOf(1) - 10_000, 1, 4_000)];
  for (const cents of [4_000, 5_000])
    expect(wrong({ requests, authorizations: [made(0, 5_000), made(1, cents, 'failed', MINUTE)] })).toBe('');
});

it('either outcome of a change request without an answer is accepted', () => {
  const moment = { earliest: EARLY, latest: Infinity };
  const requests = [{ moment, change: { fromCycle: 1, cents: 4_000 } }];
  for (const cents of [4_000, 5_000])
    expect(wrong({ requests, authorizations: [made(0, 5_000), made(1, cents)] })).toBe('');
  expect(wrong({ requests, authorizations: [made(0, 5_000), made(1, 3_000)] })).toContain('expected');
});

it('the pending changes are listed', () => {
  const authorizations = [made(0, 5_000)];
  const change = { fromCycle: 1, cents: 4_000 };
  expect(pendingChanges(story({ authorizations }))).toEqual([null]);
  expect(pendingChanges(story({ authorizations, requests: [asked(EARLY, 1, 4_000)] }))).toMatchObject([change]);
  const collected = [...authorizations, made(1, 4_000)];
  expect(pendingChanges(story({ authorizations: collected, requests: [asked(EARLY, 1, 4_000)] }))).toEqual([null]);
});

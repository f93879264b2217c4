import { join } from 'node:path';
import { type SimulateArguments, readSimulateOptions } from '../../src/cli/simulate-options';
import { BadInputError } from '../../src/process/command-error';
import { runSimulate, scriptOf } from '../../src/cli/simulate';

const PLAIN: SimulateArguments = {
  repetition: 'MONTHLY',
  first: '2027-01-31T09:00:00.000Z',
  amountCents: '1999',
  years: '2',
};

function faultsOf(given: SimulateArguments): string[] {
  try {
    scriptOf(readSimulateOptions(given));
    return [];
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    expect(error.code).toBe(2);
    return error.message.split('\n');
  }
}

/** `2027-01-30T09:00 wallet insufficient-funds-1`. */
function events(given: SimulateArguments): string[] {
  const { events: all } = scriptOf(readSimulateOptions({ ...PLAIN, ...given }));
  return all.map(({ at, action }) => {
    const { kind, ...rest } = action;
    return [
      new Date(at).toISOString().slice(0, 16),
      kind,
      ...Object.values(rest).map((each) => JSON.stringify(each)),
    ].join(' ');
  });
}

it('the simulation names every fault of its options at once', () => {
  const given = {
    repetition: 'DAILY',
    first: 'soon',
    amountCents: '19.99',
    years: '0',
    onExhausted: 'shrug',
    fail: ['x:y', '3:tired'],
    pause: ['2027-02-01'],
    skip: ['-1'],
    amount: ['0:5'],
    cancel: '2027-02-30',
  };
  const options = faultsOf(given).map((fault) => fault.split(':')[0]);
  expect(options).toEqual([
    ...['--repetition', '--first', '--amount-cents', '--years', '--on-exhausted', '--fail', '--fail'],
    ...['--pause', '--skip', '--amount', '--cancel'],
  ]);
});

it.each<[string, SimulateArguments, string]>([
  [
    'a period without years and without an end',
    { ...PLAIN, years: undefined },
    '--years or --end: one of them is required',
  ],
  [
    'a first payment whose window would pass the last instant',
    { ...PLAIN, first: '9999-12-27T00:00:00.000Z' },
    '--first: must be at least 120 hours before 9999-12-31T23:59:59.999Z',
  ],
  ['a start after the first payment', { ...PLAIN, start: '2027-02-01' }, '--start: must not be after --first'],
  ['an end at the first payment', { ...PLAIN, end: '2027-01-31T09:00:00.000Z' }, '--end: must be after --first'],
  ['29 February in a common year', { ...PLAIN, cancel: '2027-02-29' }, '--cancel: expected a date such as'],
  ['a time without an offset', { ...PLAIN, first: '2027-01-31T09:00:00' }, '--first: expected a date such as'],
  [
    'a cycle that fails twice',
    { ...PLAIN, fail: ['3:insufficient_funds', '3:account_closed'] },
    '--fail: cycle 3 is given twice',
  ],
  [
    'another failure besides always',
    { ...PLAIN, fail: ['always:account_closed', '3:lost_answer'] },
    '--fail: always cannot be combined',
  ],
  ['a final rejection twice', { ...PLAIN, fail: ['3x2:account_closed'] }, '--fail: account_closed takes no count'],
  ['a request that is always lost', { ...PLAIN, fail: ['3xalways:lost_request'] }, '--fail: expected a count'],
  ['a pause that ends before it begins', { ...PLAIN, pause: ['2027-03-01..2027-02-01'] }, '--pause: must end after'],
  ['a hold without an end', { ...PLAIN, hold: ['2027-02-27..'] }, '--hold: a hold has an end'],
  ['a hold that ends before it begins', { ...PLAIN, hold: ['2027-03-01..2027-02-01'] }, '--hold: must end after'],
  ['a hold outside the simulated period', { ...PLAIN, hold: ['2029-02-01..2029-02-02'] }, 'hold: 2029-02-01'],
  [
    'a pause within another',
    { ...PLAIN, pause: ['2027-02-01..', '2027-05-01..2027-06-01'] },
    '--pause: the pause from 2027-05-01',
  ],
  ['an amount of the first payment', { ...PLAIN, amount: ['0:2499'] }, '--amount: expected a cycle of at least 1'],
  ['an amount twice', { ...PLAIN, amount: ['2:2499', '2:2599'] }, '--amount: cycle 2 is given twice'],
  [
    'a cancellation after the simulated period',
    { ...PLAIN, cancel: '2029-01-31T09:00:00.000Z' },
    'the merchant cancels: 2029-01-31',
  ],
  [
    'a cancellation before the start',
    { ...PLAIN, cancel: '2027-01-30T08:59:59.999Z' },
    'the merchant cancels: 2027-01-30',
  ],
])('the simulation refuses %s', (_what, given, fault) => {
  expect(faultsOf(given)).toEqual([expect.stringContaining(fault)]);
});

it.each<[string, SimulateArguments, number]>([
  ['euros', { ...PLAIN, amountCents: undefined, amount: ['19.99'] }, 1999],
  ['whole euros beside a change', { ...PLAIN, amountCents: undefined, amount: ['5:24.99', '20'] }, 2000],
  ['cents', PLAIN, 1999],
])('the simulation accepts the consent amount in %s', (_in, given, cents) => {
  expect(readSimulateOptions(given).amountCents).toBe(cents);
});

it.each<[string, SimulateArguments, string]>([
  [
    'no consent amount',
    { ...PLAIN, amountCents: undefined },
    '--amount: expected the consent amount, such as 19.99; got nothing',
  ],
  [
    'two consent amounts',
    { ...PLAIN, amountCents: undefined, amount: ['1', '2'] },
    '--amount: the consent amount is given twice',
  ],
  [
    'a consent amount in euros and one in cents',
    { ...PLAIN, amount: ['1'] },
    '--amount-cents: the consent amount is given twice',
  ],
  [
    'a consent amount with three decimals',
    { ...PLAIN, amountCents: undefined, amount: ['1.999'] },
    '--amount: expected euros such as 19.99',
  ],
  [
    'a consent amount of nothing',
    { ...PLAIN, amountCents: undefined, amount: ['0'] },
    '--amount: expected euros such as 19.99; got "0"',
  ],
  [
    'a consent amount that is too high',
    { ...PLAIN, amountCents: undefined, amount: ['1000000.01'] },
    '--amount: expected euros such as 19.99',
  ],
])('the simulation refuses %s', (_what, given, fault) => {
  expect(faultsOf(given)).toEqual([expect.stringContaining(fault)]);
});

it('the simulation accepts a cancellation in its last millisecond, and at its start', () => {
  expect(faultsOf({ ...PLAIN, cancel: '2029-01-31T08:59:59.999Z' })).toEqual([]);
  expect(faultsOf({ ...PLAIN, cancel: '2027-01-30T09:00:00.000Z' })).toEqual([]);
});

it('the simulation starts a day before the first payment and covers whole years, or lasts until everything is final after the end', () => {
  const open = scriptOf(readSimulateOptions(PLAIN));
  expect(new Date(open.terms.startAt).toISOString()).toBe('2027-01-30T09:00:00.000Z');
  expect(new Date(open.until).toISOString()).toBe('2029-01-31T09:00:00.000Z');
  const ending = scriptOf(readSimulateOptions({ ...PLAIN, years: undefined, end: '2027-07-01' }));
  expect(new Date(ending.until).toISOString()).toBe('2027-07-09T00:00:00.000Z');
});

it('the simulated bank fails from an hour before the due date until before the next one', () => {
  expect(events({ fail: ['3x2:insufficient_funds'] })).toEqual([
    '2027-04-30T08:00 wallet "insufficient-funds-2"',
    '2027-05-31T07:59 wallet "approves"',
  ]);
  expect(events({ fail: ['3xalways:transaction_limit'] })[0]).toContain('"insufficient-funds-always"');
  expect(events({ fail: ['always:account_closed'] })).toEqual(['2027-01-30T09:00 wallet "final-rejection"']);
  expect(events({ fail: ['1:lost_request'] })).toEqual(['2027-02-28T08:00 fault "swallowed" 1']);
});

it('the simulation pauses, skips, and changes an amount once the previous cycle has started', () => {
  expect(events({ pause: ['2027-02-01..2027-03-15'], skip: ['4'], amount: ['5:24.99'] })).toEqual([
    '2027-01-30T09:00 skip 4',
    `2027-02-01T00:00 pause ${Date.parse('2027-03-15T00:00:00.000Z')}`,
    '2027-05-31T10:00 amount 5 {"value":2499,"currency":"EUR"}',
  ]);
});

it('the simulation takes any number of holds', () => {
  expect(events({ hold: ['2027-02-27..2027-03-02', '2027-03-01..2027-03-03'] })).toEqual([
    `2027-02-27T00:00 hold ${Date.parse('2027-03-02T00:00:00.000Z')}`,
    `2027-03-01T00:00 hold ${Date.parse('2027-03-03T00:00:00.000Z')}`,
  ]);
});

it('the simulation executes each event at its instant, even in the millisecond of a due date', () => {
  const cancel = '2027-02-28T09:00:00.000Z';
  expect(scriptOf(readSimulateOptions({ ...PLAIN, cancel })).events[0]?.at).toBe(Date.parse(cancel));
});

it('a timeline that cannot be written is reported before the simulation starts', async () => {
  const said: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const svg = join(__dirname, 'no-such-folder', 'timeline.svg');
  await expect(runSimulate({ ...PLAIN, svg })).rejects.toThrow(/^the timeline cannot be written to .*ENOENT/);
  write.mockRestore();
  expect(said).toEqual([]);
});

import { csvOf } from '../../src/console/views/subscriptions/csv';
import { nextCentsOf, stateOf } from '../../src/console/views/common/subscription';
import { rowsOf } from '../../src/console/views/common/day-rows';
import { euros, subscription } from './lives';

test.each([
  [{}, 'active'],
  [{ standing: 'dunning' }, 'dunning'],
  [{ standing: 'past_due' }, 'past_due'],
  [{ status: 'paused', standing: 'dunning' }, 'paused'],
  [{ status: 'paused', standing: 'needs_attention' }, 'needs_attention'],
  [{ status: 'cancelled', standing: 'past_due' }, 'cancelled'],
  [{ standing: 'needs_attention', cancelling: { by: 'merchant', since: '2027-01-08T09:00:00.000Z' } }, 'cancelling'],
] as const)('a subscription that is %j shows the state %s', (more, state) => {
  expect(stateOf(subscription(more as Parameters<typeof subscription>[0]))).toBe(state);
});

test('a CSV file quotes cells with commas, quotes or line breaks, and leaves numbers unchanged', () => {
  const columns = [['name', (text: string) => text] as const, ['length', (text: string) => text.length] as const];
  expect(csvOf(['a', 'b,"c"', 'd\r\ne'], columns)).toBe('name,length\r\na,1\r\n"b,""c""",5\r\n"d\r\ne",4\r\n');
});

test.each([
  ...['=1+1', '+1', '-1', '@x', '＝1'].map((text) => [text, `'${text}`] as const),
  // A spreadsheet may split the cell before the sign, so an apostrophe at the start of the cell would not be enough.
  ...([
    ['a;=1', "a;'=1"],
    ['\t=1', "'\t'=1"],
  ] as const),
])('a CSV cell that looks like the formula %j is neutralised', (text, safe) => {
  expect(csvOf([text], [['a', (each: string) => each]])).toBe(`a\r\n${safe}\r\n`);
});

test('a day of the chart counts failed and missed amounts as not collected', () => {
  const figure = (value: number) => ({ count: 1, amount: euros(value) });
  const past = {
    ...{ day: '2027-01-08', due: figure(600), collected: figure(100), open: figure(200), skipped: figure(0) },
    ...{ failed: figure(30), missed: figure(40), refunded: figure(0) },
  };
  const coming = (day: string) => ({ day, due: figure(500), openRetries: 0, hoursToCollect: null });
  expect(rowsOf([past], [coming('2027-01-08'), coming('2027-01-09')], '2027-01-08')).toMatchObject([
    { day: '2027-01-08', collected: euros(100), open: euros(200), lost: euros(70), coming: euros(0), isToCome: false },
    { day: '2027-01-09', collected: euros(0), lost: euros(0), coming: euros(500), isToCome: true },
  ]);
});

test('the sum of selected rows omits the amounts of subscriptions that have ended or are paused without an end', () => {
  const rows = [
    subscription({ amount: euros(1_000) }),
    subscription({ status: 'cancelled', amount: euros(500) }),
    subscription({ status: 'paused', amount: euros(200) }),
    subscription({ status: 'paused', pausedUntil: '2027-03-01T09:00:00.000Z', amount: euros(30) }),
  ];
  expect(nextCentsOf(rows)).toBe(1_030);
});

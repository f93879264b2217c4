import { euros } from '../../src/domain/money';
import { CLOCK_SKEW, type Listed, matchSent, recordsNotOurs } from '../../src/domain/send';
import { FIRST } from './subscription-under-test';

function listed(id: string, wanted: Partial<Listed> = {}): Listed {
  return { id, amount: euros(1999), createdAt: FIRST, status: 'successful', ...wanted };
}

const ids = (authorizations: readonly Listed[]) => authorizations.map(({ id }) => id);

it.each([
  ['a minute and a millisecond before the due date is of an earlier cycle', FIRST - CLOCK_SKEW - 1, []],
  ['a minute before it stops the POST', FIRST - CLOCK_SKEW, ['a']],
  ['a minute less a millisecond before it stops the POST', FIRST - CLOCK_SKEW + 1, ['a']],
  ['at the due date stops the POST', FIRST, ['a']],
  ['days after it stops the POST', FIRST + 5 * 86_400_000, ['a']],
])('the pre-send check: an authorization that the ledger lacks, created %s (rule 16)', (_, createdAt, expected) => {
  expect(ids(recordsNotOurs([listed('a', { createdAt })], [], FIRST))).toEqual(expected);
});

it.each([
  ['pending', ['a']],
  ['successful', ['a']],
  ['released', ['a']],
  ['anything else', ['a']],
  ['failed', []],
])('the pre-send check of an attempt: an authorization that is %s is not ours: %j', (status, expected) => {
  expect(ids(recordsNotOurs([listed('a', { status })], [], FIRST))).toEqual(expected);
});

it('the pre-send check of an attempt: one that names what another was sent for is none of ours', () => {
  expect(recordsNotOurs([listed('a', { isOther: true })], [], FIRST)).toEqual([]);
});

it('the pre-send check of an attempt: one that the ledger holds is known', () => {
  expect(ids(recordsNotOurs([listed('a'), listed('b')], ['a'], FIRST))).toEqual(['b']);
});

const sent = { amount: euros(1999), at: FIRST, takenIds: ['known', 'other'] };
const match = (...list: Listed[]) => matchSent(list, sent).kind;

it('finding what was sent: nothing new is absent', () => {
  expect(match()).toBe('absent');
  expect(match(listed('known'), listed('other'))).toBe('absent');
});

it.each([
  ['a minute and a millisecond before it was sent: for a person', -CLOCK_SKEW - 1, 'unclear'],
  ['a minute before it was sent: found', -CLOCK_SKEW, 'found'],
  ['at the time: found', 0, 'found'],
  ['days later: found', 5 * 86_400_000, 'found'],
])('finding what was sent: a new one, created %s', (_, offset, kind) => {
  expect(match(listed('new', { createdAt: FIRST + offset }))).toBe(kind);
});

it.each([
  [1998, 'unclear'],
  [1999, 'found'],
  [2000, 'unclear'],
])('finding what was sent: a new one of %p cents is %s', (cents, kind) => {
  expect(match(listed('new', { amount: euros(cents) }))).toBe(kind);
});

it('finding what was sent: a refused one is ours too, and names the authorization', () => {
  const refused = listed('new', { status: 'failed' });
  expect(matchSent([listed('known'), refused], sent)).toEqual({ kind: 'found', record: refused });
});

it('finding what was sent: a refused one that fits nothing is no matter', () => {
  expect(match(listed('new', { status: 'failed', amount: euros(1) }))).toBe('absent');
});

it('finding what was sent: several are for a person', () => {
  const both = [listed('new'), listed('newer')];
  expect(matchSent(both, sent)).toEqual({ kind: 'unclear', records: both });
});

it('finding what was sent: one that names what another was sent for is no matter', () => {
  expect(match(listed('new', { isOther: true }))).toBe('absent');
});

it('finding what was sent: ours beside a strange one is for a person', () => {
  expect(match(listed('new'), listed('strange', { amount: euros(5) }))).toBe('unclear');
});

import { euros } from '../../src/domain/money';
import { CLOCK_SKEW, type Listed, matchSent, recordsNotOurs } from '../../src/domain/send';
import { FIRST } from './subscription-under-test';

function listed(id: string, wanted: Partial<Listed> = {}): Listed {
  return { id, amount: euros(1999), createdAt: FIRST, status: 'successful', ...wanted };
}

const ids = (authorizations: readonly Listed[]) => authorizations.map(({ id }) => id);

it.each([
  ['more than a minute before the start does not stop the POST', FIRST - CLOCK_SKEW - 1, []],
  ['a minute before the start stops the POST', FIRST - CLOCK_SKEW, ['a']],
  ['less than a minute before the start stops the POST', FIRST - CLOCK_SKEW + 1, ['a']],
  ['at the start stops the POST', FIRST, ['a']],
  ['days after the start stops the POST', FIRST + 5 * 86_400_000, ['a']],
])('an authorization that the ledger lacks and that was created %s (rules 16, 40)', (_, createdAt, expected) => {
  expect(ids(recordsNotOurs([listed('a', { createdAt })], [], FIRST))).toEqual(expected);
});

it.each(['pending', 'successful', 'released', 'of an unknown status'])(
  'an authorization that the ledger lacks and that is %s stops the POST',
  (status) => {
    expect(ids(recordsNotOurs([listed('a', { status })], [], FIRST))).toEqual(['a']);
  },
);

it('an authorization that the ledger lacks and that failed does not stop the POST', () => {
  expect(recordsNotOurs([listed('a', { status: 'failed' })], [], FIRST)).toEqual([]);
});

it('a listed record that names another order does not stop the POST', () => {
  expect(recordsNotOurs([listed('a', { isOther: true })], [], FIRST)).toEqual([]);
});

it('a listed record that the ledger has does not stop the POST', () => {
  expect(ids(recordsNotOurs([listed('a'), listed('b')], ['a'], FIRST))).toEqual(['b']);
});

const sent = { amount: euros(1999), at: FIRST, takenIds: ['known', 'other'] };
const match = (...list: Listed[]) => matchSent(list, sent).kind;

it('what was sent is absent if the service lists nothing new', () => {
  expect(match()).toBe('absent');
  expect(match(listed('known'), listed('other'))).toBe('absent');
});

it.each([
  ['more than a minute before the send is left to an operator', -CLOCK_SKEW - 1, 'unclear'],
  ['a minute before the send is what was sent', -CLOCK_SKEW, 'found'],
  ['at the time of the send is what was sent', 0, 'found'],
  ['days after the send is what was sent', 5 * 86_400_000, 'found'],
])('a new record that was created %s', (_, offset, kind) => {
  expect(match(listed('new', { createdAt: FIRST + offset }))).toBe(kind);
});

it.each([
  [1998, 'unclear'],
  [1999, 'found'],
  [2000, 'unclear'],
])('for a send of 1999 cents, a new record of %p cents is %s', (cents, kind) => {
  expect(match(listed('new', { amount: euros(cents) }))).toBe(kind);
});

it('a new record of the same amount is what was sent even if it was refused', () => {
  const refused = listed('new', { status: 'failed' });
  expect(matchSent([listed('known'), refused], sent)).toEqual({ kind: 'found', record: refused });
});

it('a new record that was refused and has another amount is ignored', () => {
  expect(match(listed('new', { status: 'failed', amount: euros(1) }))).toBe('absent');
});

it('two new records of the same amount are left to an operator', () => {
  const both = [listed('new'), listed('newer')];
  expect(matchSent(both, sent)).toEqual({ kind: 'unclear', records: both });
});

it('a new record that names another order is ignored', () => {
  expect(match(listed('new', { isOther: true }))).toBe('absent');
});

it('a new record of the same amount next to one of another amount is left to an operator', () => {
  expect(match(listed('new'), listed('strange', { amount: euros(5) }))).toBe('unclear');
});

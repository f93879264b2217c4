import { amountInItems, headlinesOf, ongoingPastDue, PAST_DUE } from '../../src/console/views/today/headline';
import { mondayOf } from './canned-api';
import { item } from './items';
import { euros } from './lives';

type Today = Parameters<typeof headlinesOf>[0];

const none = { count: 0, amount: euros(0) };
const quiet: Today = {
  ...(mondayOf(5)['/v1/reports/today'] as Today),
  needsAttention: none,
  atRisk: none,
  pastDue: none,
  pastDueInAttention: none,
};

const says = (today: Today, items: Parameters<typeof headlinesOf>[1] = []) =>
  headlinesOf(today, items).map((each) => each.says);

const itemsOf = (kinds: readonly string[]) => kinds.map((kind) => item({ kind }));

test('a halt is the first headline, without an amount, because no figure of the report says what is still to be collected', () => {
  const halted = { since: '2030-12-02T07:00:00.000Z', by: 'ada', reason: 'wrong amounts' };
  const [first, ...rest] = says({ ...quiet, halted, pastDue: { count: 7, amount: euros(84_400) } });
  expect(first).toMatch(/^All sending has been halted since [^€]*: no payment is being collected[.]$/);
  expect(rest).toHaveLength(1);
});

test('the headline about what falls due today names the amount of the whole day, not of the rest of the day', () => {
  const today = { ...quiet, dueToday: { count: 2, amount: euros(4_000) }, collectedToday: none };
  expect(says(today)).toEqual([
    'Nothing needs your attention. In all, €40.00 falls due today; €0.00 was collected today.',
  ]);
});

test('the headline about several unknown outcomes says whether payers may have been debited or refunded', () => {
  const saysOf = (...kinds: readonly string[]) => says(quiet, itemsOf(kinds))[0];
  const have = (what: string) => `2 payments have an unknown outcome: the payers may have been ${what}.`;
  expect(saysOf('refund_unresolved', 'refund_unresolved')).toBe(have('refunded'));
  expect(saysOf('unresolved', 'capture_unresolved')).toBe(have('debited'));
  expect(saysOf('refund_unresolved', 'unresolved')).toBe(have('debited or refunded'));
});

test('the headline about an unresolved debit comes before the one about uncollected money', () => {
  const today = { ...quiet, pastDue: { count: 7, amount: euros(84_400) } };
  expect(says(today, [item({ kind: 'unresolved', amount: euros(3_000) })])).toEqual([
    'It is not known whether a payer was debited €30.00.',
    '€844.00 was not collected and will not be tried again: 7 subscriptions are past due.',
  ]);
});

test('the headline about one unknown outcome says what may have been debited or refunded', () => {
  expect(says(quiet, [item({ kind: 'unlisted', amount: null })])).toEqual([
    'It is not known whether a payer was debited.',
  ]);
  expect(says(quiet, [item({ kind: 'refund_unresolved', amount: euros(3_000) })])).toEqual([
    'It is not known whether a payer was refunded €30.00.',
  ]);
});

test('the headline about unknown outcomes links to a list that has all of them', () => {
  const hrefOf = (...kinds: readonly string[]) => headlinesOf(quiet, itemsOf(kinds))[0]?.href;
  expect(hrefOf('unresolved', 'unresolved', 'dead_letter')).toBe('/attention?kind=unresolved');
  expect(hrefOf('unresolved', 'refund_unresolved')).toBe('/attention');
});

test('the headline about money that will not be collected links to the past-due subscriptions', () => {
  const [first] = headlinesOf({ ...quiet, pastDue: { count: 1, amount: euros(4_900) } }, []);
  expect(first).toEqual({
    tone: 'bad',
    says: '€49.00 was not collected and will not be tried again: 1 subscription is past due.',
    href: '/subscriptions?standing=past_due',
  });
});

test('past-due subscriptions that need attention have a separate headline, because the list of past-due subscriptions omits them', () => {
  const pastDue = { count: 3, amount: euros(7_000) };
  const today = { ...quiet, pastDue, pastDueInAttention: { count: 1, amount: euros(2_000) } };
  expect(headlinesOf(today, [])).toMatchObject([
    { says: expect.stringMatching(/^€50.00 was not collected.*2 subscriptions are past due[.]$/), href: PAST_DUE },
    {
      says: expect.stringMatching(/^€20.00 was not collected.*1 subscription needs attention because of it[.]$/),
      href: '/subscriptions?standing=needs_attention',
    },
  ]);
  expect(ongoingPastDue(today)).toEqual({ count: 2, amount: euros(5_000) });
});

test('critical items have a headline for each kind, with a link to the list; routine items have none', () => {
  const debit = { kind: 'debit_unknown', title: 'A debit is unknown to the ledger', amount: euros(999) };
  const items = [item(debit), item({ kind: 'installation', title: 'One cause', amount: null }), item(debit)];
  expect(headlinesOf(quiet, [...items, item({ kind: 'dead_letter' })])).toEqual([
    { tone: 'bad', says: '2 × A debit is unknown to the ledger: €19.98.', href: '/attention?kind=debit_unknown' },
    { tone: 'bad', says: 'One cause.', href: '/attention?kind=installation' },
  ]);
});

test('Today is never quiet while the attention items are not known', () => {
  expect(headlinesOf(quiet, undefined)).toEqual([]);
  const waiting = { ...quiet, needsAttention: { count: 2, amount: euros(0) } };
  expect(headlinesOf(waiting, undefined)).toMatchObject([{ says: '2 items need attention.' }]);
  expect(headlinesOf({ ...quiet, atRisk: { count: 1, amount: euros(999) } }, undefined)).toHaveLength(1);
});

test('Today says that nothing needs attention only if nothing does', () => {
  expect(headlinesOf(quiet, [])).toMatchObject([
    { tone: 'good', says: expect.stringMatching(/^Nothing needs your attention/) },
  ]);
  const waiting = { ...quiet, needsAttention: { count: 2, amount: euros(0) } };
  expect(headlinesOf(waiting, [])).toEqual([{ tone: 'warning', says: '2 items need attention.', href: '/attention' }]);
});

test('the card of attention items says that nothing is open only if there is no item', () => {
  expect(amountInItems(none)).toBe('nothing open');
  expect(amountInItems({ count: 2, amount: euros(0) })).toBe('no money involved');
  expect(amountInItems({ count: 2, amount: euros(4_900) })).toBe('€49.00');
});

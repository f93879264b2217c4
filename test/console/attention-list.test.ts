import { mayBePaid, serviceState, summaryOf } from '../../src/console/views/attention/about';
import { addressOfRow, inOrder, rowsOf, soonestOf, sumOf } from '../../src/console/views/attention/groups';
import { doneText, isAcknowledgeable, isResolvable, offerOf } from '../../src/console/views/attention/offers';
import { item } from './items';
import { at, euros } from './lives';

const notices = (n: number) =>
  Array.from({ length: n }, (_, index) => item({ item: `notice ${index}`, kind: 'notice_undeliverable' }));

test('eight attention items of a kind share a row, seven do not', () => {
  expect(rowsOf(notices(7), undefined)).toHaveLength(7);
  expect(rowsOf(notices(8), undefined)).toMatchObject([{ kind: 'group', of: 'notice_undeliverable' }]);
});

test('an attention list filtered by kind has a row for each item', () => {
  expect(rowsOf(notices(8), 'notice_undeliverable').every(({ kind }) => kind === 'item')).toBe(true);
});

test('a row of several items links to the first page of their kind, and a row of one item to the item in the same page of the list', () => {
  const query = { sort: 'since', cursor: 'page-2' };
  const [group] = rowsOf(notices(8), undefined);
  const [single] = rowsOf(notices(1), undefined);
  expect(addressOfRow(group!, query)).toBe('/attention?sort=since&kind=notice_undeliverable');
  expect(addressOfRow(single!, query)).toBe('/attention/notice%200?sort=since&cursor=page-2');
});

test('an item about money that may have been taken by mistake comes first', () => {
  const rows = rowsOf([...notices(1), item({ item: 'grave', kind: 'contradiction' })], undefined);
  expect(rows.map((row) => (row.kind === 'item' ? row.item.item : row.of))).toEqual(['grave', 'notice 0']);
});

test('a row of several items has the sum of their amounts and their earliest deadline', () => {
  const items = [item({ deadline: null, amount: null }), item({ deadline: at(9) }), item({ deadline: at(8) })];
  expect([sumOf(items), soonestOf(items)]).toEqual([euros(3998), at(8)]);
  expect([sumOf([]), soonestOf([])]).toEqual([null, null]);
});

const post = (path: string, body = {}) => offerOf({ method: 'POST', path, body });

test.each([
  ['/v1/subscriptions/sub_a/consent-check', 'Check consent', 'checkConsent'],
  ['/v1/payments/pay_a/consent-check', 'Check consent', 'checkPayment'],
  ['/v1/subscriptions/sub_a/restart', 'Restart workflow', 'restartSubscription'],
  ['/v1/payments/pay_a/restart', 'Restart workflow', 'restartPayment'],
  ['/v1/subscriptions/sub_a/acknowledge', 'Acknowledge', 'acknowledgeSubscription'],
  ['/v1/subscriptions/sub_a/resume', 'Resume subscription', 'resumeSubscription'],
  ['/v1/webhook-endpoints/end_a/replay', 'Replay failed events', 'replayEvents'],
])('the recommended call POST %s is offered as "%s" to users with permission', (path, label, needs) => {
  expect(post(path)).toMatchObject({ label, needs });
});

test('the text about checking the consent of a one-time payment does not mention the cancellation of a subscription', () => {
  expect(post('/v1/subscriptions/sub_a/consent-check')?.consequences).toContain('the subscription is cancelled');
  expect(post('/v1/payments/pay_a/consent-check')?.consequences).not.toContain('subscription');
});

test.each(['unresolved', 'unlisted', 'pending_past_window'])(
  'an item of kind %s offers to resolve its cycle, as the API does (rules 18, 41)',
  (kind) => expect(isResolvable({ kind })).toBe(true),
);

test('an item about a contradiction does not offer to resolve its cycle', () => {
  expect(isResolvable({ kind: 'contradiction' })).toBe(false);
});

test('a recommended refund names its amount and is marked as irreversible', () => {
  const refund = post('/v1/subscriptions/sub_a/cycles/1/refunds', { amount: euros(1999) });
  expect(refund).toMatchObject({ label: 'Refund €19.99', isGrave: true });
});

test('a recommended refund is offered to users who may refund that cycle or that payment', () => {
  const amount = euros(1999);
  expect(post('/v1/subscriptions/sub_a/cycles/1/refunds', { amount })?.needs).toBe('refundCycle');
  expect(post('/v1/payments/pay_a/refunds', { amount })?.needs).toBe('refundPayment');
});

test.each([
  ['orphaned', 'The item leaves the list once its cause is gone.'],
  ['contradiction', 'Close the item when you have checked the result.'],
  ['debit_after_cancel', 'Acknowledge the item when you have checked the result.'],
])('after the recommended call of an item of kind %s, the console says: %s', (kind, left) => {
  expect(doneText('Refund €19.99', kind)).toBe(`Done: Refund €19.99. ${left}`);
});

test('a recommended change of an endpoint is offered, an unknown call is not', () => {
  const path = '/v1/webhook-endpoints/end_a';
  expect(offerOf({ method: 'PATCH', path, body: { enabled: true } })).toMatchObject({ label: 'Enable endpoint' });
  expect(post('/v1/subscriptions/sub_a/cycles/1/resolve')).toBeNull();
});

test('the next item is the one below in the list, even if several items share a row', () => {
  const items = [item({ item: 'grave', kind: 'contradiction' }), ...notices(8)];
  expect(inOrder(rowsOf(items, undefined)).map((each) => each.item)).toEqual(items.map((each) => each.item));
});

test('an item that stays until it is acknowledged offers to acknowledge it; an item that is resolved does not', () => {
  expect(isAcknowledgeable({ kind: 'capture_failed' })).toBe(true);
  expect(isAcknowledgeable({ kind: 'unlisted' })).toBe(false);
});

test('an item about a debit that the ledger lacks warns before a retry of its cycle; an item about a late step does not', () => {
  const unknown = item({ kind: 'debit_unknown', title: 'A debit is unknown', cycle: 0, amount: euros(999) });
  expect(mayBePaid([item({ kind: 'overdue', cycle: 0 }), unknown], 0)).toBe(unknown);
  expect(mayBePaid([unknown], 1)).toBeUndefined();
  expect(mayBePaid([{ ...unknown, cycle: null }], 1)).toBeDefined();
});

test('the summary of an open item has its amount and cycle, if it has them', () => {
  const title = 'A debit is unknown';
  expect(summaryOf({ title, amount: euros(999), cycle: 0 })).toBe('A debit is unknown: €9.99, cycle 0');
  expect(summaryOf({ title, amount: null, cycle: null })).toBe(title);
});

test('the evidence of a record that has disappeared from the service’s lists says that the service no longer lists it', () => {
  expect(serviceState('unlisted', 'pending')).toBe('no longer listed (last seen: pending)');
  expect(serviceState('pending_past_window', 'pending')).toBe('pending');
});

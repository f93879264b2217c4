import { outdatedBy } from '../../src/console/changes';

const OF_NONE = outdatedBy({});

test('a change without a subject outdates the general lists, and no page of a single record', () => {
  expect(OF_NONE).toEqual(expect.arrayContaining(['attention', 'audit', 'webhook-endpoints', 'approvals', 'keys']));
  expect(OF_NONE.filter((each) => /^(subscription|payment)/.test(each))).toEqual([]);
});

test.each([
  [{ subscriptionId: 'sub_a' }, ['subscription/sub_a', 'subscriptions']],
  [{ paymentId: 'pay_a' }, ['payment/pay_a', 'payments']],
])('a change with the subject %j also outdates its own page and list', (change, own) => {
  expect(outdatedBy(change)).toEqual([...own, ...OF_NONE]);
});

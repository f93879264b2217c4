import { outdatedBy } from '../../src/console/changes';

const OF_NONE = outdatedBy({});

test('what has no subject outdates what shows a halt, keys, endpoints, approvals and the trail, and no one thing', () => {
  expect(OF_NONE).toEqual(expect.arrayContaining(['attention', 'audit', 'webhook-endpoints', 'approvals', 'keys']));
  expect(OF_NONE.filter((each) => /^(subscription|payment)/.test(each))).toEqual([]);
});

test.each([
  [{ subscriptionId: 'sub_a' }, ['subscription/sub_a', 'subscriptions']],
  [{ paymentId: 'pay_a' }, ['payment/pay_a', 'payments']],
])('%j outdates its own page and list besides', (change, own) => {
  expect(outdatedBy(change)).toEqual([...own, ...OF_NONE]);
});

import { adviceOf } from '../../src/console/views/attention/advice';

type Item = Parameters<typeof adviceOf>[0];

const since = '2027-01-31T12:00:00.000Z';

function item(advice: string | undefined, ids: Partial<Item>): Item {
  return {
    item: 'att_a',
    kind: 'dead_letter',
    subscriptionId: null,
    paymentId: null,
    cycle: null,
    status: null,
    matters: [{ kind: 'dead_letter', since, ...(advice === undefined ? {} : { advice }) }],
    amount: null,
    since,
    deadline: null,
    ledger: null,
    service: null,
    assignee: null,
    note: null,
    ...ids,
  };
}

test('the calls that an advice names are those of the item', () => {
  const advice = 'Replay: POST /v1/webhook-endpoints/{endpointId}/replay. Close it: POST /v1/attention/{item}/close.';
  expect(adviceOf(item(advice, { endpointId: 'whe_a' }))).toBe(
    'Replay: POST /v1/webhook-endpoints/whe_a/replay. Close it: POST /v1/attention/att_a/close.',
  );
});

test('an id is one segment of the path, and what the item has no id for stays as it is', () => {
  const advice = 'POST /v1/payments/{paymentId}/restart, POST /v1/refunds/{orderId}/resolve';
  expect(adviceOf(item(advice, { paymentId: 'a/b' }))).toBe(
    'POST /v1/payments/a%2Fb/restart, POST /v1/refunds/{orderId}/resolve',
  );
});

test('where the kind alone says it all there is none', () => {
  expect(adviceOf(item(undefined, {}))).toBeUndefined();
});

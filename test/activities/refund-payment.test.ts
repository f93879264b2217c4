import { euros } from '../../src/domain/money';
import { SECOND } from '../../src/domain/time';
import type { PaymentService, RefundOrder } from '../../src/payment-service';
import { Crash } from './activity-driver';
import { AMOUNT, SETTLE, useWorld, type World } from './activity-world';
import { hookedPool, INSERTS_ORDER_SEND, RECORDS_ORDER_OUTCOME } from './crash-points';
import { latePost } from './late-post';
import { listing, listsEach, listsNothing } from './listing';
import { resolveAsFailed, waitingFor } from './payment-world';
import {
  createCollected,
  givenBack,
  placeRefund,
  refund,
  refundOnce,
  refundPosts,
  refundSends,
  refundEntries,
} from './refund-world';

const POST = { method: 'POST', path: '/refunds$' } as const;
const LIST = { method: 'GET', path: '/refunds$' } as const;

const holder = useWorld();

async function begin(wallet?: string) {
  const { world } = holder;
  const subscribed = await createCollected(world, wallet);
  return { world, subscribed, input: await placeRefund(world, subscribed) };
}

const typesOf = (stops: readonly { type: string }[]) => [...new Set(stops.map(({ type }) => type))];

it('a refund that succeeds shows its steps, names its capture, and returns the service’s id and time', async () => {
  const { world, input } = await begin();
  const { result, stops, steps } = await refund(world, input);
  const [made, ...more] = givenBack(world, input);
  expect(more).toEqual([]);
  expect(made).toMatchObject({ captureId: input.captureId, amount: 500, result: 'successful' });
  expect(result).toEqual({ kind: 'successful', serviceRefundId: made?.refundId, at: input.orderedAt });
  expect([...new Set(steps)]).toEqual(['pre-send check', 'refund']);
  expect(typesOf(stops)).toEqual(['pending']);
  expect(await refundEntries(world, input)).toEqual([
    'refund.requested',
    'refund.sending',
    'refund.pending',
    'refund.successful',
  ]);
});

it('a refund that succeeds returns the same result again without a call to the service', async () => {
  const { world, input } = await begin();
  const { result } = await refund(world, input);
  const asked = world.requests.length;
  expect((await refund(world, input)).result).toEqual(result);
  expect(world.requests).toHaveLength(asked);
});

it('a refund that succeeds may return everything that was captured, in parts', async () => {
  const { world, subscribed, input } = await begin();
  await refund(world, input);
  expect((await refund(world, await placeRefund(world, subscribed, 1499))).result.kind).toBe('successful');
  expect(world.debits(subscribed)).toMatchObject([{ refunded: AMOUNT.value }]);
  expect(world.sandbox.refusals()).toEqual([]);
});

it('a refund that succeeds is made although the payment’s consent has ended', async () => {
  const { world, subscribed, input } = await begin();
  await world.deps.service.cancelConsent(subscribed.paymentId);
  await world.patch(subscribed, { status: 'cancelled', stoppedBy: 'cancel' });
  expect((await refund(world, input)).result.kind).toBe('successful');
});

it('a refund that the bank could not book fails, and its amount is available again', async () => {
  const { world, subscribed, input } = await begin('refund-fails');
  const { result } = await refund(world, input);
  expect(result).toMatchObject({ kind: 'failed', detail: 'INTERNAL_ERROR' });
  expect(await refundEntries(world, input)).toContain('refund.failed');
  expect(refundPosts(world, input)).toBe(1);
  await expect(placeRefund(world, subscribed, AMOUNT.value)).resolves.toMatchObject({ amount: AMOUNT });
});

it('a refund that the service has answered as successful does not fail if a later list says so, because another refund could then be ordered (rule 37)', async () => {
  const { world, subscribed, input } = await begin();
  const answered: PaymentService['refund'] = async (...call) => {
    const answer = await world.deps.service.refund(...call);
    return answer.kind === 'accepted' ? { ...answer, value: { ...answer.value, status: 'successful' } } : answer;
  };
  const listRefunds: PaymentService['listRefunds'] = async (paymentId) =>
    listsEach({ status: 'failed' })(await world.deps.service.listRefunds(paymentId));
  const service = world.service({ refund: answered, listRefunds });
  expect((await refund(world, input, { service })).result.kind).toBe('successful');
  await expect(placeRefund(world, subscribed, AMOUNT.value)).rejects.toThrow('not ordered');
});

it('a refund that the service refuses fails without another send, for example if the money was refunded elsewhere', async () => {
  const { world, subscribed } = await begin();
  await world.deps.service.refund(subscribed.paymentId, { amount: AMOUNT });
  world.clock.pass(120 * SECOND);
  const input = await placeRefund(world, subscribed, 1);
  const { result } = await refund(world, input);
  expect(result).toMatchObject({ kind: 'failed', detail: 'REFUND_EXCEEDS_CAPTURE' });
  expect((await refund(world, input)).result).toEqual(result);
  expect(await refundSends(world, input)).toMatchObject([{ state: 'failed', detail: 'REFUND_EXCEEDS_CAPTURE' }]);
  expect(refundPosts(world, input)).toBe(2);
});

it.each([
  [{ kind: 'lost_answer' }],
  [{ kind: 'error_after_commit', status: 500 }],
  [{ kind: 'error_after_commit', status: 502, html: true }],
  [{ kind: 'error_after_commit', status: 409, html: true }],
  [{ kind: 'malformed', variant: 'truncated' }],
  [{ kind: 'malformed', variant: 'wrong_types' }],
] as const)('a refund whose answer was lost is found by GET: %j', async (fault) => {
  const { world, input } = await begin();
  world.sandbox.faults.add({ ...fault, match: POST });
  const { result, steps } = await refund(world, input);
  const [made, ...more] = givenBack(world, input);
  expect(result).toMatchObject({ kind: 'successful', serviceRefundId: made?.refundId });
  expect(more).toEqual([]);
  expect(refundPosts(world, input)).toBe(1);
  expect(steps).toContain('settling');
  expect(await refundEntries(world, input)).toEqual(
    expect.arrayContaining(['refund.unknown', 'refund.pending', 'refund.successful']),
  );
});

it('a refund whose answer was lost is found by GET, and not by the id of an earlier refund of the same amount', async () => {
  const { world, subscribed, input } = await begin();
  await refund(world, input);
  const second = await placeRefund(world, subscribed);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { result } = await refund(world, second);
  const [, made, ...more] = givenBack(world, input);
  expect(result).toMatchObject({ kind: 'successful', serviceRefundId: made?.refundId });
  expect(more).toEqual([]);
});

it('a refund whose answer was lost is found by GET, also if it failed', async () => {
  const { world, input } = await begin('refund-fails');
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  expect((await refund(world, input)).result).toMatchObject({ kind: 'failed' });
  expect(refundPosts(world, input)).toBe(1);
});

it.each([
  ['by a closed connection', { kind: 'swallowed' }],
  ['by a 503 without a Failure', { kind: 'error_before_commit', status: 503, html: true }],
  ['by a 500 that says INTERNAL_ERROR', { kind: 'error_before_commit', status: 500 }],
] as const)('a swallowed refund is sent once more after the settle time and two checks: %s', async (_name, fault) => {
  const { world, input } = await begin();
  world.sandbox.faults.add({ ...fault, match: POST });
  const onStop = ({ type }: { type: string }) => {
    if (type === 'outcome_unknown') expect(refundPosts(world, input)).toBe(1);
  };
  const { result, stops } = await refund(world, input, {}, { onStop });
  expect(result.kind).toBe('successful');
  expect(givenBack(world, input)).toHaveLength(1);
  const [first, second] = await refundSends(world, input);
  expect(first).toMatchObject({ send: 0, state: 'not_sent', absentChecks: 2 });
  expect(second).toMatchObject({ send: 1, state: 'successful' });
  expect(second!.sendingRealAt - first!.sendingRealAt).toBeGreaterThan(SETTLE);
  const waits = stops.filter(({ type }) => type === 'outcome_unknown').map(({ wait }) => wait);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60 * SECOND);
});

it('a refund that was swallowed and arrives after the first GET that lists nothing is found, and not made again', async () => {
  const { world, input } = await begin();
  const post = latePost((paymentId, order: RefundOrder) => world.deps.service.refund(paymentId, order));
  const looks: number[] = [];
  const onStop = async ({ type }: { type: string }) => {
    if (type !== 'outcome_unknown') return;
    looks.push(givenBack(world, input).length);
    await post.arrive();
  };
  const { result } = await refund(world, input, { service: world.service({ refund: post.make }) }, { onStop });
  expect(looks).toEqual([0]);
  expect(result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
});

it('a refund that was swallowed is neither sent again nor given up while the list cannot be read; an operator is notified once', async () => {
  const { world, input } = await begin();
  const failing: PaymentService['refund'] = async (...call) => {
    const answer = await world.deps.service.refund(...call);
    world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, times: 60, match: LIST });
    return answer;
  };
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { result, stops } = await refund(world, input, { service: world.service({ refund: failing }) });
  expect(result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
  expect(stops.filter(({ message }) => message.startsWith('the service cannot be asked'))).toHaveLength(60);
  expect((await refundEntries(world, input)).filter((type) => type === 'refunds.unreadable')).toHaveLength(1);
});

it('a refund that is pending for a long time is polled at least every minute and never sent again', async () => {
  const { world, input } = await begin('slow-7200');
  const { result, stops } = await refund(world, input);
  expect(result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
  expect(typesOf(stops)).toEqual(['pending']);
  expect(Math.max(...stops.map(({ wait }) => wait))).toBe(60 * SECOND);
});

it('a refund that is pending remains pending while the list does not show the refund', async () => {
  const { world, input } = await begin();
  let hidden = 2;
  const listRefunds: PaymentService['listRefunds'] = async (paymentId) => {
    const listed = await world.deps.service.listRefunds(paymentId);
    const isSent = (await refundSends(world, input)).length > 0;
    if (!isSent || hidden === 0 || listed.kind !== 'accepted') return listed;
    hidden -= 1;
    return { kind: 'accepted', value: [] };
  };
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 90, match: LIST });
  const { result, stops } = await refund(world, input, { service: world.service({ listRefunds }) });
  expect(result.kind).toBe('successful');
  expect(stops[0]).toMatchObject({ type: 'service_unreadable', wait: 90_000 });
  expect(stops.filter(({ message }) => message.endsWith('does not list it'))).toHaveLength(2);
  expect(refundPosts(world, input)).toBe(1);
});

it.each([
  ['429 with Retry-After', { kind: 'rate_limit', retryAfter: 120 }, 120_000],
  ['403', { kind: 'forbidden' }, 500],
  ['401, twice', { kind: 'unauthorized', times: 2 }, 500],
] as const)('a refund that was not sent waits, alerts once and succeeds: %s', async (_name, fault, wait) => {
  const { world, input } = await begin();
  world.sandbox.faults.add({ ...fault, match: POST });
  const { result, stops } = await refund(world, input);
  expect(result.kind).toBe('successful');
  expect(stops[0]).toMatchObject({ type: 'not_sent', wait });
  expect(await refundSends(world, input)).toMatchObject([{ state: 'not_sent' }, { state: 'successful' }]);
  expect((await refundEntries(world, input)).filter((type) => type === 'refund.cannot_be_sent')).toHaveLength(1);
  expect(givenBack(world, input)).toHaveLength(1);
});

it('the pre-send check of a refund stops at a listed refund that the ledger lacks, alerts once, and passes once the listed refund has failed', async () => {
  const { world, subscribed, input } = await begin('refund-fails');
  await world.deps.service.refund(subscribed.paymentId, { amount: euros(300) });
  const stopped = await refundOnce(world, input);
  expect(stopped).toMatchObject({ type: 'outcome_unknown', message: expect.stringContaining('the ledger lacks') });
  await refundOnce(world, input);
  expect(refundPosts(world, input)).toBe(1);
  expect(await refundSends(world, input)).toEqual([]);
  expect(await refundEntries(world, input)).toEqual(['refund.requested', 'refund.stopped']);
  expect(await waitingFor(world, input.refundId)).toMatchObject([{ kind: 'refund_unresolved' }]);
  world.clock.pass(10 * SECOND);
  await refund(world, input);
  expect(refundPosts(world, input)).toBe(2);
  expect(await waitingFor(world, input.refundId)).toEqual([]);
});

it('the pre-send check of a refund sends nothing if an operator has resolved this refund meanwhile', async () => {
  const { world, subscribed, input } = await begin();
  await world.deps.service.refund(subscribed.paymentId, { amount: euros(300) });
  await refundOnce(world, input);
  expect(await resolveAsFailed(world, input.refundId)).toEqual({ kind: 'resolved' });
  const { result } = await refund(world, input);
  expect(result).toMatchObject({ kind: 'failed', detail: 'RESOLVED_AS_FAILED' });
  expect(refundPosts(world, input)).toBe(1);
});

it('the pre-send check of a refund permits no POST if the list is unreadable', async () => {
  const { world, input } = await begin();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, times: 3, match: LIST });
  const { result, stops } = await refund(world, input);
  expect(result.kind).toBe('successful');
  expect(stops.slice(0, 3).map(({ type }) => type)).toEqual(Array(3).fill('service_unreadable'));
  expect((await refundEntries(world, input)).filter((type) => type === 'refunds.unreadable')).toHaveLength(1);
});

it('the pre-send check of a refund waits while another refund of the payment has an unknown outcome, and does not report the other refund as one that the ledger lacks', async () => {
  const { world, subscribed, input } = await begin();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const other = await placeRefund(world, subscribed);
  expect(await refundOnce(world, other, listing(world, { refunds: listsNothing }))).toMatchObject({
    type: 'outcome_unknown',
  });
  expect(await refundOnce(world, input)).toMatchObject({ type: 'blocked' });
  expect(await refundEntries(world, input)).not.toContain('refund.stopped');
  expect((await refund(world, other)).result.kind).toBe('successful');
  expect((await refund(world, input)).result.kind).toBe('successful');
  expect(givenBack(world, input)).toHaveLength(2);
});

it('a sent refund to which several new records fit is unresolved and polled, and takes the record once only one is listed', async () => {
  const { world, input } = await begin();
  let double = true;
  const service = world.service({
    refund: async (...call) => {
      await world.deps.service.refund(...call);
      return { kind: 'unknown', reason: 'no complete answer' };
    },
    listRefunds: async (paymentId) => {
      const listed = await world.deps.service.listRefunds(paymentId);
      if (listed.kind !== 'accepted' || !double) return listed;
      const copies = listed.value.map((each) => ({ ...each, refundId: `${each.refundId}-copy` }));
      return { kind: 'accepted', value: [...listed.value, ...copies] };
    },
  });
  const asked = [await refundOnce(world, input, { service }), await refundOnce(world, input, { service })];
  expect(asked).toMatchObject([{ type: 'outcome_unknown' }, { type: 'outcome_unknown' }]);
  expect(await refundSends(world, input)).toMatchObject([{ state: 'unresolved' }]);
  expect((await refundEntries(world, input)).filter((type) => type === 'refund.unresolved')).toHaveLength(1);
  double = false;
  expect((await refund(world, input, { service })).result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
});

const dies = () => {
  throw new Crash('killed');
};

it('after a worker was killed before the row of its send was committed, the refund is sent by the next run', async () => {
  const { world, input } = await begin();
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit$/, before: dies }, INSERTS_ORDER_SEND);
  const { result } = await refund(world, input, { ledger });
  expect(result.kind).toBe('successful');
  expect(await refundSends(world, input)).toHaveLength(1);
  expect(refundPosts(world, input)).toBe(1);
});

it('after a worker was killed between the row of its send and the POST, the send is settled and one new refund is sent', async () => {
  const { world, input } = await begin();
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit$/, after: dies }, INSERTS_ORDER_SEND);
  const { result } = await refund(world, input, { ledger });
  expect(result.kind).toBe('successful');
  expect(await refundSends(world, input)).toMatchObject([{ state: 'not_sent' }, { state: 'successful' }]);
  expect(refundPosts(world, input)).toBe(1);
});

it('after a worker was killed between the POST and writing its outcome, no second refund is sent', async () => {
  const { world, input } = await begin();
  const ledger = hookedPool(world.deps.ledger, { matches: RECORDS_ORDER_OUTCOME, before: dies });
  const { result } = await refund(world, input, { ledger });
  expect(result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
  expect(givenBack(world, input)).toHaveLength(1);
});

it('after a worker was killed once the outcome was written, the next run returns the outcome of the ledger', async () => {
  const { world, input } = await begin();
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit$/, after: dies }, RECORDS_ORDER_OUTCOME);
  const { result } = await refund(world, input, { ledger });
  expect(result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
});

const frozenFor = async (world: World, matches: RegExp, seconds: number) => {
  const input = await placeRefund(world, await createCollected(world));
  const hook = { matches, after: () => world.clock.pass(seconds * SECOND) };
  const ledger = hookedPool(world.deps.ledger, hook, INSERTS_ORDER_SEND);
  await refundOnce(world, input, { ledger });
  return refundPosts(world, input);
};

it('a process that is frozen for ten seconds after the commit of its row does not send the refund', async () => {
  expect(await frozenFor(holder.world, /^commit$/, 10)).toBe(0);
});

it('a process that is frozen for nine seconds after the commit of its row sends the refund', async () => {
  expect(await frozenFor(holder.world, /^commit$/, 9)).toBe(1);
});

it('two concurrent workers make one refund', async () => {
  const { world, input } = await begin();
  const both = await Promise.all([refund(world, input), refund(world, input)]);
  expect(both.map(({ result }) => result.kind)).toEqual(['successful', 'successful']);
  expect(givenBack(world, input)).toHaveLength(1);
  expect(refundPosts(world, input)).toBe(1);
});

it('a refund that was never ordered is not made', async () => {
  const { world, input } = await begin();
  const other = { ...input, refundId: 'ref_none' as typeof input.refundId };
  await expect(refundOnce(world, other)).rejects.toMatchObject({
    type: 'not_ordered',
    message: `the ledger has no order for refund ${other.refundId}`,
    nonRetryable: true,
  });
  expect(refundPosts(world, input)).toBe(0);
});

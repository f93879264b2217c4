import { DAY, HOUR, SECOND, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { orderCapture, orderRelease, readPaymentRevision } from '../../src/ledger';
import type { OrderId } from '../../src/domain/ids';
import type { PaymentService } from '../../src/payment-service';
import { SETTLE, useWorld, type World } from './activity-world';
import { Crash } from './activity-driver';
import { hookedPool, INSERTS_ORDER_SEND, RECORDS_ORDER_OUTCOME } from './crash-points';
import { listing, listsEach, listsNothing, NO_ANSWER } from './listing';
import {
  createAuthorized,
  capture,
  capturePosts,
  decide,
  follow,
  onRecord,
  orderedCapture,
  orderSends,
  paymentActivities,
  release,
  resolveAsFailed,
  stepOf,
  noticesOf,
  auditEntriesOf,
  TRANSIT,
  waitingFor,
} from './payment-world';

const POST = { method: 'POST', path: '/captures$' } as const;
const LIST = { method: 'GET', path: '/captures' } as const;

const holder = useWorld();

const typesOf = (stops: readonly { type: string }[]) => [...new Set(stops.map(({ type }) => type))];

it('captures of 30, 30 and a final 20 of 100.00 EUR close the payment, and nothing more is captured', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  for (const [cents, final, status] of [
    [3_000, false, 'partly_captured'],
    [3_000, false, 'partly_captured'],
    [2_000, true, 'captured'],
  ] as const) {
    const { result } = await capture(world, await orderedCapture(world, reference, cents, final));
    expect(result).toEqual({ kind: 'successful', status });
  }
  const { captures } = await onRecord(world, reference.paymentId);
  expect(captures.map(({ amount, state, captureId }) => [amount.value, state, typeof captureId])).toEqual([
    [3_000, 'successful', 'string'],
    [3_000, 'successful', 'string'],
    [2_000, 'successful', 'string'],
  ]);
  expect(world.debits(reference).map(({ amount }) => amount.value)).toEqual([3_000, 3_000, 2_000]);
  expect(world.sandbox.refusals()).toEqual([]);
  await expect(orderedCapture(world, reference, 1)).rejects.toThrow('closed');
});

it('captures close the payment once its amount is captured to the cent', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 9_999));
  await expect(orderedCapture(world, reference, 2)).rejects.toThrow('exceeds_authorized');
  const { result } = await capture(world, await orderedCapture(world, reference, 1));
  expect(result.status).toBe('captured');
});

it('captures are followed for the two hours of a booking without blocking later ones (rule 18)', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world, {}, 'slow-7200');
  const slow = await orderedCapture(world, reference, 3_000);
  const later = await orderedCapture(world, reference, 2_000);
  expect(await world.driver.once(() => paymentActivities(world).capturePayment(slow))).toMatchObject({
    type: 'pending',
  });
  expect(await world.driver.once(() => paymentActivities(world).capturePayment(later))).toMatchObject({
    type: 'pending',
  });
  expect(capturePosts(world)).toBe(2);
  for (const order of [slow, later]) expect((await capture(world, order)).result.kind).toBe('successful');
  expect(capturePosts(world)).toBe(2);
  expect(world.debits(reference).map(({ amount }) => amount.value)).toEqual([3_000, 2_000]);
});

it('captures write each step to the audit log', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  expect((await auditEntriesOf(world, reference)).slice(-4)).toEqual([
    'capture.requested',
    'capture.sending',
    'capture.pending',
    'capture.successful',
  ]);
});

it('captures fail if the bank cannot book them, and the amount is available again', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world, {}, 'capture-fails');
  const { result } = await capture(world, await orderedCapture(world, reference, 10_000));
  expect(result).toEqual({ kind: 'failed', status: 'authorized' });
  expect((await orderedCapture(world, reference, 10_000)).amount).toEqual(euros(10_000));
});

it('captures that run again after their end return the same result without a call to the service', async () => {
  const { world } = holder;
  const input = await orderedCapture(world, await createAuthorized(world), 3_000);
  const { result } = await capture(world, input);
  const asked = world.requests.length;
  expect((await capture(world, input)).result).toEqual(result);
  expect(world.requests).toHaveLength(asked);
});

it.each(['lost_answer', 'error_after_commit'] as const)(
  'a capture with an unknown outcome is found and sent once: %s',
  async (kind) => {
    const { world } = holder;
    const reference = await createAuthorized(world);
    const input = await orderedCapture(world, reference, 3_000);
    world.sandbox.faults.add(kind === 'lost_answer' ? { kind, match: POST } : { kind, status: 502, match: POST });
    const { result } = await capture(world, input);
    expect(result.kind).toBe('successful');
    expect(capturePosts(world)).toBe(1);
    expect(world.debits(reference)).toHaveLength(1);
    expect((await orderSends(world, input.orderId)).map(({ state }) => state)).toEqual(['successful']);
  },
);

it('a capture with an unknown outcome is settled as absent after the settle time and sent again if the request was swallowed', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  const began = world.clock.realNow();
  const { result } = await capture(world, input);
  expect(result.kind).toBe('successful');
  expect(world.clock.realNow() - began).toBeGreaterThan(SETTLE);
  expect((await orderSends(world, input.orderId)).map(({ state }) => state)).toEqual(['not_sent', 'successful']);
  expect(world.debits(reference)).toHaveLength(1);
});

it('a capture with an unknown outcome blocks every other order of the payment, which waits at growing intervals until it is settled', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const first = await orderedCapture(world, reference, 3_000);
  const second = await orderedCapture(world, reference, 2_000);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const unlisted = listing(world, { captures: listsNothing });
  await world.driver.once(() => paymentActivities(world, unlisted).capturePayment(first));
  expect(await orderSends(world, first.orderId)).toMatchObject([{ state: 'unknown' }]);
  const waits: number[] = [];
  const onStop = async ({ type, wait }: { type: string; wait: number }) => {
    if (type === 'blocked') waits.push(wait);
    if (waits.length < 8) expect([type, capturePosts(world)]).toEqual(['blocked', 1]);
    else if (capturePosts(world) === 1) expect((await capture(world, first)).result.kind).toBe('successful');
  };
  expect((await capture(world, second, {}, { onStop })).result.kind).toBe('successful');
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(waits.at(-1)).toBeGreaterThan(waits[0]!);
  expect(capturePosts(world)).toBe(2);
  expect(world.debits(reference).map(({ amount }) => amount.value)).toEqual([3_000, 2_000]);
});

it.each([
  ['before it writes the row of the send', INSERTS_ORDER_SEND, 'before'],
  ['after it has written the row of the send', INSERTS_ORDER_SEND, 'after'],
  ['before it writes the outcome', RECORDS_ORDER_OUTCOME, 'before'],
  ['after it has written the outcome', RECORDS_ORDER_OUTCOME, 'after'],
] as const)('a capture is one debit if its worker is killed %s', async (_name, matches, when) => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  const die = () => {
    throw new Crash('kill -9');
  };
  const ledger = hookedPool(world.deps.ledger, { matches, [when]: die });
  const { result, stops } = await capture(world, input, { ledger });
  expect(typesOf(stops)).toContain('crash');
  expect(result.kind).toBe('successful');
  expect(world.debits(reference)).toHaveLength(1);
});

it('a capture with an unknown outcome is one debit if the worker is killed after the POST, though another capture has the same amount', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  let alive = true;
  const dying: PaymentService['capture'] = async (...call) => {
    const answer = await world.deps.service.capture(...call);
    if (!alive) return answer;
    alive = false;
    throw new Crash('kill -9 after the POST');
  };
  const input = await orderedCapture(world, reference, 3_000);
  const { result } = await capture(world, input, { service: world.service({ capture: dying }) });
  expect(result.kind).toBe('successful');
  expect(world.debits(reference).map(({ amount }) => amount.value)).toEqual([3_000, 3_000]);
  expect(capturePosts(world)).toBe(2);
});

it('a capture with an unknown outcome is handed to an operator if the service lists records that fit nothing', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  const twice: PaymentService['capture'] = async (...call) => {
    await world.deps.service.capture(...call);
    await world.deps.service.capture(...call);
    return { kind: 'unknown', reason: 'connection reset' };
  };
  const activities = paymentActivities(world, { service: world.service({ capture: twice }) });
  const stop = await world.driver.once(() => activities.capturePayment(input));
  expect(stop).toMatchObject({ type: 'outcome_unknown', message: expect.stringContaining('do not fit') });
  expect((await orderSends(world, input.orderId)).at(-1)).toMatchObject({ state: 'unresolved' });
});

it('a capture with an unknown outcome is polled while the list cannot be read', async () => {
  const { world } = holder;
  const input = await orderedCapture(world, await createAuthorized(world), 3_000);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const listsGone: PaymentService['capture'] = (...call) => {
    world.sandbox.faults.add({ kind: 'error_before_commit', match: LIST, times: 3 });
    return world.deps.service.capture(...call);
  };
  const { result, stops } = await capture(world, input, { service: world.service({ capture: listsGone }) });
  expect(typesOf(stops)).toContain('outcome_unknown');
  expect(result.kind).toBe('successful');
  expect(capturePosts(world)).toBe(1);
});

async function orderTwoCaptures(world: World) {
  const reference = await createAuthorized(world);
  const earlier = await orderedCapture(world, reference, 3_000);
  return { reference, earlier, final: await orderedCapture(world, reference, 2_000, true) };
}

const unreachable = (world: World) => ({
  service: world.service({ capture: async () => ({ kind: 'not_sent', reason: 'no route' }) }),
});

async function expectBothOnce(world: World, { reference, earlier }: Awaited<ReturnType<typeof orderTwoCaptures>>) {
  const { captures } = await onRecord(world, reference.paymentId);
  expect(captures.map(({ state }) => state)).toEqual(['successful', 'successful']);
  expect((await capture(world, earlier)).result).toEqual({ kind: 'successful', status: 'captured' });
  expect(world.debits(reference).map(({ amount }) => amount.value)).toEqual([3_000, 2_000]);
  expect(capturePosts(world)).toBe(2);
  expect(world.sandbox.refusals()).toEqual([]);
}

it('a final capture after an earlier one that is not sent yet waits until the earlier one is sent', async () => {
  const { world } = holder;
  const both = await orderTwoCaptures(world);
  expect(await world.driver.once(() => paymentActivities(world).capturePayment(both.final))).toMatchObject({
    type: 'blocked',
  });
  expect(capturePosts(world)).toBe(0);
  await capture(world, both.earlier);
  await capture(world, both.final);
  await expectBothOnce(world, both);
});

it('a final capture after an earlier one that is not sent yet is not sent while the earlier one cannot be sent', async () => {
  const { world } = holder;
  const both = await orderTwoCaptures(world);
  const activities = paymentActivities(world, unreachable(world));
  expect(await world.driver.once(() => activities.capturePayment(both.earlier))).toMatchObject({ type: 'not_sent' });
  expect(await world.driver.once(() => activities.capturePayment(both.final))).toMatchObject({ type: 'blocked' });
  expect(await orderSends(world, both.final.orderId)).toEqual([]);
  await capture(world, both.earlier);
  await capture(world, both.final);
  await expectBothOnce(world, both);
});

it('a final capture is sent while an earlier capture is pending', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world, {}, 'slow-7200');
  const earlier = await orderedCapture(world, reference, 3_000);
  const final = await orderedCapture(world, reference, 2_000, true);
  expect(await world.driver.once(() => paymentActivities(world).capturePayment(earlier))).toMatchObject({
    type: 'pending',
  });
  expect((await capture(world, final)).result).toEqual({ kind: 'successful', status: 'captured' });
  await capture(world, earlier);
  await expectBothOnce(world, { reference, earlier, final });
});

it('a final capture waits while another worker is sending an earlier capture, which is sent only once', async () => {
  const { world } = holder;
  const both = await orderTwoCaptures(world);
  const meeting: PaymentService['capture'] = async (...call) => {
    const stop = await world.driver.once(() => paymentActivities(world).capturePayment(both.final));
    expect(stop).toMatchObject({ type: 'blocked' });
    return world.deps.service.capture(...call);
  };
  await capture(world, both.earlier, { service: world.service({ capture: meeting }) });
  await capture(world, both.final);
  await expectBothOnce(world, both);
});

it.each(['ordered', 'not_sent'] as const)(
  'a final capture after an earlier one that is not sent yet fails after the deadline, as the earlier one does, if the earlier one is %s: neither waits for the other',
  async (state) => {
    const { world } = holder;
    const { reference, earlier, final } = await orderTwoCaptures(world);
    const refused = paymentActivities(world, unreachable(world));
    if (state === 'not_sent') await world.driver.once(() => refused.capturePayment(earlier));
    world.clock.passUntil(final.captureBy);
    for (const each of [final, earlier]) {
      const { result, stops } = await capture(world, each);
      expect([result, stops]).toEqual([{ kind: 'failed', status: 'authorized' }, []]);
    }
    const { captures } = await onRecord(world, reference.paymentId);
    const late = { state: 'failed', detail: 'CAPTURE_PERIOD_ENDED' };
    expect(captures).toMatchObject([late, late]);
    expect(capturePosts(world)).toBe(0);
  },
);

it('the capture deadline permits a capture ten seconds before the transit margin', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.clock.passUntil(input.captureBy - TRANSIT - 10 * SECOND);
  expect((await capture(world, input)).result.kind).toBe('successful');
});

it('the capture deadline permits nothing at the transit margin: the order fails, and its amount is available again', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.clock.passUntil(input.captureBy - TRANSIT);
  expect((await capture(world, input)).result).toEqual({ kind: 'failed', status: 'authorized' });
  expect(capturePosts(world)).toBe(0);
  expect((await orderSends(world, input.orderId)).at(-1)).toMatchObject({
    detail: 'CAPTURE_PERIOD_ENDED',
    description: `it had to arrive before ${toIso(input.captureBy)}`,
  });
  await expect(orderedCapture(world, reference, 1)).rejects.toThrow('deadline');
});

it('the capture deadline permits no POST if it passes while a worker is frozen between writing the row and sending', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.clock.passUntil(input.captureBy - TRANSIT - SECOND);
  const late: PaymentService['capture'] = (...call) => {
    world.clock.pass(SECOND);
    return world.deps.service.capture(...call);
  };
  const { result } = await capture(world, input, { service: world.service({ capture: late }) });
  expect(result.kind).toBe('failed');
  expect(capturePosts(world)).toBe(0);
});

it('the capture deadline is announced once, 24 h before, if money is left', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { captureBy } = await onRecord(world, reference.paymentId);
  world.clock.passUntil(captureBy! - DAY - 1);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: captureBy! - DAY });
  world.clock.pass(1);
  const announced = await decide(world, reference);
  expect(announced).toMatchObject({ kind: 'wait', until: captureBy });
  expect(await noticesOf(world, reference)).toEqual(['capture.deadline_near']);
  expect(await decide(world, reference)).toEqual(announced);
  expect((await auditEntriesOf(world, reference)).filter((type) => type === 'payment.deadline_near')).toHaveLength(1);
});

it('the capture deadline is not announced while captures take the whole amount, but is announced once one of them has failed', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world, {}, 'capture-fails');
  const { captureBy } = await onRecord(world, reference.paymentId);
  const all = await orderedCapture(world, reference, 10_000);
  world.clock.passUntil(captureBy! - DAY);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: captureBy });
  expect(await auditEntriesOf(world, reference)).not.toContain('payment.deadline_near');
  expect((await capture(world, all)).result.kind).toBe('failed');
  await decide(world, reference);
  expect(await auditEntriesOf(world, reference)).toContain('payment.deadline_near');
});

it('at the capture deadline the payment expires in the ledger and at the service if nothing was captured', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { captureBy } = await onRecord(world, reference.paymentId);
  world.clock.passUntil(captureBy! - 1);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', show: { status: 'authorized' } });
  world.clock.pass(1);
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish', show: { status: 'expired' } });
  expect(await onRecord(world, reference.paymentId)).toMatchObject({ status: 'expired', expiredAt: captureBy });
  const listed = await world.deps.service.listAuthorizations(reference.paymentId);
  expect(listed).toMatchObject({ value: [{ status: 'expired' }] });
});

it('at the capture deadline a partly captured payment ends as captured, and nothing more can be ordered', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  world.clock.pass(8 * DAY);
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish', show: { status: 'captured' } });
  await expect(orderedCapture(world, reference, 1)).rejects.toThrow('deadline');
});

it('at the capture deadline the payment does not expire before its last open capture has ended', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const unsent = await orderedCapture(world, reference, 1_000);
  const swallowed = await orderedCapture(world, reference, 3_000);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  await world.driver.once(() => paymentActivities(world).capturePayment(swallowed));
  world.clock.passUntil(swallowed.captureBy);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: null });
  expect(await world.driver.once(() => paymentActivities(world).capturePayment(unsent))).toMatchObject({
    type: 'blocked',
  });
  expect((await capture(world, swallowed)).result.kind).toBe('failed');
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: null });
  expect((await capture(world, unsent)).result.kind).toBe('failed');
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish', show: { status: 'expired' } });
  expect(capturePosts(world)).toBe(1);
});

it('after the capture deadline a payment with a pending capture ends once an operator has resolved that capture', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  const activities = paymentActivities(world, listing(world, { captures: listsEach({ status: 'pending' }) }));
  await world.driver.once(() => activities.capturePayment(input));
  world.clock.passUntil(input.captureBy - 1);
  await world.driver.once(() => activities.capturePayment(input));
  expect(await waitingFor(world, input.orderId)).toEqual([]);
  world.clock.passUntil(input.captureBy);
  await world.driver.once(() => activities.capturePayment(input));
  expect(await waitingFor(world, input.orderId)).toMatchObject([
    { kind: 'capture_unresolved', deadline: input.captureBy, ledger: { state: 'pending' } },
  ]);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: null });
  const { revision } = await readPaymentRevision(world.deps.ledger, reference.paymentId);
  expect(await resolveAsFailed(world, input.orderId)).toEqual({ kind: 'resolved' });
  expect(await readPaymentRevision(world.deps.ledger, reference.paymentId)).toMatchObject({ revision: revision + 1 });
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish', show: { status: 'expired' } });
  expect(await waitingFor(world, reference.paymentId)).toEqual([]);
  expect((await auditEntriesOf(world, reference)).filter((type) => type === 'capture.overdue')).toHaveLength(1);
});

it('a capture that a workflow asks for is not made if the ledger has no such order', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  for (const forged of [{ orderId: 'cap_forged' as OrderId }, { paymentId: 'pay_forged' as typeof input.paymentId }]) {
    const made = world.driver.once(() => paymentActivities(world).capturePayment({ ...input, ...forged }));
    await expect(made).rejects.toMatchObject({ type: 'not_ordered', nonRetryable: true });
  }
  expect(capturePosts(world)).toBe(0);
});

it('a release that a workflow asks for is not made if the ledger has no such order', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { result } = await release(world, reference);
  expect(result).toMatchObject({ kind: 'wait', show: { status: 'authorized' } });
  const listed = await world.deps.service.listAuthorizations(reference.paymentId);
  expect(listed).not.toMatchObject({ value: [{ status: 'released' }] });
});

const order = (paymentId: Parameters<typeof onRecord>[1]) => ({
  paymentId,
  reason: 'out of stock',
  actor: 'till',
  at: holder.world.clock.now(),
});

it('a release returns the reserved amount once the service confirms it', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  expect(await orderRelease(world.deps.ledger, order(reference.paymentId))).toMatchObject({ kind: 'ordered' });
  const { result } = await release(world, reference);
  expect(result).toMatchObject({ kind: 'finish', show: { status: 'released' } });
  const listed = await world.deps.service.listAuthorizations(reference.paymentId);
  expect(listed).toMatchObject({ value: [{ status: 'released' }] });
  expect((await auditEntriesOf(world, reference)).slice(-2)).toEqual(['payment.release_requested', 'payment.released']);
});

it.each(['lost_answer', 'swallowed'] as const)(
  'a release reaches its end although its first DELETE has the fault %s',
  async (kind) => {
    const { world } = holder;
    const reference = await createAuthorized(world);
    await orderRelease(world.deps.ledger, order(reference.paymentId));
    world.sandbox.faults.add({ kind, match: { method: 'DELETE' } });
    const { result } = await release(world, reference);
    expect(result).toMatchObject({ kind: 'finish', show: { status: 'released' } });
  },
);

it('after a release no capture can be ordered, and after a capture no release', async () => {
  const { world } = holder;
  const released = await createAuthorized(world);
  await orderRelease(world.deps.ledger, order(released.paymentId));
  await expect(orderedCapture(world, released, 1)).rejects.toThrow('closed');
  const captured = await createAuthorized(world);
  await orderedCapture(world, captured, 1);
  expect(await orderRelease(world.deps.ledger, order(captured.paymentId))).toMatchObject({ kind: 'refused' });
  expect((await auditEntriesOf(world, captured)).at(-1)).toBe('payment.release_refused');
});

const failure = { retryable: false, detail: 'STATE_CONFLICT', description: 'no', httpStatus: 409 };

it('a release is handed to an operator if the service refuses it, retried at intervals of at most an hour, and becomes an expiry at the deadline', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { paymentId } = reference;
  const { captureBy } = await onRecord(world, paymentId);
  world.clock.passUntil(captureBy! - 8 * HOUR);
  await orderRelease(world.deps.ledger, order(paymentId));
  const { service } = listing(world, { authorizations: listsEach({ status: 'successful' }) });
  const refusing = { service: { ...service, release: async () => ({ kind: 'rejected', failure }) as const } };
  const waits: number[] = [];
  const onStop = async ({ wait }: { wait: number }) => {
    waits.push(wait);
    expect(await waitingFor(world, paymentId)).toMatchObject([
      {
        kind: 'release_unresolved',
        deadline: captureBy,
        ledger: { detail: 'DELETE: refused with STATE_CONFLICT; the authorization reads: successful' },
        service: { state: 'successful' },
      },
    ]);
  };
  const { result } = await release(world, reference, refusing, { onStop });
  expect(result).toMatchObject({ kind: 'finish', show: { status: 'expired' } });
  expect(Math.max(...waits)).toBe(HOUR);
  expect(await onRecord(world, paymentId)).toMatchObject({ expiredAt: captureBy, releasedAt: null });
  expect(await waitingFor(world, paymentId)).toEqual([]);
  const expected = ['payment.release_requested', 'payment.release_unresolved', 'payment.expired'];
  expect((await auditEntriesOf(world, reference)).slice(-3)).toEqual(expected);
});

it('a release no longer waits for an operator if the service first refuses and then confirms it', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await orderRelease(world.deps.ledger, order(reference.paymentId));
  const refusing = { service: world.service({ release: async () => ({ kind: 'rejected', failure }) }) };
  await world.driver.once(() => paymentActivities(world, refusing).releasePayment(stepOf(reference)));
  expect(await waitingFor(world, reference.paymentId)).toHaveLength(1);
  const { result } = await release(world, reference);
  expect(result).toMatchObject({ kind: 'finish', show: { status: 'released' } });
  expect(await waitingFor(world, reference.paymentId)).toEqual([]);
});

it('a release is handed to an operator after an hour without a readable answer', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await orderRelease(world.deps.ledger, order(reference.paymentId));
  const silent = { service: world.service({ release: async () => NO_ANSWER }) };
  const began = world.clock.realNow();
  const onStop = async () => {
    const isLong = world.clock.realNow() - began >= HOUR;
    expect(await waitingFor(world, reference.paymentId)).toHaveLength(isLong ? 1 : 0);
    if (isLong) throw new Error('long enough');
  };
  await expect(release(world, reference, silent, { onStop })).rejects.toThrow('long enough');
});

it('a release becomes an expiry if the payment has expired meanwhile', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await orderRelease(world.deps.ledger, order(reference.paymentId));
  world.clock.pass(8 * DAY);
  const { result } = await release(world, reference);
  expect(result).toMatchObject({ kind: 'finish', show: { status: 'expired' } });
});

it('the database itself accepts no capture beyond the authorized amount, even if two are ordered at the same time', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const { clock, ledger } = world.deps;
  const wanted = (orderId: string) =>
    orderCapture(ledger, {
      orderId: orderId as OrderId,
      paymentId: reference.paymentId,
      amount: euros(6_000),
      finalCapture: false,
      actor: 'till',
      at: clock.now(),
      realAt: clock.realNow(),
      transit: TRANSIT,
    });
  const both = await Promise.all([wanted(`cap_a${reference.paymentId}`), wanted(`cap_b${reference.paymentId}`)]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(['ordered', 'refused']);
  const insert = ledger.query(
    `insert into orders (kind, order_id, payment_id, amount, final_capture, actor, created_at, created_real_at)
       values ('capture', 'cap_sql', $1, 4001, false, 'sql', now(), now())`,
    [reference.paymentId],
  );
  await expect(insert).rejects.toThrow('does not take it');
  await follow(world, reference);
});

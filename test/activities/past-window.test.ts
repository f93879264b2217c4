import { DAY, MINUTE } from '../../src/domain/time';
import { applyChange, getSubscription } from '../../src/ledger';
import { AMOUNT, SETTLE, useWorld } from './activity-world';

const POST = { method: 'POST', path: '/authorizations$' } as const;
const LIST = { method: 'GET', path: '/authorizations$' } as const;

const test = useWorld();

describe('an outcome not known when the window closes', () => {
  it.each([
    ['found later', true],
    ['settled as absent', false],
  ])('is told as unknown, asked about on, and %s', async (_name, committed) => {
    const { world } = test;
    const subscribed = await world.due();
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    world.sandbox.faults.add({ kind: committed ? 'lost_answer' : 'swallowed', match: POST });
    if (committed) world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toEqual({ kind: 'unknown' });
    expect(world.clock.now()).toBe(subscribed.collectBy);

    const settled = await world.collect(world.input(subscribed));
    expect(settled.result.kind).toBe(committed ? 'collected' : 'absent');
    expect(settled.stops.every(({ type }) => type === 'outcome_unknown' || type === 'pending')).toBe(true);
    expect((await world.collect(world.input(subscribed))).result.kind).toBe(committed ? 'collected' : 'absent');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, committed ? 1 : 0);
  });

  it('is told as pending once found, so that it holds no later cycle while its bank takes its time', async () => {
    const { world } = test;
    const subscribed = await world.due('slow-500000');
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
    expect((await world.collect(world.input(subscribed))).result).toEqual({ kind: 'unknown' });
    expect((await world.collect(world.input(subscribed))).result.kind).toBe('pending');

    world.sandbox.settle(subscribed.paymentId);
    expect((await world.collect(world.following(subscribed))).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  });

  it('that lands behind a skipped date leaves the next due date where the skip has put it', async () => {
    const { world } = test;
    const subscribed = await world.due('slow-500000');
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    expect((await world.collect(world.input(subscribed))).result.kind).toBe('pending');
    const { subscriptionId, dueAt, collectBy } = subscribed;
    const [skipped, next] = [dueAt + 28 * DAY, dueAt + 56 * DAY];
    await applyChange(world.deps.ledger, {
      subscriptionId,
      key: 'skip',
      at: world.clock.now(),
      actor: 'till',
      events: [],
      subscription: { nextDueAt: next },
      cycle: { cycle: 1, dueAt: skipped, collectBy: collectBy + 28 * DAY, amount: AMOUNT, status: 'skipped' },
    });

    world.sandbox.settle(subscribed.paymentId);
    expect((await world.collect(world.following(subscribed))).result.kind).toBe('collected');

    expect((await getSubscription(world.deps.ledger, subscriptionId))?.nextDueAt).toBe(next);
  });

  it('with a service that cannot be asked is unresolved once that has lasted, then asked on', async () => {
    const { world } = test;
    const subscribed = await world.due();
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    const cannot = { kind: 'unknown', reason: 'no whole answer' } as const;
    let down = false;
    const service = world.service({
      initiate: async (...call) => {
        const answer = await world.deps.service.initiate(...call);
        down = true;
        return answer;
      },
      listAuthorizations: async (paymentId) => (down ? cannot : world.deps.service.listAuthorizations(paymentId)),
    });
    expect((await world.collect(world.input(subscribed), { service })).result).toEqual({ kind: 'unknown' });

    const first = await world.driver.once(() =>
      world.activities({ service }).collectPayment(world.input(subscribed)),
    );
    expect(first).toMatchObject({ type: 'outcome_unknown', message: expect.stringContaining('cannot be asked') });
    const from = world.clock.realNow();
    const { result } = await world.collect(world.input(subscribed), { service });
    expect(result).toEqual({ kind: 'unresolved', reason: 'the service cannot be asked: no whole answer' });
    expect(world.clock.realNow() - from).toBeGreaterThanOrEqual(SETTLE);

    const known = world.input(subscribed);
    const stopped = await world.driver.once(() => world.activities({ service }).collectPayment(known));
    // An operator has been notified: nothing is gained by asking every minute.
    expect(stopped).toMatchObject({ type: 'outcome_unknown' });
    expect((stopped as { readonly pause: number }).pause).toBeGreaterThan(3 * MINUTE);
    down = false;
    expect((await world.collect(known, { service })).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  });

  it('is no alarm where one answer is lost after the window', async () => {
    const { world } = test;
    const subscribed = await world.due();
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    world.sandbox.faults.add({ kind: 'swallowed', match: POST });
    await world.collect(world.input(subscribed));
    world.sandbox.faults.add({ kind: 'error_before_commit', match: LIST });
    expect((await world.collect(world.input(subscribed))).result).toEqual({ kind: 'absent' });
  });
});

describe('asked to settle only', () => {
  it('an attempt that was never begun is absent, and is not begun', async () => {
    const { world } = test;
    const subscribed = await world.due();
    expect((await world.collect(world.input(subscribed))).result).toEqual({ kind: 'absent' });
    expect(world.posts(subscribed)).toBe(0);
    expect(await world.sends(subscribed)).toEqual([]);
  });

  it('an attempt never begun, with a service that cannot be asked, becomes unresolved too', async () => {
    const { world } = test;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'error_before_commit', times: 1000, match: LIST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'unresolved' });
  });

  it('a send that never arrived is settled inside the window and not made anew', async () => {
    const { world } = test;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'swallowed', match: POST });
    await world.driver.once(() => world.activities().collectPayment(world.input(subscribed)));
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toEqual({ kind: 'absent' });
    expect(world.clock.now()).toBeLessThan(subscribed.dueAt + DAY);
    expect(world.posts(subscribed)).toBe(1);
    expect(await world.sends(subscribed)).toHaveLength(1);
  });
});

import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { readAlarms, raiseAlerts } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { SETTLE, useWorld, type World } from './activity-world';
import { notified } from './notified';
import { collected, ordered, refund, refundSends } from './refund-world';

const test = useWorld();
beforeEach(() => emptyLedger(test.world.deps.ledger));

/** A page of a proxy answers every POST, and nothing reaches the service. */
function pageOnEvery(world: World, path: string, times = 10_000): void {
  world.sandbox.faults.add({ kind: 'error_before_commit', html: true, times, match: { method: 'POST', path } });
}

/** Raises alerts at every stop, as the API does all the while. */
function watching(world: World, sends: () => Promise<readonly unknown[]>) {
  const { ledger, clock } = world.deps;
  const raised: { readonly type: string; readonly data: unknown; readonly sends: number }[] = [];
  const onStop = async () => {
    for (const { type, data } of await raiseAlerts(ledger, clock.now(), clock.realNow())) {
      raised.push({ type, data, sends: (await sends()).length });
    }
  };
  return { raised, onStop };
}

const gapsOf = (sends: readonly { readonly sendingRealAt: number }[]) =>
  sends.slice(1).map(({ sendingRealAt }, index) => sendingRealAt - sends[index]!.sendingRealAt);

describe('an HTML page on every POST of a debit', () => {
  it('is sent for again in pauses that grow to four hours, the end of the window is noticed at once, and people hear of it', async () => {
    const { world } = test;
    const subscribed = await world.due();
    // A short window, as endAt may leave one.
    const collectBy = subscribed.dueAt + 21 * HOUR;
    pageOnEvery(world, '/authorizations$');
    const { raised, onStop } = watching(world, () => world.sends(subscribed));
    const input = world.input(subscribed, { collectBy, sendBefore: collectBy });
    const { result } = await world.collect(input, {}, { onStop, maxRuns: 3_000 });
    expect(result).toEqual({ kind: 'window_closed' });
    expect(world.clock.now()).toBe(collectBy);

    const gaps = gapsOf(await world.sends(subscribed));
    expect(gaps).toEqual([SETTLE + MINUTE, 2 * SETTLE, 4 * SETTLE, 8 * SETTLE, ...Array<number>(4).fill(4 * HOUR)]);
    expect(raised.filter(({ type }) => type !== 'alert.window_closing')).toEqual([
      { type: 'alert.sent_in_vain', data: { of: 'attempt', cycle: 0, sends: 3 }, sends: 3 },
    ]);
    const { clock, ledger } = world.deps;
    expect(await readAlarms(ledger, clock.now(), clock.realNow())).toMatchObject({ sentInVain: 1 });
  });

  it('that ends is followed by one debit, and is no matter any more', async () => {
    const { world } = test;
    const subscribed = await world.due();
    pageOnEvery(world, '/authorizations$', 4);
    const { result } = await world.collect(world.input(subscribed), {}, { maxRuns: 3_000 });
    expect(result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(5);
    await world.expectLedgerEqual(subscribed, 1);
    const { clock, ledger } = world.deps;
    expect(await readAlarms(ledger, clock.now(), clock.realNow())).toMatchObject({ sentInVain: 0 });
  });

  it('costs a retry nothing: its first send waits for no pause of the attempt before', async () => {
    const { world } = test;
    const subscribed = await world.due('insufficient-funds-once');
    pageOnEvery(world, '/authorizations$', 3);
    await world.collect(world.input(subscribed), {}, { maxRuns: 3_000 });
    await notified(world, subscribed);
    const { result, stops } = await world.collect(world.input(subscribed, { attempt: 1 }));
    expect(result.kind).toBe('collected');
    expect(stops.every(({ type }) => type === 'pending')).toBe(true);
  });

  it('holds nothing back where the clock was set back since', async () => {
    const { world } = test;
    const subscribed = await world.due();
    pageOnEvery(world, '/authorizations$', 2);
    let back = 0;
    const { setting } = world.clock;
    const clock = { setting, now: () => world.clock.now(), realNow: () => world.clock.realNow() - back };
    const onStop = ({ message }: { readonly message: string }) => {
      if (message.startsWith('sent 2 times')) back = DAY;
    };
    const { result } = await world.collect(world.input(subscribed), { clock }, { onStop });
    expect(result.kind).toBe('collected');
    expect(back).toBe(DAY);
    await world.expectLedgerEqual(subscribed, 1);
  });
});

describe('an HTML page on every POST of a refund', () => {
  it('is sent for again in pauses that grow, and people hear of it after the third', async () => {
    const { world } = test;
    const subscribed = await collected(world);
    const order = await ordered(world, subscribed);
    pageOnEvery(world, '/refunds$', 6);
    const { raised, onStop } = watching(world, () => refundSends(world, order));
    const { result } = await refund(world, order, {}, { onStop, maxRuns: 3_000 });
    expect(result.kind).toBe('successful');
    const gaps = gapsOf(await refundSends(world, order));
    expect(gaps).toEqual([SETTLE + MINUTE, 2 * SETTLE, 4 * SETTLE, 8 * SETTLE, 4 * HOUR, 4 * HOUR]);
    const data = { of: 'refund', orderId: order.refundId, cycle: 0, amount: order.amount, sends: 3 };
    expect(raised).toEqual([{ type: 'alert.sent_in_vain', data, sends: 3 }]);
    expect(await world.events(subscribed, 'alert.sent_in_vain')).toHaveLength(1);
    const { clock, ledger } = world.deps;
    expect(await readAlarms(ledger, clock.now(), clock.realNow())).toMatchObject({ sentInVain: 0 });
  });
});

import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { readAlarms, raiseAlerts } from '../../src/ledger';
import { SETTLE, useWorld, type World } from './activity-world';
import { reachRetry } from './deliver-notice';
import { createCollected, placeRefund, refund, refundSends } from './refund-world';

const holder = useWorld();

/** Answers every POST with the HTML page of a proxy, so that no POST reaches the service. */
function pageOnEvery(world: World, path: string, times = 10_000): void {
  world.sandbox.faults.add({ kind: 'error_before_commit', html: true, times, match: { method: 'POST', path } });
}

/** Raises due alerts at every stop of the activity, as the API does all the time. */
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

it('an HTML page on every POST of a debit stops the sends after three, is reported as unknown exactly when the window ends, and raises an alert', async () => {
  const { world } = holder;
  // A window that endAt cuts short: a fourth send, four hours after the third, would still fit into it.
  const collectBy = world.clock.now() + HOUR + 10 * HOUR;
  const subscribed = await world.due('approves', { endAt: collectBy });
  pageOnEvery(world, '/authorizations$');
  const { raised, onStop } = watching(world, () => world.sends(subscribed));
  const { clock, ledger } = world.deps;
  const shown: unknown[] = [];
  const watched = async () => {
    await onStop();
    shown.push((await readAlarms(ledger, clock.now(), clock.realNow())).sentWithoutAnswer);
  };
  const { result } = await world.collect(world.input(subscribed), {}, { onStop: watched, maxRuns: 3_000 });
  // Past the window nothing may be sent, so the last send is settled as never made.
  expect(result).toEqual({ kind: 'absent' });
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toMatchObject([{ at: collectBy }]);

  const gaps = gapsOf(await world.sends(subscribed));
  expect(gaps[0]).toBe(SETTLE + MINUTE);
  // The attempt is tried at least once a minute, so the second gap may be a minute longer.
  expect(gaps[1]).toBeGreaterThanOrEqual(4 * HOUR);
  expect(gaps[1]).toBeLessThanOrEqual(4 * HOUR + MINUTE);
  expect(gaps).toHaveLength(2);
  expect(raised.filter(({ type }) => type !== 'alert.window_closing')).toEqual([
    { type: 'alert.sent_without_answer', data: { of: 'attempt', cycle: 0, sends: 3 }, sends: 3 },
    expect.objectContaining({ type: 'alert.outcome_unknown' }),
  ]);
  expect(shown.at(-1)).toBe(1);
});

it('an HTML page on every POST of a debit permits the second fresh send as soon as the service has answered another POST readably', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  pageOnEvery(world, '/authorizations$', 2);
  const other = await world.due();
  let answered = 0;
  const onStop = async ({ message }: { readonly message: string }) => {
    if (!message.startsWith('sent 2 times') || answered > 0) return;
    answered = world.clock.realNow();
    await world.collect(world.input(other));
  };
  const { result } = await world.collect(world.input(subscribed), {}, { onStop });
  expect(result.kind).toBe('collected');
  const last = (await world.sends(subscribed)).at(-1);
  expect(last!.sendingRealAt - answered).toBeLessThanOrEqual(2 * MINUTE);
});

it('an HTML page on every POST of a debit permits one probe a minute after five POSTs of any payment', async () => {
  const { world } = holder;
  const many = [await world.due(), await world.due(), await world.due(), await world.due(), await world.due()];
  pageOnEvery(world, '/authorizations$');
  for (const each of many) await world.collectOnce(world.input(each));
  const others = [await world.due(), await world.due()];
  world.clock.pass(HOUR);
  const [one, two] = others.map((each) => world.input(each));
  await world.collectOnce(one!);
  expect(await world.collectOnce(two!)).toMatchObject({
    type: 'not_sent',
    message: expect.stringContaining('probe'),
  });
  expect(world.posts(others[0]!) + world.posts(others[1]!)).toBe(1);
  await world.collect(two!, {}, { maxRuns: 3 }).catch(() => undefined);
  const [first] = await world.sends(others[0]!);
  const [second] = await world.sends(others[1]!);
  expect(second!.sendingRealAt - first!.sendingRealAt).toBeGreaterThanOrEqual(MINUTE);
});

it('an HTML page on every POST of a debit is followed by one debit once the pages end, and its alarm ends', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  pageOnEvery(world, '/authorizations$', 2);
  const { result } = await world.collect(world.input(subscribed), {}, { maxRuns: 3_000 });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(3);
  await world.expectLedgerEqual(subscribed, 1);
  const { clock, ledger } = world.deps;
  expect(await readAlarms(ledger, clock.now(), clock.realNow())).toMatchObject({ sentWithoutAnswer: 0 });
});

it('an HTML page on every POST of a debit does not delay the first send of a later retry', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  pageOnEvery(world, '/authorizations$', 2);
  await world.collect(world.input(subscribed), {}, { maxRuns: 3_000 });
  await reachRetry(world, subscribed);
  const { result, stops } = await world.collect(world.input(subscribed, { attempt: 1 }));
  expect(result.kind).toBe('collected');
  expect(stops.every(({ type }) => type === 'pending')).toBe(true);
});

it('an HTML page on every POST of a debit delays nothing if the clock was set back since', async () => {
  const { world } = holder;
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

it('an HTML page on every POST of a refund stops the sends after three: an operator decides', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const order = await placeRefund(world, subscribed);
  pageOnEvery(world, '/refunds$');
  const { raised, onStop } = watching(world, () => refundSends(world, order));
  await expect(refund(world, order, {}, { onStop, maxRuns: 400 })).rejects.toThrow('no answer after 400 runs');
  const sends = await refundSends(world, order);
  expect(sends.map(({ state }) => state)).toEqual(['not_sent', 'not_sent', 'unresolved']);
  const data = { of: 'refund', orderId: order.refundId, cycle: 0, amount: order.amount, sends: 3 };
  expect(raised).toContainEqual({ type: 'alert.sent_without_answer', data, sends: 3 });
  expect(await world.events(subscribed, 'alert.sent_without_answer')).toHaveLength(1);
});

import { performance } from 'node:perf_hooks';
import type { Dependencies } from '../../activities';
import { longestOnWire } from '../../src/domain/attempt/limits';
import type { PaymentService } from '../../src/payment-service';
import { Crash } from '../activities/activity-driver';
import { SETTLE, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { hookedPool, INSERTS_SEND } from '../activities/crash-points';

const holder = useWorld();

it.each([1, 2, 3])('fault 20: two workers that run the same attempt at once make one debit (%i)', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  const both = await Promise.all([world.collect(input), world.collect(input, ownedBy(world, 'worker-2'))]);
  expect(both.map(({ result }) => result.kind)).toEqual(['collected', 'collected']);
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 3: after one of two workers has died, the other waits for seconds before it asks again, and never asks in a tight loop', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const after = () => {
    throw new Crash('kill -9 after the row');
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit/, after }, INSERTS_SEND);
  await world.driver.once(() => world.activities({ ledger }).collectPayment(world.input(subscribed)));
  const { stops } = await world.collect(world.input(subscribed));
  const waits = stops.filter(({ type }) => type === 'outcome_unknown').map(({ wait }) => wait);
  expect(waits.length).toBeLessThan(40);
  expect(waits[0]).toBeGreaterThanOrEqual(4_000);
});

it('fault 20: a worker recognizes the debit that another one sends during its check', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  let alone = true;
  const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
    if (alone) {
      alone = false;
      world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
      const listsNothing = async () => ({ kind: 'accepted', value: [] }) as const;
      const other = { ...ownedBy(world, 'worker-2'), service: world.service({ listAuthorizations: listsNothing }) };
      await world.driver.once(() => world.activities(other).collectPayment(input));
      expect(await world.sends(subscribed)).toMatchObject([{ state: 'unknown', authorizationId: null }]);
    }
    return world.deps.service.listAuthorizations(paymentId);
  };
  const { result } = await world.collect(input, { service: world.service({ listAuthorizations }) });
  expect(result.kind).toBe('collected');
  expect(await world.auditLog(subscribed)).not.toContain('attempt.unresolved');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 20: a worker never counts a debit as absent while another one waits for its answer', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  const initiate: PaymentService['initiate'] = async (...call) => {
    const seen = await world.driver.once(() => world.activities(ownedBy(world, 'worker-2')).collectPayment(input));
    expect(seen).toMatchObject({ type: 'outcome_unknown' });
    const [row] = await world.sends(subscribed);
    expect(row?.state).toBe('unknown');
    expect(row!.unknownSinceReal! - row!.sendingRealAt).toBe(longestOnWire(world.deps.settings));
    return world.deps.service.initiate(...call);
  };
  const { result } = await world.collect(input, { service: world.service({ initiate }) });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

function ownedBy({ deps }: World, owner: string): Pick<Dependencies, 'settings'> {
  return { settings: { ...deps.settings, owner } };
}

/** Has another worker find the row, settle the send as absent, and collect. */
async function othersCollect(world: World, subscribed: Subscribed): Promise<void> {
  const { result } = await world.collect(world.input(subscribed), ownedBy(world, 'worker-2'));
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
}

it('fault 21: a process that is frozen past the settle time between its row and its POST does not send when it resumes', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const initiate: PaymentService['initiate'] = async (...call) => {
    await othersCollect(world, subscribed);
    return world.deps.service.initiate(...call);
  };
  const { result } = await world.collect(world.input(subscribed), { service: world.service({ initiate }) });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 21: a process that is frozen past the settle time while its row is being committed does not send when it resumes', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const after = () => othersCollect(world, subscribed);
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit/, after }, INSERTS_SEND);
  const { result } = await world.collect(world.input(subscribed), { ledger });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 21: a process that is frozen past the settle time between its checks and its row finds that others continued', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const before = () => othersCollect(world, subscribed);
  const ledger = hookedPool(world.deps.ledger, { matches: /^begin/, before });
  // The hook is set by the check, so that it runs right before the transaction that writes the row.
  let hooked = world.deps.ledger;
  const switching = new Proxy(world.deps.ledger, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(hooked, name);
      return typeof value === 'function' ? (value.bind(hooked) as unknown) : value;
    },
  });
  const service = world.service({
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      hooked = ledger;
      return listed;
    },
  });
  const { result, stops } = await world.collect(world.input(subscribed), { ledger: switching, service });
  // The facts of its decision have changed, so it reads the row again and finds the debit.
  expect(stops).toEqual([]);
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 21: a process that is frozen between its checks and its row for as long as a send takes to be settled as absent checks again before it sends', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  let frozen = true;
  const service = world.service({
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      if (frozen) {
        frozen = false;
        world.clock.pass(SETTLE);
      }
      return listed;
    },
  });
  const { result, stops } = await world.collect(world.input(subscribed), { service });
  expect(stops[0]).toMatchObject({ type: 'not_sent', message: 'fenced' });
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 21: a freeze of ten seconds is noticed by the monotonic clock even if the wall clock stood still', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const now = performance.now.bind(performance);
  let slept = 0;
  const spy = jest.spyOn(performance, 'now').mockImplementation(() => now() + slept);
  try {
    const initiate: PaymentService['initiate'] = (...call) => {
      slept += 10_000;
      return world.deps.service.initiate(...call);
    };
    const stop = await world.driver.once(() =>
      world.activities({ service: world.service({ initiate }) }).collectPayment(world.input(subscribed)),
    );
    expect(stop).toMatchObject({ type: 'not_sent', message: 'fenced' });
    expect(world.posts(subscribed)).toBe(0);
  } finally {
    spy.mockRestore();
  }
});

it.each([
  [9_990, 1],
  [10_000, 0],
])('fault 21: a process that is frozen for %i ms sends %i POST', async (frozenMs, posts) => {
  const { world } = holder;
  const subscribed = await world.due();
  // The machine's own milliseconds between row and POST are not part of what is tested.
  const spy = jest.spyOn(performance, 'now').mockReturnValue(1);
  try {
    const initiate: PaymentService['initiate'] = (...call) => {
      world.clock.pass(frozenMs);
      return world.deps.service.initiate(...call);
    };
    await world.driver.once(() =>
      world.activities({ service: world.service({ initiate }) }).collectPayment(world.input(subscribed)),
    );
    expect(world.posts(subscribed)).toBe(posts);
  } finally {
    spy.mockRestore();
  }
});

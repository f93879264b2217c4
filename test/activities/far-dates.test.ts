import { steer } from '../../src/ledger';
import type { ContradictionOrder } from '../../src/sandbox';
import { SETTLE, type Subscribed, useWorld, type World } from './activity-world';

/**
 * A service that reports a `createdAt` past the year 9999, which neither PostgreSQL nor ISO text can represent (rules 3, 38, 43).
 */

const holder = useWorld();

async function createContradicted(
  world: World,
  kind: ContradictionOrder['kind'],
  on?: 'captures',
): Promise<Subscribed> {
  const subscribed = await world.due();
  const match = { paymentId: subscribed.paymentId, ...(on && { on }) };
  world.sandbox.faults.contradict({ kind, match });
  return subscribed;
}

it('a debit with a date past the year 9999 in the answer and the list is left to an operator after the window, who can resolve it', async () => {
  const { world } = holder;
  const subscribed = await createContradicted(world, 'far_date');
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'outcome_unknown' });
  expect(await world.sends(subscribed)).toMatchObject([
    { state: 'unknown', acceptedAnswer: expect.stringContaining('"createdAt":"9999-12-31T23:59:59.999-23:59"') },
  ]);
  world.clock.passUntil(subscribed.collectBy);
  const { result } = await world.collect(world.input(subscribed));
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toHaveLength(1);
  expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('the service cannot be asked') });
  expect(world.posts(subscribed)).toBe(1);

  const { clock, ledger } = world.deps;
  const request = { cycle: 0, outcome: 'collected', evidence: 'statement of the bank', actor: 'operator' } as const;
  const named = { authorizationId: null, captureId: null };
  const moment = { at: clock.now(), realAt: clock.realNow() };
  const resolved = await steer(ledger, 'resolve', subscribed.subscriptionId, { ...request, ...named }, moment);
  expect(resolved).toMatchObject({ kind: 'steered' });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful', resolvedBy: 'operator' }]);
});

it('a debit with a date past the year 9999 only in the answer is collected, because the list shows the debit', async () => {
  const { world } = holder;
  const subscribed = await createContradicted(world, 'unstorable_answer');
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
  expect(await world.sends(subscribed)).toMatchObject([{ acceptedAnswer: expect.stringContaining('9999-12-31') }]);
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('a date past the year 9999 in the list of captures leaves the attempt pending, and nothing is sent again', async () => {
  const { world } = holder;
  const subscribed = await createContradicted(world, 'far_date', 'captures');
  await world.collectOnce(world.input(subscribed));
  world.clock.pass(SETTLE);
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({
    type: 'pending',
    message: expect.stringContaining('unreadable answer'),
  });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending' }]);
  expect(world.posts(subscribed)).toBe(1);
});

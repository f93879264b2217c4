import { SECOND } from '../../src/domain/time';
import { getSubscription, listAttention } from '../../src/ledger';
import { useWorld } from './activity-world';

const holder = useWorld();

it('if another system has debited a different amount on the first due date, the cycle is left to an operator and nothing is sent', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId, paymentId, dueAt } = subscribed;
  world.clock.pass(SECOND);
  world.sandbox.authorizeElsewhere(paymentId, {
    amount: 1_000,
    createdAt: dueAt,
    cycle: 0,
    result: 'successful',
  });

  const stop = await world.collectOnce(world.input(subscribed));

  expect(stop).toMatchObject({ result: { kind: 'unresolved' }, next: { kind: 'collect' } });
  const { attention, standing } = (await getSubscription(world.deps.ledger, subscriptionId))!;
  expect({ attention, standing }).toEqual({ attention: ['unresolved:0'], standing: 'needs_attention' });
  const { items } = await listAttention(world.deps.ledger, {}, { limit: 10, cursor: null });
  expect(items).toMatchObject([{ kind: 'unresolved', subscriptionId, cycle: 0 }]);
  await world.collectOnce(world.input(subscribed));
  expect(world.posts(subscribed)).toBe(0);
  expect(await world.events(subscribed, 'cycle.unresolved')).toHaveLength(1);
});

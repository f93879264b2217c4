import { HOUR, MINUTE } from '../../src/domain/time';
import { applyChange, getCycle } from '../../src/ledger';
import { type Subscribed, useWorld, type World } from '../activities/activity-world';
import { accept, refusedItems, refusing, standingOf } from '../activities/refusing';

/** A write that PostgreSQL refuses because of its data is never simply repeated, and stops nothing else (rule 43). */

const holder = useWorld();

const items = (world: World, { subscriptionId }: Subscribed) => refusedItems(world, subscriptionId);

it('fault 45: an accepted answer that the ledger refuses is kept, and the cycle is unresolved', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result } = await refusing(world, 'attempts', 'authorization_id is null', () =>
    world.collect(world.input(subscribed)),
  );
  expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('SQLSTATE 23514') });
  const [row] = await world.sends(subscribed);
  expect(row).toMatchObject({ state: 'unresolved', acceptedAnswer: expect.stringContaining('authorizationId') });
  // Once the answer can be written, it is recorded as the debit; nothing was sent again.
  const settling = world.input(subscribed);
  expect((await world.collect(settling)).result).toMatchObject({ kind: 'collected' });
  expect(await items(world, subscribed)).toEqual([]);
  expect(world.posts(subscribed)).toBe(1);
});

it('an attempt whose send the ledger refuses leaves no POST, and its cycle is unresolved until the send can be written', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId, paymentId } = subscribed;
  await refusing(world, 'attempts', `subscription_id <> '${subscriptionId}'`, async () => {
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('SQLSTATE 23514') });
    expect(await items(world, subscribed)).toMatchObject([{ subscriptionId, paymentId }]);
    expect(await getCycle(world.deps.ledger, subscriptionId, 0)).toMatchObject({ status: 'unresolved' });
  });
  expect(world.posts(subscribed)).toBe(0);
  await world.collect(world.input(subscribed));
  expect(await items(world, subscribed)).toEqual([]);
});

it('a write that PostgreSQL refuses opens an item that names column and SQLSTATE, and other subscriptions continue', async () => {
  const { world } = holder;
  const [subscribed, other] = [await world.due(), await world.due()];
  const { ledger } = world.deps;
  const refused = `subscription_id <> '${subscribed.subscriptionId}'`;
  const stops: string[] = [];
  const onStop = async ({ type }: { type: string }) => {
    stops.push(type);
    if (stops.length > 1) return;
    const [item] = await items(world, subscribed);
    expect(item?.ledger?.detail).toContain('SQLSTATE 23514 at cycles.refused_by_the_test');
    expect(item?.ledger?.detail).not.toContain(subscribed.subscriptionId);
    expect(await standingOf(world, subscribed.subscriptionId)).toBe('needs_attention');
    expect(world.posts(subscribed)).toBe(0);
    expect((await world.collect(world.input(other))).result).toMatchObject({ kind: 'collected' });
    await world.expectLedgerEqual(other, 1);
    await accept(ledger, 'cycles');
  };
  await ledger.query(`alter table cycles add constraint refused_by_the_test check (${refused}) not valid`);
  const { result } = await world.collect(world.input(subscribed), {}, { onStop });
  expect([stops[0], result.kind]).toEqual(['unrecordable', 'collected']);
  expect(await items(world, subscribed)).toEqual([]);
  await world.expectLedgerEqual(subscribed, 1);
});

it('a write that PostgreSQL refuses is tried again at growing intervals, and its item closes once it succeeds', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId } = subscribed;
  const { ledger } = world.deps;
  const waits: number[] = [];
  const onStop = async ({ type, wait }: { type: string; wait: number }) => {
    expect(type).toBe('unrecordable');
    waits.push(wait);
    expect(await items(world, subscribed)).toHaveLength(1);
    if (waits.length === 60) await accept(ledger, 'cycles');
  };
  await ledger.query(
    `alter table cycles add constraint refused_by_the_test check (subscription_id <> '${subscriptionId}') not valid`,
  );
  await world.patch(subscribed, { skips: [0] });
  const { result } = await world.driver.drive(() => world.activities().decide(world.reference(subscribed)), { onStop });
  expect(result).toMatchObject({ kind: 'wait' });
  expect(await getCycle(ledger, subscriptionId, 0)).toMatchObject({ status: 'skipped' });
  expect(waits).toEqual(waits.toSorted((one, two) => one - two));
  expect(waits.at(-1)).toBeGreaterThan(10 * MINUTE);
  expect(waits.at(-1)).toBeLessThanOrEqual(HOUR);
  expect(await items(world, subscribed)).toEqual([]);
});

it('a write that PostgreSQL refuses for another reason than its data opens no item', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const change = { ...subscribed, key: 'none', at: subscribed.dueAt, actor: 'dueday', events: [] };
  await expect(applyChange(world.deps.ledger, { ...change, subscriptionId: 'sub_none' as never })).rejects.toThrow();
  expect(await items(world, subscribed)).toEqual([]);
});

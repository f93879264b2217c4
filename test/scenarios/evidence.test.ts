import { DAY, HOUR, toIso } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';
import { plusMonths } from '../lives/calendar';
import type { Attempt } from './admin-api';
import { authorizeElsewhere, importedFromElsewhere } from './elsewhere';
import type { Life } from './life';
import { auditEntriesOf, becomes, cycleOf, debitsOf, itemsAre, madeFor, openItems, resolve } from './records';
import { openStage } from './scenario';
import type { World } from './world';

/**
 * What the service has said counts (rules 36 to 41), through the API of a real daemon and by the simulator's own record. A quarter
 * of a day a second: the file takes as long as the month of its longest scenario, two minutes and a half.
 */

const SPEED = 21_600;
/** Twenty real seconds, within which all requests before the first payment are made. */
const LEAD = 5 * DAY;

const { scenario } = openStage({ speed: SPEED });

/** Creates a subscription whose first cycle is pending at the service and then no longer listed. */
async function createVanishing(world: World, name: string): Promise<Life> {
  const life = await world.order({ name, cents: 1999, lead: LEAD, lasts: 8 * DAY });
  const match = { on: 'authorizations', paymentId: life.paymentId, cycle: 0 } as const;
  world.sandbox.faults.contradict({ kind: 'vanishing', delayMs: 200, match });
  await life.approvedWith('approves');
  await itemsAre(world, life.id, ['unlisted:0']);
  return life;
}

/**
 *   D0                            D7         D8
 *   pending, then not listed      ●          resolved as failed
 */
scenario(
  'an authorization that is no longer listed is handed to an operator, delays no later cycle, and is resolved',
  async (world) => {
    const life = await createVanishing(world, 'vanished');
    expect(await cycleOf(world, life.id, 0)).toMatchObject({
      status: 'collecting',
      attempts: [{ outcome: 'pending' }],
    });
    expect(await life.view()).toMatchObject({ standing: 'needs_attention' });

    await becomes(world, life.id, 1, 'collected');
    expect(await cycleOf(world, life.id, 0)).toMatchObject({ status: 'collecting' });
    expect(await openItems(world, life.id)).toEqual(['unlisted:0']);
    expect(await resolve(world, life.id, 1, { outcome: 'failed' })).toMatchObject({ status: 409 });

    expect(await resolve(world, life.id, 0, { outcome: 'failed' })).toMatchObject({ status: 200, body: { cycle: 0 } });
    const failed = await becomes(world, life.id, 0, 'failed');
    expect(failed.attempts).toHaveLength(1);
    await itemsAre(world, life.id, []);
    await life.until('completed', ({ status }) => status === 'completed');
    expect([madeFor(world, life.paymentId, 0), madeFor(world, life.paymentId, 1)]).toEqual([1, 1]);
  },
);

/**
 *   D0                            D0                       D7
 *   pending, then not listed      resolved as collected    ●
 */
scenario(
  'an authorization that is no longer listed is resolved as collected, but not with the id of another cycle',
  async (world) => {
    const life = await createVanishing(world, 'vanished-paid');
    await becomes(world, life.id, 1, 'collected');
    const other = (await cycleOf(world, life.id, 1))!.attempts[0]!;
    const taken = await resolve(world, life.id, 0, { outcome: 'collected', authorizationId: other.authorizationId });
    expect(taken.status).toBe(409);
    expect(taken.body.detail).toContain(other.authorizationId);

    expect(await resolve(world, life.id, 0, { outcome: 'collected' })).toMatchObject({ status: 200 });
    await becomes(world, life.id, 0, 'collected');
    await itemsAre(world, life.id, []);
    expect(madeFor(world, life.paymentId, 0)).toBe(1);
  },
);

/**
 *   D-66 h      D-60 h      D0           a month later
 *   ● elsewhere imported    adopted      ●
 */
scenario(
  'fault 51: a date that the old system collected 66 hours early is not collected again, and the next one is',
  async (world, started) => {
    const id = 'collected-early';
    const due = Math.ceil((world.clock.now() + 60 * HOUR) / HOUR) * HOUR;
    const anchor = plusMonths(due, -2);
    const collected = [0, 1].map((cycle) => [cycle, plusMonths(anchor, cycle)] as const);
    const early = due - 66 * HOUR;
    const terms = { anchor, repetition: 'MONTHLY', collected: [...collected, [2, early] as const] } as const;
    const paymentId = await importedFromElsewhere(world, id, terms);
    started();

    const adopted = await becomes(world, id, 2, 'collected');
    expect(adopted.attempts).toMatchObject([{ outcome: 'successful', adopted: true, at: toIso(early) }]);
    const later = await becomes(world, id, 3, 'collected');
    expect(later.attempts.at(-1)).toMatchObject({ outcome: 'successful', adopted: false });

    const auditLog = await auditEntriesOf(world, id);
    const ended = auditLog
      .filter(({ type }) => type === 'cycle.collected')
      .map(({ data }) => [data['cycle'], data['adopted']]);
    expect(ended).toEqual([
      [2, true],
      [3, false],
    ]);
    expect(auditLog.filter(({ type }) => type.startsWith('notice'))).toEqual([]);
    expect(
      world.receiver.deliveries.filter(({ data, type }) => data.subscriptionId === id && type.startsWith('payment.')),
    ).toEqual([]);
    expect([madeFor(world, paymentId, 2), debitsOf(world, paymentId, 2), debitsOf(world, paymentId, 3)]).toEqual([
      1, 1, 1,
    ]);
    expect(await openItems(world, id)).toEqual([]);
  },
);

/**
 *   D0      D7-40 h      D7                         D7
 *   ○       ● elsewhere  adopted: which of the two  resolved, it paid D0: ●
 */
scenario(
  'fault 51: after a failed cycle an operator says which of two cycles a debit paid, and the other is collected',
  async (world, started) => {
    const id = 'paid-which';
    const due = Math.ceil((world.clock.now() + LEAD) / HOUR) * HOUR;
    const anchor = due - 7 * DAY;
    const paymentId = await importedFromElsewhere(world, id, {
      anchor,
      repetition: 'WEEKLY',
      collected: [[0, anchor]],
    });
    started();
    world.sandbox.setWallet(paymentId, 'final-rejection');
    await becomes(world, id, 1, 'failed');

    world.sandbox.setWallet(paymentId, 'approves');
    const made = due + 7 * DAY - 40 * HOUR;
    await world.reach(made);
    // The service's record has it as a late debit of the failed date.
    authorizeElsewhere(world, paymentId, 1, made);
    await itemsAre(world, id, ['contradiction:2']);
    const adopted = await becomes(world, id, 2, 'collected');
    expect(adopted.attempts).toMatchObject([{ adopted: true }]);

    expect(await resolve(world, id, 2, { outcome: 'failed' })).toMatchObject({ status: 400 });
    expect(await resolve(world, id, 2, { outcome: 'failed', paidCycle: 0 })).toMatchObject({ status: 400 });
    expect(await resolve(world, id, 2, { outcome: 'failed', paidCycle: 1 })).toMatchObject({ status: 200 });
    await itemsAre(world, id, []);
    let own: Attempt | undefined;
    await waitUntil(`${id}: cycle 2 is collected by an attempt of its own`, async () => {
      const cycle = await cycleOf(world, id, 2);
      own = cycle?.attempts.find((each) => !(each as Attempt & { adopted: boolean }).adopted);
      return cycle?.status === 'collected' && own?.outcome === 'successful';
    });
    expect(await cycleOf(world, id, 1)).toMatchObject({ status: 'collected' });
    expect([1, 2].map((cycle) => madeFor(world, paymentId, cycle))).toEqual([2, 1]);
    expect([1, 2].map((cycle) => debitsOf(world, paymentId, cycle))).toEqual([1, 1]);
  },
);

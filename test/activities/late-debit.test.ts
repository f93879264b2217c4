import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import type { OrderId } from '../../src/domain/ids';
import { SECOND } from '../../src/domain/instant';
import { euros } from '../../src/domain/money';
import { applyChange, orderRefund } from '../../src/ledger';
import { AMOUNT, type Subscribed, useWorld, type World } from './activity-world';
import { refund } from './refund-world';

const test = useWorld();

/** A cycle that was closed as missed, and a debit of it that landed all the same. */
async function lateDebit() {
  const { world } = test;
  const subscribed = await world.due();
  const { subscriptionId, paymentId, dueAt, collectBy } = subscribed;
  const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'missed' } as const;
  await applyChange(world.deps.ledger, {
    ...{ subscriptionId, key: 'missed', at: world.clock.now(), actor: 'dueday', events: [], cycle },
  });
  await world.deps.service.initiate(paymentId, AMOUNT);
  world.clock.pass(10 * SECOND);
  const captureId = world.debits(subscribed)[0]?.captureId;
  if (captureId == null) throw new Error('nothing landed');
  return { world, subscribed, captureId };
}

function order(world: World, { subscriptionId }: Subscribed, captureId: string | null, cents: number, cycle = 0) {
  return orderRefund(world.deps.ledger, {
    ...{ refundId: `ref_${randomUUID()}` as OrderId, subscriptionId, cycle, amount: euros(cents), captureId },
    ...{ reason: 'landed late', actor: 'till', at: world.clock.now(), realAt: world.clock.realNow() },
  });
}

async function reconcile(world: World): Promise<void> {
  const span = { from: 0, to: world.clock.now() + 1 };
  const input = { runId: randomUUID(), span, actor: 'till', patience: 1, announce: true };
  await world.driver.drive(() => createActivities(world.deps).reconcileLedger(input));
}

describe('a debit that landed after it was given up', () => {
  it('is reported with the offer of a refund', async () => {
    const { world, subscribed } = await lateDebit();
    await reconcile(world);
    expect(await world.trail(subscribed)).toContain('reconciliation.difference');
  });

  it('is given back by a refund that names it, to the cent and no more', async () => {
    const { world, subscribed, captureId } = await lateDebit();
    await reconcile(world);
    expect(await order(world, subscribed, captureId, 2000)).toMatchObject({ rule: 'exceeds_captured' });
    const result = await order(world, subscribed, captureId, 1999);
    if (result.kind !== 'ordered') throw new Error(`not ordered: ${result.kind}`);
    const { refundId, paymentId, cycle, amount, createdAt: orderedAt } = result.refund;
    const { subscriptionId } = subscribed;
    const ordered = { refundId, subscriptionId, paymentId, cycle, captureId: result.refund.captureId };
    expect((await refund(world, { ...ordered, amount, orderedAt })).result.kind).toBe('successful');
    expect(world.debits(subscribed)).toMatchObject([{ refunded: 1999 }]);
    expect(await order(world, subscribed, captureId, 1)).toMatchObject({ highestAllowed: euros(0) });
  });

  it('is given back by nobody who does not name it, or before it was found', async () => {
    const { world, subscribed, captureId } = await lateDebit();
    expect((await order(world, subscribed, captureId, 1)).kind).toBe('refused');
    await reconcile(world);
    expect(await order(world, subscribed, null, 1)).toMatchObject({ rule: 'not_collected' });
    expect(await order(world, subscribed, 'another', 1)).toMatchObject({ kind: 'refused' });
    expect(await order(world, subscribed, captureId, 1, 7)).toMatchObject({ rule: 'not_collected' });
  });
});

import { DAY } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';
import type { Life } from '../scenarios/life';
import type { Stage } from '../scenarios/scenario';
import type { World } from '../scenarios/world';

/** Calendars as in scenarios/lives.test.ts. */
export function cancelInVain({ scenario }: Stage): void {
  /**
   *   D0        D1                                        D2
   *   ●  20.00  cancelled; every DELETE is refused: 202   confirmed
   */
  scenario(
    'fault 44: a cancellation that the service refuses waits for an operator until it is confirmed',
    async (world) => {
      const life = await world.order({ name: 'not-cancelled', cents: 2000 });
      await life.approvedWith('approves');
      await life.collected(1);
      const path = `^/${life.paymentId}/consents$`;
      const refused = { kind: 'error_before_commit', status: 409, detail: 'STATE_CONFLICT' } as const;
      const { faultId } = world.sandbox.faults.add({ ...refused, match: { method: 'DELETE', path }, times: 1_000 });
      expect((await life.steer('cancel', { reason: 'no longer wanted' })).status).toBe(202);
      await itemsAre(world, life, ['cancellation_unconfirmed']);
      expect(await life.view()).toMatchObject({ status: 'active' });

      world.sandbox.faults.remove(faultId);
      const ended = await life.until('cancelled', ({ status }) => status === 'cancelled');
      expect(ended).toMatchObject({ cancelledBy: 'merchant' });
      await itemsAre(world, life, []);
      await life.agrees();
    },
  );

  /**
   *   D0        D1                       D2
   *   ●  20.00  cancelled, every DELETE  the payer cancels at the bank
   *             is refused
   */
  scenario(
    'fault 44: if the service refuses a cancellation and the payer then cancels, the subscription counts as cancelled by the payer',
    async (world) => {
      const life = await world.order({ name: 'payer-first', cents: 2000 });
      await life.approvedWith('approves');
      await life.collected(1);
      const path = `^/${life.paymentId}/consents$`;
      const refused = { kind: 'error_before_commit', status: 409, detail: 'STATE_CONFLICT' } as const;
      world.sandbox.faults.add({ ...refused, match: { method: 'DELETE', path }, times: 1_000 });
      expect((await life.steer('cancel')).status).toBe(202);
      await itemsAre(world, life, ['cancellation_unconfirmed']);
      await life.payer('cancel');
      const ended = await life.until('cancelled', ({ status }) => status === 'cancelled');
      expect(ended).toMatchObject({ cancelledBy: 'payer' });
      await itemsAre(world, life, []);
      await life.agrees();
    },
  );

  /**
   *   D0                      D3                D7
   *   404 for the consent:    it is read again  ●
   *   waits                   ●
   */
  scenario('fault 44: what is due waits while the consent is gone, and no subscription ends', async (world) => {
    const life = await world.order({ name: 'gone-for-a-while', cents: 2000, lasts: 8 * DAY });
    await life.approvedWith('approves');
    const path = `^/${life.paymentId}/consents$`;
    const gone = { kind: 'error_before_commit', status: 404, detail: 'NOT_FOUND' } as const;
    const { faultId } = world.sandbox.faults.add({ ...gone, match: { method: 'GET', path }, times: 1_000 });
    await itemsAre(world, life, ['consent_unreadable']);
    expect(life.atService.authorizations).toEqual([]);
    expect(await life.view()).toMatchObject({ status: 'active' });

    world.sandbox.faults.remove(faultId);
    await life.until('completed', ({ status }) => status === 'completed');
    await itemsAre(world, life, []);
    await life.cyclesEnd('collected', 'collected');
    await life.agrees();
  });
}

/** Waits until attention items of exactly these kinds are open for the subscription. */
async function itemsAre({ admin }: World, { id }: Life, kinds: readonly string[]): Promise<void> {
  await waitUntil(`${id}: items ${kinds.join(', ')}`, async () => {
    const { body } = await admin.get<{ items: { kind: string; subscriptionId: string }[] }>('/v1/attention?limit=200');
    const open = body.items.filter(({ subscriptionId }) => subscriptionId === id).map(({ kind }) => kind);
    return JSON.stringify(open) === JSON.stringify(kinds);
  });
}

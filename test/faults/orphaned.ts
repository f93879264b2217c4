import { DAY, HOUR } from '../../src/domain/time';
import type { Life } from '../scenarios/life';
import type { Stage } from '../scenarios/scenario';
import { againAfterTermination } from './workflow-misuse';

const typesOf = async (life: Life) => (await life.auditLog()).map(({ type }) => type);

const RESTART = { reason: 'Temporal was restored' };

/** Restarts the workflow manually; the search for ended workflows may have done so already. */
async function restartNow(life: Life): Promise<void> {
  const { status } = await life.steer('restart', RESTART);
  expect([200, 409]).toContain(status);
}

/** Scenarios of subscriptions that lose their workflow. Calendars as in scenarios/lives.test.ts. */
export function orphan({ scenario }: Stage): void {
  /**
   *   D0                        D7
   *   ●  its workflow is        ●  by a workflow started
   *      terminated                again from the ledger
   */
  scenario('fault 36: a subscription whose workflow was terminated continues once it is restarted', async (world) => {
    const life = await world.order({ name: 'orphaned', cents: 3601, lasts: 8 * DAY });
    await life.approvedWith('approves');
    await life.collected(1);
    expect(await life.steer('restart', RESTART)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await world.temporal.workflow.getHandle(`subscription/${life.id}`).terminate('a test');

    await restartNow(life);

    await life.until('completed', ({ status }) => status === 'completed');
    await life.cyclesEnd('collected', 'collected');
    expect(await typesOf(life)).toContain('subscription.restarted');
    expect(await life.steer('restart', RESTART)).toMatchObject({ status: 409 });
    await life.agrees();
  });

  /**
   *   D0                     D7
   *   ●  its workflow is     ●  the new one's first payment;
   *      terminated             the old one, started again after it was granted, is cancelled
   */
  scenario(
    'fault 36: a subscription that was replaced while it had no workflow is cancelled once its workflow is restarted',
    async (world) => {
      const old = await world.order({ name: 'orphan', cents: 3602 });
      await old.approvedWith('approves');
      await old.collected(1);
      await world.temporal.workflow.getHandle(`subscription/${old.id}`).terminate('a test');
      const young = await world.order({ name: 'heir', cents: 3603, firstPaymentAt: old.due(1), replaces: old.id });
      await young.approvedWith('approves');

      await restartNow(old);

      await old.until('cancelled', ({ status }) => status === 'cancelled');
      await young.collected(1);
      expect(await old.view()).toMatchObject({ replacedBy: young.id });
      expect(await typesOf(old)).toContain('subscription.replaced');
      await old.cyclesEnd('collected');
      await old.agrees();
      await young.agrees();
    },
  );

  /**
   *   D0                        D0 + 5 days
   *   ●  collected              ‖ a workflow that knows nothing of it begins
   */
  scenario(
    'fault 32: a workflow restored to before a collection whose window is over misses nothing',
    async (world) => {
      const life = await world.order({ name: 'restored', cents: 3201, lasts: 20 * DAY });
      await life.approvedWith('approves');
      await life.collected(1);
      // By then the collection window has closed.
      await world.reach(life.due(0) + 5 * DAY + HOUR);

      await againAfterTermination(world.temporal, `subscription/${life.id}`);

      await life.collected(2);
      expect(await typesOf(life)).not.toContain('cycle.missed');
      await life.agrees();
    },
  );
}

import { DAY, toIso } from '../../src/domain/time';
import { createPool } from '../../src/ledger';
import { Life } from '../scenarios/life';
import { orderOf } from '../scenarios/order';
import type { Stage } from '../scenarios/scenario';
import type { World } from '../scenarios/world';

/** Calendars as in scenarios/lives.test.ts. */
export function replaceInVain({ scenario }: Stage): void {
  /**
   *   D0        D1                           D7
   *   ●  20.00  a new one is asked for       ●  20.00 the old one goes on
   *             and cancelled; DELETE fails,
   *             and its payer approves
   */
  scenario('fault 38: a replacement cancelled while its payer approves leaves the old one as it was', async (world) => {
    const old = await world.order({ name: 'kept', cents: 2000, lasts: 8 * DAY });
    await old.approvedWith('approves');
    await old.collected(1);
    const young = await world.order({ name: 'unwanted', cents: 3000, firstPaymentAt: old.due(1), replaces: old.id });
    await old.until('the due date is left to the new one', ({ nextDueAt }) => nextDueAt === null);
    const path = `^/${young.paymentId}/consents$`;
    // The fault lasts until the payer has approved, however often the request is tried.
    const fault = { kind: 'error_before_commit', match: { method: 'DELETE' as const, path }, times: 1_000 } as const;
    const { faultId } = world.sandbox.faults.add(fault);

    const cancelled = young.steer('cancel', { reason: 'ordered by mistake' });
    await old.until('it goes on at once', ({ nextDueAt }) => nextDueAt === toIso(old.due(1)));
    await young.payer('approve');
    world.sandbox.faults.remove(faultId);
    expect([200, 202]).toContain((await cancelled).status);
    await young.until('cancelled', ({ status, consent }) => status === 'cancelled' && consent.status === 'cancelled');

    const ended = await old.until('completed', ({ status }) => status === 'completed');
    expect(ended.replacedBy).toBeUndefined();
    await old.cyclesEnd('collected', 'collected');
    expect(young.atService.debits).toEqual([]);
    await Promise.all([old.agrees(), young.agrees()]);
  });

  /**
   *   D0        D1..D6                       D7
   *   ●  20.00  several new ones are asked   ●  30.00 one debit
   *             for: one is accepted
   */
  scenario(
    'fault 50: of several replacements asked for at once one is accepted, and replaces the old subscription',
    async (world) => {
      const old = await world.order({ name: 'replaced-once', cents: 2000 });
      await old.approvedWith('approves');
      await old.collected(1);
      const terms = { name: 'rival', cents: 3000, firstPaymentAt: old.due(1), replaces: old.id };
      const orders = Array.from({ length: 3 }, () => orderOf(terms, world.clock.now()));
      const answers = await Promise.all(orders.map((order) => world.admin.post<Created>('/v1/subscriptions', order)));
      const made = answers.findIndex(({ status }) => status === 201);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      const young = new Life(world, orders[made]!, answers[made]!.body.paymentId);
      const { subscriptionId, redirectURL } = { ...young.order, ...answers[made]!.body.consent };
      const again = await world.admin.post('/v1/subscriptions', orderOf(terms, world.clock.now()));
      const replacement = { subscriptionId, status: 'pending_consent', redirectURL };
      expect(again).toMatchObject({ status: 409, body: { code: 'state_conflict', replacement } });

      await young.approvedWith('approves');
      await old.until('cancelled', ({ status }) => status === 'cancelled');
      await young.collected(1);
      expect(old.atService.debits).toHaveLength(1);
      await young.steer('cancel');
      await Promise.all([old.agrees(), young.agrees()]);
    },
  );

  /**
   *   D0        D1..D6                       D7
   *   ●  20.00  two new ones are pending,    ●  30.00 one debit; the other mandate is ended
   *             both approved at once
   */
  scenario('fault 50: of two replacements approved in the same second one becomes active', async (world) => {
    const old = await world.order({ name: 'replaced-twice', cents: 2000 });
    await old.approvedWith('approves');
    await old.collected(1);
    const terms = { cents: 3000, firstPaymentAt: old.due(1), replaces: old.id };
    const first = await world.order({ name: 'first', ...terms });
    // As if the process that creates the replacement had been taken for dead meanwhile.
    const second = await hidden(world, first, () => world.order({ name: 'second', ...terms }));
    const both = [first, second];

    await Promise.all(both.map((life) => life.payer('approve', 'approves')));
    await Promise.all(both.map((life) => life.steer('consent-check')));
    await Promise.all(both.map((life) => life.until('decided', ({ status }) => status !== 'pending_consent')));
    const [winner, loser] = await inOrder(both);
    expect(await winner.view()).toMatchObject({ status: 'active' });
    expect(await loser.view()).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
    expect(loser.atService.consent).toMatchObject({ result: 'cancelled', reason: 'cancelled_by_merchant' });
    await old.until('cancelled', ({ status }) => status === 'cancelled');
    expect(await old.view()).toMatchObject({ replacedBy: winner.id });

    await winner.collected(1);
    expect(both.flatMap(({ atService }) => atService.debits)).toHaveLength(1);
    expect(old.atService.debits).toHaveLength(1);
    const [ended] = (await eventsOf(world, loser)).filter(({ type }) => type === 'subscription.cancelled');
    expect(ended?.data).toMatchObject({ cancelledBy: 'merchant', reason: 'replaced_by_another' });
    expect((await loser.auditLog()).map(({ type }) => type)).not.toContain('consent.granted');
    expect(world.receiver.told(loser.id, 'subscription.cancelled')).toEqual([]);
    await winner.steer('cancel');
    await Promise.all([old, ...both].map((life) => life.agrees()));
  });
}

interface Created {
  readonly paymentId: string;
  readonly consent: { readonly redirectURL: string };
}

/** Does the work while the ledger does not know that this subscription replaces another. */
async function hidden<T>({ database }: World, { id, order }: Life, work: () => Promise<T>): Promise<T> {
  const pool = createPool({ databaseUrl: database.url, max: 1 });
  const put = 'update subscriptions set replaces = $2 where subscription_id = $1';
  await pool.query(put, [id, null]);
  const done = await work();
  await pool.query(put, [id, order.replaces]);
  await pool.end();
  return done;
}

/** The active one first. */
async function inOrder(both: readonly Life[]): Promise<[Life, Life]> {
  const [one, other] = both as [Life, Life];
  return (await one.view()).status === 'active' ? [one, other] : [other, one];
}

async function eventsOf({ admin }: World, { id }: Life) {
  const { body } = await admin.get<{ items: { type: string; data: Record<string, unknown> }[] }>(
    `/v1/subscriptions/${id}/events?limit=200`,
  );
  return body.items;
}

import { addMonths } from '../../src/domain/subscription/schedule';
import { DAY, toIso } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';
import type { AmountChange, ProblemBody } from './admin-api';
import type { Life } from './life';
import type { Stage } from './scenario';
import type { World } from './world';

function ask({ admin }: World, life: Life, cents: number, more: object = {}) {
  const body = { amount: { value: cents, currency: 'EUR' }, ...more };
  return admin.post<AmountChange & ProblemBody>(`/v1/subscriptions/${life.id}/amount-changes`, body);
}

/** Calendars as in lives.test.ts; `△` an increase. */
export function changeAmounts({ scenario }: Stage): void {
  /**
   *   D0        D31 … (asked only)
   *   ●  50.00  up to 500.00
   */
  scenario(
    'a monthly consent for 50.00 permits only that amount at first, then up to 500.00 and not a cent more',
    async (world) => {
      // Long, because the program has just started, and changes are requested before the first payment.
      const life = await world.order({ name: 'monthly', cents: 5000, repetition: 'MONTHLY', lead: 4 * DAY });
      await life.approvedWith('approves');
      expect(await ask(world, life, 4999, { dryRun: true })).toMatchObject({
        status: 409,
        body: { rule: 'first_payment', highestAllowed: { value: 5000 }, newConsentRequired: false },
      });
      await life.collected(1);

      expect(await ask(world, life, 50_001)).toMatchObject({
        status: 409,
        body: { code: 'amount_change_not_allowed', rule: 'cap', newConsentRequired: true },
      });
      expect(await ask(world, life, 50_000)).toMatchObject({
        status: 200,
        body: { kind: 'increase', countsAsIncrease: true, fromCycle: 1, dryRun: false },
      });
      await waitUntil(
        'the payer is notified',
        async () => (await life.view()).pendingAmountChange?.payerNotice !== 'sending',
      );
      const { body: schedule } = await world.admin.get<{ items: { amount: { value: number } }[] }>(
        `/v1/subscriptions/${life.id}/schedule?count=2`,
      );
      expect(schedule.items.map(({ amount }) => amount.value)).toEqual([50_000, 50_000]);
      const withdrawn = await world.admin.delete(`/v1/subscriptions/${life.id}/amount-changes/pending`);
      expect(withdrawn).toMatchObject({ status: 200, body: { amount: { value: 5000 } } });
      await life.steer('cancel');
      await life.agrees();
    },
  );

  /**
   *   D0        D7           D7 + 6 months
   *   ●  50.00  ● △ 60.00    △ again
   */
  scenario('a second increase waits for six months from the first debit at the higher amount', async (world) => {
    const life = await world.order({ name: 'raised', cents: 5000 });
    await life.approvedWith('approves');
    await life.collected(1);
    expect(await ask(world, life, 6000)).toMatchObject({ status: 200, body: { countsAsIncrease: true } });
    expect(await life.told('payment.increase_announced')).toBe(1);
    await life.collected(2);

    const [, raisedAt] = world.sandbox
      .payment(life.paymentId)
      .authorizations.map(({ createdAt }) => Date.parse(createdAt));
    const free = addMonths(raisedAt!, 6);
    // The first cycle that may wait for the increase: it is due at most 24 h before the increase is allowed.
    const first = Math.ceil((free - DAY - life.due(0)) / (7 * DAY));
    const early = await ask(world, life, 7000, { fromCycle: first - 1, dryRun: true });
    expect(early).toMatchObject({ status: 409, body: { rule: 'six_months', highestAllowed: { value: 6000 } } });
    expect(early.body.allowedFrom).toBe(toIso(free));
    expect((await ask(world, life, 7000, { fromCycle: first, dryRun: true })).status).toBe(200);
    expect(await ask(world, life, 4000, { dryRun: true })).toMatchObject({ status: 200, body: { kind: 'reduction' } });
    await life.steer('cancel');
    await life.agrees();
  });

  /**
   *   D0        D7
   *   ●  20.00  ■ the old one
   *             ●  30.00 the new one
   */
  scenario(
    'a new consent replaces the old one: one debit on the day, and the old subscription is cancelled',
    async (world) => {
      const old = await world.order({ name: 'old', cents: 2000 });
      await old.approvedWith('approves');
      await old.collected(1);
      const young = await world.order({ name: 'young', cents: 3000, firstPaymentAt: old.due(1), replaces: old.id });
      await young.approvedWith('approves');

      await old.until('cancelled', ({ status }) => status === 'cancelled');
      expect(await old.view()).toMatchObject({ cancelledBy: 'merchant', replacedBy: young.id });
      await young.collected(1);
      expect(old.atService.debits).toHaveLength(1);
      await young.steer('cancel');
      await Promise.all([old.agrees(), young.agrees()]);
    },
  );
}

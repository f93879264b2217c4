import { DAY, toIso } from '../../src/domain/time';
import { importFile } from '../support/import-call';
import { waitUntil } from '../support/wait-until';
import type { Cycle } from './admin-api';
import { collectedElsewhere, lineOf } from './elsewhere';
import type { Stage } from './scenario';
import { ADMIN_KEY } from './world';

const WEEK = 7 * DAY;

/** A mandate that another program of the merchant has started. */
export function takeOver({ scenario }: Stage): void {
  scenario('a mandate granted elsewhere continues here, at a lower amount, from its next due date', async (world) => {
    const elsewhere = await collectedElsewhere(world);
    const { paymentId, firstPaymentAt } = elsewhere;
    const { url } = await world.daemon.says('admin API on ');
    const line = {
      ...lineOf(elsewhere, 'taken-over'),
      amount: { value: 1500, currency: 'EUR' },
      endAt: toIso(firstPaymentAt + WEEK + 5 * DAY),
    };
    const unknown = { ...line, paymentId: 'pay_nobodys', subscriptionId: 'nobodys' };
    const answers = await importFile(
      url!,
      ADMIN_KEY,
      [line, unknown, line].map((each) => JSON.stringify(each)).join('\n'),
    );
    expect(answers).toMatchObject([
      { line: 1, subscriptionId: 'taken-over' },
      { line: 2, problem: { code: 'invalid_request', errors: [{ path: 'paymentId' }] } },
      { line: 3, subscriptionId: 'taken-over' },
    ]);
    const { body: imported } = await world.admin.get('/v1/subscriptions/taken-over');
    expect(imported).toMatchObject({
      status: 'active',
      paymentId,
      nextDueAt: toIso(firstPaymentAt + WEEK),
      cyclesCollected: 0,
      amount: { value: 1500 },
      consentAmount: { value: 1999 },
    });
    expect((await world.admin.get('/v1/subscriptions/nobodys')).status).toBe(404);

    const view = async () => (await world.admin.get<{ status: string }>('/v1/subscriptions/taken-over')).body;
    await waitUntil('it is completed', async () => (await view()).status === 'completed');

    const { body } = await world.admin.get<{ items: Cycle[] }>('/v1/subscriptions/taken-over/cycles');
    expect(body.items.map(({ cycle, status, amount }) => [cycle, status, amount.value])).toEqual([
      [1, 'collected', 1500],
    ]);
    const { debits } = world.sandbox.payment(paymentId);
    expect(debits.map(({ cycle, amount }) => [cycle, amount.value])).toEqual([
      [0, 1999],
      [1, 1500],
    ]);
  });
}

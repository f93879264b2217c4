import { DAY } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';
import type { ProblemBody } from './admin-api';
import { openStage } from './scenario';

/** Calendars as in lives.test.ts. */
const { scenario } = openStage();

/**
 *   D-1        D0   +12 h  +24 h  +36 h     D5         D5         then
 *   approved   ○ ✉  ○ ✉    ○ ✉    ○ past due  link ✕     link ●     good
 */
scenario(
  'a failed cycle is paid by a link once its window has closed, after a first link was declined',
  async (world) => {
    const life = await world.order({ name: 'paid-by-link', cents: 2600, lasts: 6 * DAY });
    await life.approvedWith('insufficient-funds-always');
    await life.until('past due', ({ standing }) => standing === 'past_due');
    const link = (key: string) =>
      world.admin.post<{ paymentId: string; redirectURL: string } & ProblemBody>(
        `/v1/subscriptions/${life.id}/cycles/0/payment-link`,
        { returnURL: 'https://shop.example/thanks', reason: 'the payer called' },
        key,
      );
    expect(await link('too-early')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });

    await world.reach(life.due(0) + 5 * DAY);
    const declined = await link('declined');
    expect(declined).toMatchObject({ status: 201, body: { redirectURL: expect.any(String) } });
    expect(await link('declined')).toMatchObject({ status: 201, body: declined.body });
    expect(await link('meanwhile')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const check = (id: string) => world.admin.post(`/v1/payments/${id}/consent-check`);
    world.sandbox.payer(declined.body.paymentId).decline();
    await check(declined.body.paymentId);
    await waitUntil('the link has ended', async () => (await life.cycles())[0]!.paymentLink?.state === 'ended');

    const paid = await link('paid');
    world.sandbox.payer(paid.body.paymentId).approve('approves');
    await check(paid.body.paymentId);
    await life.until('no longer past due', ({ standing }) => standing === 'good');

    const [cycle] = await life.cycles();
    const { paymentId } = paid.body;
    expect(cycle).toMatchObject({ status: 'failed', paymentLink: { paymentId, state: 'paid' }, refunds: [] });
    const debits = world.sandbox.debits().filter((each) => [life.paymentId, paymentId].includes(each.paymentId));
    expect(debits).toMatchObject([{ paymentId, amount: { value: 2600 } }]);
    const log = (await life.auditLog()).map(({ type }) => type).filter((type) => type.startsWith('payment_link'));
    expect(log).toEqual(['payment_link.created', 'payment_link.created', 'payment_link.paid']);
    expect(await link('again')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await life.agrees();
  },
);

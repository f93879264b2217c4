import { DAY, toIso } from '../../src/domain/time';
import type { Stage } from '../scenarios/scenario';

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
    // Until the payer has approved, however often it is tried.
    world.sandbox.faults.add({ kind: 'error_before_commit', match: { method: 'DELETE', path }, times: 1_000 });

    const cancelled = young.steer('cancel', { reason: 'ordered by mistake' });
    await old.until('it goes on at once', ({ nextDueAt }) => nextDueAt === toIso(old.due(1)));
    await young.payer('approve');
    world.sandbox.faults.clear();
    expect([200, 202]).toContain((await cancelled).status);
    await young.until('cancelled', ({ status, consent }) => status === 'cancelled' && consent.status === 'cancelled');

    const ended = await old.until('completed', ({ status }) => status === 'completed');
    expect(ended.replacedBy).toBeUndefined();
    await old.cyclesEnd('collected', 'collected');
    expect(young.atService.debits).toEqual([]);
    await Promise.all([old.agrees(), young.agrees()]);
  });
}

import { deliverDueNotices, type NoticeDeps } from '../jobs/deliver-notices';
import { nextNoticeTry } from '../ledger';
import type { DeliverNotices } from './conductor';

/** Delivers the notices of a ledger as the outbox does. */
export function deliveringFrom(outbox: Omit<NoticeDeps, 'notify'>): DeliverNotices {
  const { clock, db } = outbox;
  return async (notify) => {
    await deliverDueNotices({ ...outbox, notify });
    const next = await nextNoticeTry(db);
    // Real time passes as fast as business time here.
    return next === null ? null : clock.now() + Math.max(0, next - clock.realNow());
  };
}

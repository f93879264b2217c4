import { createClock } from '../../src/platform/clock';
import { createAddressCheck, createWebhookSender } from '../../src/webhooks';
import { type DeliveryDeps, deliverMessages } from '../../src/jobs/deliver-messages';
import type { Pool } from '../../src/ledger';
import { silentLog } from './silent-log';

/**
 * Delivers events as a process does; the test must cause no notices.
 * @param waits seconds between tries
 */
export function deliverEvents(db: Pool, waits: readonly number[], changes: Partial<DeliveryDeps> = {}) {
  const clock = createClock(null);
  const sender = createWebhookSender(createAddressCheck([], true), clock);
  const delivering = deliverMessages({
    db,
    sender,
    clock,
    logger: silentLog(),
    delivers: { notices: true, events: true },
    notifier: {
      deliver: async ({ id }) => {
        throw new Error(`the test must cause no notices, and ${id} arrived for delivery`);
      },
      close: async () => undefined,
    },
    noticeBackoff: [1],
    paymentPage: null,
    notify: async () => undefined,
    openSecret: (stored: string) => stored,
    env: null,
    waits,
    disableAfter: 3_600_000,
    probeEvery: 60_000,
    ...changes,
  });
  return {
    async stop(): Promise<void> {
      await delivering.stop();
      await sender.close();
    },
  };
}

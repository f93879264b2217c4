import { applyChange, recordDelivery } from '../../src/ledger';
import type { Subscribed, World } from './activity-world';

/** The payer has been notified of the failure of an attempt, which permits the next one (rule 13). */
export async function notified({ deps }: World, { subscriptionId }: Subscribed, attempt = 0, cycle = 0): Promise<void> {
  const { ledger, clock } = deps;
  const at = clock.now();
  const { noticeIds } = await applyChange(ledger, {
    subscriptionId,
    key: `test-notice/${cycle}/${attempt}`,
    at,
    actor: 'test',
    events: [],
    notices: [{ type: 'payment.failed', cycle, attempt, data: {} }],
  });
  const evidence = { status: 200 };
  for (const noticeId of noticeIds) {
    const delivered = { kind: 'delivered', at, realAt: clock.realNow(), channel: 'webhook', evidence } as const;
    await recordDelivery(ledger, noticeId, delivered);
  }
}

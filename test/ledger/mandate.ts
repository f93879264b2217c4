import type { PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { NewMandate } from '../../src/ledger';
import { DUE, draft, NOW } from './ledger-fixture';

/** A consent granted elsewhere, with three cycles already collected there. */
export function mandateOf(changes: Partial<NewMandate> = {}): NewMandate {
  const drafted = draft(changes);
  return {
    ...drafted,
    metadata: {},
    paymentId: `pay-${drafted.subscriptionId}` as PaymentId,
    amount: euros(1500),
    cycle: 3,
    dueAt: DUE,
    collectFrom: NOW - 1,
    consent: { collectedOnce: true, lastIncreaseAt: null, warnings: [] },
    carried: null,
    frozen: { policy: { offsets: [1000], transit: 0, gap: 0 }, spread: 0 },
    ...changes,
  };
}

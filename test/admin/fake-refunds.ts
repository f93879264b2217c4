import type { OrderRun, RefundWorkflows } from '../../src/temporal';
import type { RefundRecord } from '../../src/ledger';

/** Replaces the workflows of refunds. */
export class FakeRefunds implements RefundWorkflows {
  readonly ran: RefundRecord[] = [];
  readonly started: RefundRecord[] = [];
  onRun: (refund: RefundRecord) => Promise<OrderRun> | OrderRun = () => ({ kind: 'running' });
  onStart: (refund: RefundRecord) => OrderRun = () => ({ kind: 'running' });

  async run(refund: RefundRecord): Promise<OrderRun> {
    this.ran.push(refund);
    return this.onRun(refund);
  }

  async start(refund: RefundRecord): Promise<OrderRun> {
    this.started.push(refund);
    return this.onStart(refund);
  }
}

import type { RefundGateway, RefundRun } from '../../src/gateway';
import type { RefundRecord } from '../../src/ledger';

/** Stands where the workflows of refunds are. */
export class FakeRefunds implements RefundGateway {
  readonly ran: RefundRecord[] = [];
  readonly started: RefundRecord[] = [];
  onRun: (refund: RefundRecord) => Promise<RefundRun> | RefundRun = () => ({ kind: 'running' });
  onStart: (refund: RefundRecord) => RefundRun = () => ({ kind: 'running' });

  async run(refund: RefundRecord): Promise<RefundRun> {
    this.ran.push(refund);
    return this.onRun(refund);
  }

  async start(refund: RefundRecord): Promise<RefundRun> {
    this.started.push(refund);
    return this.onStart(refund);
  }
}

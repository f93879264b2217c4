import { latestOrderSend, type OrderSendRecord } from '../../src/ledger';
import { inSpan } from '../../src/tracing';
import type { Dependencies } from '../dependencies';
import { withHeartbeat } from '../stops';
import { type Order, type Ordering, orderingOf } from './order';
import { sendOrder } from './send';
import { pollOrder, settleOrder } from './settle';

/**
 * One order whole, safe to run any number of times: the ledger's row says how far it came, and a row without an outcome
 * is asked about, never sent again (rules 16, 18).
 * @param scheduledAt real time at which the workflow asked for it, epoch ms
 * @returns the final row.
 */
export function executeOrder(deps: Dependencies, order: Order, scheduledAt: number): Promise<OrderSendRecord> {
  const age = () => deps.clock.realNow() - scheduledAt;
  return withHeartbeat((progress) => execute(orderingOf(deps, order, progress, age)));
}

async function execute(ordering: Ordering): Promise<OrderSendRecord> {
  for (;;) {
    const row = await latestOrderSend(ordering.deps.ledger, ordering.order.subject.orderId);
    switch (row?.state) {
      case undefined:
      case 'not_sent':
        await inSpan('send order', () => sendOrder(ordering));
        break;
      case 'sending':
      case 'unknown':
      case 'unresolved':
        await inSpan('settle order', () => settleOrder(ordering, row));
        break;
      case 'pending':
        await inSpan('poll order', () => pollOrder(ordering, row));
        break;
      case 'successful':
      case 'failed':
        return row;
    }
  }
}

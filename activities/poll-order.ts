import type { ApplicationFailure } from '@temporalio/common';
import type { OrderSendRecord } from '../src/ledger';
import { growingPause, tryAgain } from './failures';
import { type Ordering, recordOrder, type ServiceRecord } from './ordering';
import { describe, retryAfter } from './service-answers';

/** Asks until the order is final. Pending is never sent again or counted as failed, however long it takes (decisions 10, 18). */
export async function pollOrder<R extends ServiceRecord>(ordering: Ordering<R>, row: OrderSendRecord): Promise<void> {
  const { order, progress } = ordering;
  const { serviceId, kind } = row;
  progress(kind, { serviceId });
  const listed = await order.list();
  if (listed.kind !== 'accepted') throw stillPending(ordering, row, describe(listed), retryAfter(listed));
  const found = listed.value.find((each) => order.idOf(each) === serviceId);
  switch (found?.status) {
    case undefined:
      throw stillPending(ordering, row, 'the service does not list it');
    case 'pending':
      throw stillPending(ordering, row, 'the service says pending');
    case 'successful':
      return recordOrder(ordering, row, {
        ...{ state: 'successful', serviceId: order.idOf(found), createdAt: found.createdAt },
      });
    case 'failed': {
      const { createdAt, detail = `${kind.toUpperCase()}_FAILED`, description = '' } = found;
      return recordOrder(ordering, row, {
        ...{ state: 'failed', detail, description },
        ...{ serviceId: order.idOf(found), createdAt },
      });
    }
  }
}

function stillPending<R extends ServiceRecord>(
  { deps }: Ordering<R>,
  row: OrderSendRecord,
  why: string,
  atLeast = 0,
): ApplicationFailure {
  const age = deps.clock.realNow() - row.sendingRealAt;
  return tryAgain('pending', `${row.kind} ${row.serviceId ?? ''}: ${why}`, Math.max(growingPause(age), atLeast));
}

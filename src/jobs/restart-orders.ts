import { HOUR, MINUTE } from '../domain/time';
import type { OrderRun } from '../temporal';
import { getCapture, getRefund, listOpenOrders, type OpenOrder, type OpenOrderPosition } from '../ledger';
import { startRound, type JobDeps, type Work } from './repeated-work';

/**
 * Starts the workflows of orders in the ledger that were never started, however old: a process may have died, or Temporal may have
 * been unavailable, between the order's commit and the start. No order accepted by the ledger is lost.
 */
export function startOrphanedOrders(deps: JobDeps): Work {
  // Orders of the last minute are left to the request that created them.
  return startRound(deps, findOpen(deps, 'not_started', MINUTE));
}

/**
 * Restarts the workflows of orders that were sent and are not final: Temporal may have been restored, or a workflow terminated. A
 * running workflow is joined; a restarted one first settles what was sent before (rule 16).
 */
export function restartOrders(deps: JobDeps): Work {
  return startRound(deps, findOpen(deps, 'started', HOUR));
}

/** @param age minimum age of an order in real ms */
function findOpen(deps: JobDeps, which: Parameters<typeof listOpenOrders>[1], age: number) {
  return async (after: OpenOrderPosition | null, limit: number) => {
    const open = await listOpenOrders(deps.db, which, { before: deps.clock.realNow() - age, after, limit });
    return open.map((order) => ({
      position: order,
      name: `the ${order.kind} ${order.orderId}`,
      begin: () => (order.kind === 'refund' ? beginRefund(deps, order) : beginCapture(deps, order)),
    }));
  };
}

async function beginRefund({ db, refunds }: JobDeps, { orderId }: OpenOrder): Promise<OrderRun> {
  const refund = await getRefund(db, orderId);
  if (refund === null) throw new Error(`the refund ${orderId} is open but not in the ledger`);
  return refunds.start(refund);
}

async function beginCapture({ db, payments }: JobDeps, { orderId }: OpenOrder): Promise<OrderRun> {
  const capture = await getCapture(db, orderId);
  if (capture === null) throw new Error(`the capture ${orderId} is open but not in the ledger`);
  return payments.startCapture(capture);
}

import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '../domain/time';
import type { OrderRun } from '../temporal';
import { getCapture, getRefund, listOpenOrders, type OpenOrder, type OpenOrderPlace } from '../ledger';
import { goRound, type JobDeps, workRepeatedly } from './repeated-work';

/**
 * Starts orders that are in the ledger and were never started, however old, when the API comes up and every minute of real time: a
 * process may have died, or Temporal been away, between the order and the start. Nothing that the ledger has taken is lost.
 */
export function startOrphanedOrders(app: FastifyInstance, deps: JobDeps): void {
  // Orders of the last minute are left to the request that placed them.
  workRepeatedly(app, MINUTE, goRound(deps, { what: 'orders', find: findOpen(deps, 'not_begun', MINUTE) }));
}

/**
 * Begins again what was sent and is not final: Temporal may have been restored, or a workflow terminated, since. What is
 * under way is joined; what is begun anew asks for what was sent before (rule 16).
 */
export function restartOrders(app: FastifyInstance, deps: JobDeps): void {
  workRepeatedly(app, HOUR, goRound(deps, { what: 'orders', find: findOpen(deps, 'begun', HOUR) }));
}

/** @param age real ms that an order must have */
function findOpen(deps: JobDeps, which: Parameters<typeof listOpenOrders>[1], age: number) {
  return async (after: OpenOrderPlace | null, limit: number) => {
    const open = await listOpenOrders(deps.db, which, { before: deps.clock.realNow() - age, after, limit });
    return open.map((order) => ({
      place: order,
      name: `the ${order.kind} ${order.orderId}`,
      begin: () => (order.kind === 'refund' ? beginRefund(deps, order) : beginCapture(deps, order)),
    }));
  };
}

async function beginRefund({ db, refunds }: JobDeps, { orderId }: OpenOrder): Promise<OrderRun> {
  const refund = await getRefund(db, orderId);
  if (refund === null) throw new Error(`the refund ${orderId} is open and is not in the ledger`);
  return refunds.start(refund);
}

async function beginCapture({ db, payments }: JobDeps, { orderId }: OpenOrder): Promise<OrderRun> {
  const capture = await getCapture(db, orderId);
  if (capture === null) throw new Error(`the capture ${orderId} is open and is not in the ledger`);
  return payments.startCapture(capture);
}

import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '../domain/time';
import type { OrderRun } from '../gateway';
import {
  getCapture,
  getPayment,
  getRefund,
  listOpenOrders,
  type OpenOrder,
  type OpenOrderPlace,
  queueOrphan,
  type ReleasePlace,
  releasesUnconfirmed,
} from '../ledger';
import { goRound, type JobDeps, type Work, workRepeatedly } from './repeated-work';

/**
 * Starts orders that are in the ledger and were never started, however old, when the API comes up and every minute of real time: a
 * process may have died, or Temporal been away, between the order and the start. Nothing that the ledger has taken is lost.
 */
export function startOrphanedOrders(app: FastifyInstance, deps: JobDeps): void {
  // Orders of the last minute are left to the request that placed them.
  const beginOrders = goRound(deps, { what: 'orders', find: findOpen(deps, 'not_begun', MINUTE) });
  const looks = [beginOrders, askForReleases(deps)];
  workRepeatedly(app, MINUTE, async (signal) => {
    await Promise.all(looks.map((look) => look(signal)));
  });
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

/** Where the payment's workflow has ended, it is restarted, and takes the captures up (rule 30). */
async function beginCapture({ db, payments, clock }: JobDeps, { orderId, paymentId }: OpenOrder): Promise<OrderRun> {
  const [capture, payment] = [await getCapture(db, orderId), await getPayment(db, paymentId)];
  if (capture === null || payment === null) throw new Error(`the capture ${orderId} is of no payment`);
  const run = await payments.startCapture(payment, capture);
  if (run.kind === 'finished') await queueOrphan(db, { kind: 'payment', id: paymentId }, clock.now());
  return run;
}

/**
 * Looks for releases that were ordered and that the service has not confirmed: the process that was to start them may
 * have died. A release that is under way is joined, not started twice.
 */
function askForReleases(deps: JobDeps): Work {
  const { db, payments } = deps;
  const find = async (after: ReleasePlace | null, limit: number) => {
    const found = await releasesUnconfirmed(db, after, limit);
    return found.map((payment) => ({
      place: payment,
      name: `the release of payment ${payment.paymentId}`,
      begin: () => payments.steer('release', payment, { actor: 'dueday', reason: null }),
    }));
  };
  return goRound(deps, { what: 'releases', find });
}

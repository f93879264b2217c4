import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '../domain/instant';
import type { OrderId } from '../domain/ids';
import { capturesNotBegun, getPayment, type OrderedWithin, refundsNotBegun } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { loggable } from './error-answers';
import type { OrderRun } from './payment-gateway';
import { askForReleases } from './releases-left-behind';

const AT_ONCE = 100;
/** The clocks of several processes may differ; starting again what runs already does nothing. */
const LOOK_BACK = HOUR;

interface LeftBehind {
  readonly orderId: OrderId;
  /** Real time. */
  readonly createdRealAt: number;
  readonly start: () => Promise<OrderRun>;
}

type Find = (deps: AdminDeps, within: OrderedWithin) => Promise<readonly LeftBehind[]>;

/**
 * Starts what was ordered and never begun, when the API comes up and every minute of real time: a process may have died,
 * or Temporal been away, between the order and the start. Nothing that the ledger has taken is lost.
 */
export function startOrdersLeftBehind(app: FastifyInstance, deps: AdminDeps): void {
  const looks = [lookFor(deps, refundsLeft), lookFor(deps, capturesLeft), () => askForReleases(deps)];
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    running = running.then(() => Promise.all(looks.map((one) => one())));
  };
  app.addHook('onReady', async () => {
    look();
    timer = setInterval(look, MINUTE).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await running;
  });
}

/** One look after the other, each from where the one before has come to. */
function lookFor(deps: AdminDeps, find: Find): () => Promise<void> {
  let from = 0;
  return async () => {
    from = await startThose(deps, find, from);
  };
}

const refundsLeft: Find = async ({ db, refunds }, within) => {
  const found = await refundsNotBegun(db, within, AT_ONCE);
  return found.map((refund) => ({
    ...{ orderId: refund.refundId, createdRealAt: refund.createdRealAt },
    start: () => refunds.start(refund),
  }));
};

const capturesLeft: Find = async ({ db, payments }, within) => {
  const found = await capturesNotBegun(db, within, AT_ONCE);
  return found.map((capture) => ({
    ...{ orderId: capture.orderId, createdRealAt: capture.createdRealAt },
    start: async () => {
      const payment = await getPayment(db, capture.paymentId);
      if (payment === null) throw new Error(`the capture ${capture.orderId} is of no payment`);
      return payments.startCapture(payment, capture);
    },
  }));
};

/**
 * Those ordered since `from`, real time. What cannot be started now will be in a minute.
 * @returns from when on to look the next time: all before it has been started.
 */
async function startThose(deps: AdminDeps, find: Find, from: number): Promise<number> {
  const { clock, logger } = deps;
  const before = clock.realNow() - MINUTE;
  try {
    const found = await find(deps, { from, before });
    for (const { orderId, createdRealAt, start } of found) {
      const { kind } = await start();
      if (kind === 'not_ready') return createdRealAt;
      if (kind === 'finished') logger.warn({ orderId }, 'an order was left behind by a workflow that has ended');
      else logger.debug({ orderId }, 'an order left behind was started');
    }
    const last = found.at(-1);
    return found.length === AT_ONCE && last !== undefined ? last.createdRealAt : before - LOOK_BACK;
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'orders left behind could not be looked for');
    return from;
  }
}

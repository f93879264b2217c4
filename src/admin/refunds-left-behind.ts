import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '../domain/instant';
import { refundsNotBegun } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { loggable } from './error-answers';

const AT_ONCE = 100;
/** The clocks of several processes may differ; starting again what runs already does nothing. */
const LOOK_BACK = HOUR;

/**
 * Starts what was ordered and never begun, when the API comes up and every minute of real time: a process may have died,
 * or Temporal been away, between the order and the start. Nothing that the ledger has taken is lost.
 */
export function startRefundsLeftBehind(app: FastifyInstance, deps: AdminDeps): void {
  let running: Promise<number> = Promise.resolve(0);
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    running = running.then((from) => startThose(deps, from));
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

/**
 * Those ordered since `from`, real time. What cannot be started now will be in a minute.
 * @returns from when on to look the next time: all before it has been started.
 */
async function startThose({ db, clock, logger, refunds }: AdminDeps, from: number): Promise<number> {
  const before = clock.realNow() - MINUTE;
  try {
    const found = await refundsNotBegun(db, { from, before }, AT_ONCE);
    for (const refund of found) {
      const { kind } = await refunds.start(refund);
      if (kind === 'not_ready') return refund.createdRealAt;
      logger.debug({ refundId: refund.refundId }, 'a refund left behind was started');
    }
    const last = found.at(-1);
    return found.length === AT_ONCE && last !== undefined ? last.createdRealAt : before - LOOK_BACK;
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'refunds left behind could not be looked for');
    return from;
  }
}

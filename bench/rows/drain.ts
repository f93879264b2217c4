import { atMost, type Row } from '../row';
import type { Drainable } from '../worlds/contender';
import { createDueday, defaultSizes } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drainStruck, SETTLED_SOON, type Survived } from './draining';

/** Seconds after which Temporal gives the activity of a dead worker to another one. */
const HEARTBEAT_TIMEOUT = 20;
/** Seconds that may be lost in addition. */
const ALLOWANCE_SECONDS = 2;
const WORKERS = 2;

/** Each pair drains two batches of the same size, one undisturbed and one with a kill, in alternating order. */
export const drain: Row = {
  about: `What killing one of ${WORKERS} workers in a storm costs, in seconds of the steady rate, compared with the heartbeat time-out plus ${ALLOWANCE_SECONDS} s`,
  counts: 'subscriptions due in one instant',
  size: 1000,
  pairs: 1,
  run: ({ size, pairs, say }) =>
    withWorld(null, async (world) => {
      const dueday = createDueday(world);
      const settling: Drainable = { ...dueday, startWorker: () => dueday.startWorker(SETTLED_SOON) };
      const lost: number[] = [];
      const drained: Survived[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        const order = pair % 2 === 0 ? [false, true] : [true, false];
        const seconds = { calm: 0, struck: 0 };
        for (const isStruck of order) {
          const survived = await drainStruck(world, settling, { count: size, workers: WORKERS, isStruck });
          say(`pair ${pair + 1} of ${pairs}, ${isStruck ? 'one killed' : 'no kill'}: ${JSON.stringify(survived)}`);
          seconds[isStruck ? 'struck' : 'calm'] = survived.seconds;
          drained.push(survived);
        }
        lost.push(Math.max(0, seconds.struck - seconds.calm));
      }
      const target = atMost('seconds lost, of the heartbeat time-out + 2 s', 1);
      return {
        outcomes: [
          { target, unit: 's', subject: lost, reference: lost.map(() => HEARTBEAT_TIMEOUT + ALLOWANCE_SECONDS) },
        ],
        settings: {
          workers: WORKERS,
          slots: defaultSizes().slots.collecting,
          'heartbeat time-out, s': HEARTBEAT_TIMEOUT,
          'settled after, s': Number(SETTLED_SOON.PAYMENT_SERVICE_SETTLE_SECONDS),
          'double debits': drained.reduce((sum, { doubles }) => sum + doubles, 0),
        },
      };
    }),
};

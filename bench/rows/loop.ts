import { atMost, interleave, type Outcome, outcomeOf, type Row, type RowOrder } from '../row';
import { createLoop } from '../worlds/bare';
import type { Drainable } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { withWorld, type World } from '../worlds/world';
import { drain, drainStruck, SETTLED_SOON } from './draining';

/** Requests that the service accepts in any one second. */
const CAP = 100;
/** The loop's own rate, lower by a margin for variations of the latency to the service. */
const LOOP_RATE = 97;

async function measure(world: World, order: RowOrder) {
  const { size, say } = order;
  const dueday = createDueday(world);
  const cap = { PAYMENT_SERVICE_MAX_RPS: String(CAP) };
  const capped: Drainable = { ...dueday, startWorker: () => dueday.startWorker(cap) };
  const settling: Drainable = { ...dueday, startWorker: () => dueday.startWorker({ ...cap, ...SETTLED_SOON }) };
  const loop = createLoop(world, LOOP_RATE);
  const refused: Record<'subject' | 'reference', number> = { subject: 0, reference: 0 };
  const drained = async (who: 'subject' | 'reference', contender: Drainable) => {
    await world.capService(CAP);
    const { rate } = await drain(world, contender, size);
    refused[who] += await world.capService(CAP);
    return { seconds: size / rate };
  };
  const times = await interleave(
    order,
    () => drained('subject', capped),
    () => drained('reference', loop),
  );
  const alone = { count: size, workers: 1, isStruck: true };
  const killed = {
    subject: await drainStruck(world, settling, alone),
    loop: await drainStruck(world, loop, alone),
  };
  say(`kill -9 in the middle: ${JSON.stringify(killed)}`);
  return { times, refused, killed };
}

export const loop: Row = {
  about: `Many due in one instant at a service that takes ${CAP} requests per second, compared with a loop over PostgreSQL's rows with the same calls and commits; then both with kill -9 in the middle`,
  counts: 'subscriptions due in one instant',
  size: 1000,
  // The service's cap determines the speed of both, so that pairs differ little.
  pairs: 1,
  run: (order) =>
    withWorld(null, async (world) => {
      const { times, refused, killed } = await measure(world, order);
      const once: Outcome = {
        target: { name: 'debits with kill -9 in the middle, of those due', relation: 'exactly', value: 1 },
        unit: 'debits',
        subject: [killed.subject.debits],
        reference: [order.size],
      };
      const slower = atMost('time until all are collected', 1.1);
      return {
        outcomes: [outcomeOf(times, slower, 's', ({ seconds }) => seconds), once],
        settings: {
          'requests per second': CAP,
          "the loop's pace": LOOP_RATE,
          'refused with 429': refused.subject,
          "the loop's refused": refused.reference,
          'double debits with kill -9': killed.subject.doubles,
          "the loop's double debits": killed.loop.doubles,
          'seconds with kill -9': Math.round(killed.subject.seconds),
          "the loop's": Math.round(killed.loop.seconds),
        },
      };
    }),
};

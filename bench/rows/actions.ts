import { atMost, interleave, type Outcome, type Pairs, type RowOrder, type Row, type Target } from '../row';
import { createBare } from '../worlds/bare';
import { type Batch, type Contender, untilCollected, untilIdle } from '../worlds/contender';
import { type CountingProxy, startCountingProxy } from '../worlds/counting-proxy';
import { createDueday } from '../worlds/dueday';
import { dispatchesOf } from '../worlds/histories';
import { withWorld, type World } from '../worlds/world';

/** What one cycle costs. */
interface Actions {
  readonly dispatches: number;
  readonly heartbeats: number;
  readonly commits: number;
}

interface Booking {
  /** Real ms after which the service books a debit. */
  readonly ms: number;
  readonly pairs: number;
  readonly dispatches: Target;
}

const BOOKINGS: readonly Booking[] = [
  { ms: 500, pairs: 3, dispatches: atMost('dispatches, booked in 0.5 s', 1.2) },
  { ms: 5_000, pairs: 3, dispatches: atMost('dispatches, booked in 5 s', 1.2) },
  { ms: 60_000, pairs: 1, dispatches: atMost('dispatches, booked in 60 s', 3) },
];

const READY_IN = 4_000;
let batches = 0;

async function act(world: World, proxy: CountingProxy, contender: Contender, sized: Booking & { size: number }) {
  batches += 1;
  const { size: count, ms } = sized;
  const worker = await contender.startWorker({ TEMPORAL_ADDRESS: proxy.address });
  const firstDueAt = Date.now() + READY_IN;
  const batch: Batch = { prefix: `actions${batches}`, count, firstDueAt, word: `slow-${ms}` };
  await contender.begin(batch);
  const [beats, commits] = [proxy.count('RecordActivityTaskHeartbeat'), await world.commits()];
  await untilCollected(contender, batch, count, 60_000 + 3 * ms);
  const written = (await world.commits()) - commits;
  // Temporal writes the start of an activity into the history only together with its result.
  await untilIdle(worker);
  const ids = Array.from({ length: count }, (_, index) => contender.workflowId(batch, index));
  const dispatches = await Promise.all(ids.map((id) => dispatchesOf(world, id)));
  await worker.stop();
  return {
    dispatches: dispatches.reduce((sum, each) => sum + each, 0) / count,
    heartbeats: (proxy.count('RecordActivityTaskHeartbeat') - beats) / count,
    commits: written / count,
  };
}

async function measure(order: RowOrder): Promise<readonly [Booking, Pairs<Actions>][]> {
  return withWorld(null, async (world) => {
    const proxy = await startCountingProxy(world.temporalAddress);
    const [dueday, bare] = [createDueday(world), createBare(world)];
    const measured: [Booking, Pairs<Actions>][] = [];
    for (const booking of BOOKINGS) {
      const sized = { ...booking, size: order.size };
      order.say(`booked in ${booking.ms} ms`);
      const pairs = await interleave(
        { ...order, pairs: Math.min(order.pairs, booking.pairs) },
        () => act(world, proxy, dueday, sized),
        () => act(world, proxy, bare, sized),
      );
      measured.push([booking, pairs]);
    }
    proxy.close();
    return measured;
  });
}

export const actions: Row = {
  about: 'Dispatches, heartbeats and commits per collected cycle, compared with one activity that polls in its process',
  counts: 'subscriptions',
  size: 20,
  pairs: 3,
  async run(order) {
    const measured = await measure(order);
    const outcomes = measured.map(([{ dispatches: target }, { subject, reference }]): Outcome => {
      const count = ({ dispatches }: Actions) => dispatches;
      return { target, unit: 'dispatches', subject: subject.map(count), reference: reference.map(count) };
    });
    const others = measured.flatMap(([{ ms }, pairs]) =>
      (['heartbeats', 'commits'] as const).map((what): [string, string] => {
        const shown = (all: readonly Actions[]) => all.map((each) => each[what].toFixed(1)).join(' ');
        return [`${what} at ${ms} ms`, `${shown(pairs.subject)} compared with ${shown(pairs.reference)}`];
      }),
    );
    return { outcomes, settings: Object.fromEntries(others) };
  },
};

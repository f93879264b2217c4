import { DAY, toIso } from '../../src/domain/time';
import { percentile } from '../../test/storm/measure';
import { eachOf } from '../../test/support/each-of';
import { createBareSubscription } from '../references/creation';
import { atMost, interleave, outcomeOf, type Row } from '../row';
import { type Api, startApi } from '../worlds/api';
import { createBare } from '../worlds/bare';
import { CENTS, createDueday } from '../worlds/dueday';
import { withWorld, type World } from '../worlds/world';

const CALLERS = 16;
const WARM_UP = 40;

interface Created {
  /** Creations per second. */
  readonly rate: number;
  /** Ms until the answer. */
  readonly p99: number;
}

async function measure(count: number, create: () => Promise<void>): Promise<Created> {
  await eachOf(WARM_UP, CALLERS, create);
  const waits: number[] = [];
  const startedAt = performance.now();
  await eachOf(count, CALLERS, async () => {
    const asked = performance.now();
    await create();
    waits.push(performance.now() - asked);
  });
  return { rate: (count * 1000) / (performance.now() - startedAt), p99: percentile(waits, 99) };
}

async function ours(world: World, count: number): Promise<Created> {
  const worker = await createDueday(world).startWorker();
  const api = await startApi(world);
  const created = await measure(count, () => createSubscription(api));
  await Promise.all([api.program.stop(), worker.stop()]);
  return created;
}

async function createSubscription(api: Api): Promise<void> {
  const first = toIso(Date.now() + 30 * DAY);
  const body = {
    amount: { value: CENTS, currency: 'EUR' },
    repetition: 'WEEKLY',
    startAt: first,
    firstPaymentAt: first,
    returnURL: 'https://shop.example/return',
    billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    payer: { email: 'ada@payer.example', reference: 'bench' },
  };
  await api.post('/v1/subscriptions', body, [201]);
}

async function theirs(world: World, count: number): Promise<Created> {
  const worker = await createBare(world).startWorker();
  const due = Date.now() + 30 * DAY;
  const created = await measure(count, () => createBareSubscription(world.client, world.bare, due, CENTS));
  await worker.stop();
  return created;
}

export const create: Row = {
  about:
    'Creations over the admin API, compared with update-with-start of a bare workflow with the same calls and commits',
  counts: 'creations',
  size: 300,
  pairs: 3,
  run: (asked) =>
    withWorld(null, async (world) => {
      const measured = await interleave(
        asked,
        () => ours(world, asked.size),
        () => theirs(world, asked.size),
      );
      const faster = { name: 'creations per second', relation: 'at least', value: 0.85 } as const;
      const sooner = atMost('p99 of one', 1.2);
      return {
        outcomes: [
          outcomeOf(measured, faster, 'creations/s', ({ rate }) => rate),
          outcomeOf(measured, sooner, 'ms', ({ p99 }) => p99),
        ],
        settings: { callers: CALLERS, warmed: WARM_UP },
      };
    }),
};

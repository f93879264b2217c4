import { DAY, toIso } from '../../src/domain/time';
import { importFile } from '../../test/support/import-call';
import { copyInto } from '../references/copy';
import { interleave, outcomeOf, type Row } from '../row';
import { startApi } from '../worlds/api';
import { createBare } from '../worlds/bare';
import { type Batch, nameOf, paymentOf, untilIdle } from '../worlds/contender';
import { CENTS, createDueday } from '../worlds/dueday';
import { withWorld, type World } from '../worlds/world';

const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

interface Imported {
  /** A second. */
  readonly rate: number;
  /** Processor time of the worker each, until the last is answered; ms. */
  readonly cpu: number;
}

let batches = 0;

/** Granted elsewhere, collected there before, due here for the first time in a month. */
function batchOf(count: number): Batch {
  batches += 1;
  return { prefix: `import${batches}`, count, firstDueAt: Date.now() + 30 * DAY };
}

function lineOf(batch: Batch, index: number): string {
  const first = toIso(batch.firstDueAt - 70 * DAY);
  const amount = { value: CENTS, currency: 'EUR' };
  return JSON.stringify({
    subscriptionId: nameOf(batch, index),
    paymentId: paymentOf(batch, index),
    amount,
    consentAmount: amount,
    repetition: 'WEEKLY',
    startAt: first,
    firstPaymentAt: first,
    collectFrom: toIso(batch.firstDueAt),
    billingAddress: ADDRESS,
    payer: { reference: nameOf(batch, index) },
  });
}

async function ours(world: World, count: number): Promise<Imported> {
  const [worker, api] = [await createDueday(world).startWorker(), await startApi(world)];
  const batch = batchOf(count);
  const file = Array.from({ length: count }, (_, index) => `${lineOf(batch, index)}\n`).join('');
  await untilIdle(worker);
  const [cpu, begun] = [await worker.cpu(), performance.now()];
  const answers = await importFile(api.url, api.key, file);
  const took = performance.now() - begun;
  const spent = (await worker.cpu()) - cpu;
  const refused = answers.find(({ problem }) => problem !== undefined);
  if (refused !== undefined || answers.length !== count) {
    throw new Error(`${answers.length} of ${count} lines were answered; ${JSON.stringify(refused ?? null)}`);
  }
  await Promise.all([api.program.stop(), worker.stop()]);
  return { rate: (1000 * count) / took, cpu: spent / count };
}

/** The rows in one statement, then the workflows. */
async function theirs(world: World, count: number): Promise<Imported> {
  const bare = createBare(world);
  const worker = await bare.startWorker();
  const batch = batchOf(count);
  const rows = Array.from({ length: count }, (_, index) => [
    ...[nameOf(batch, index), paymentOf(batch, index), 'active', toIso(batch.firstDueAt)],
  ]);
  await untilIdle(worker);
  const [cpu, begun] = [await worker.cpu(), performance.now()];
  await copyInto(world.bare, 'subscriptions', ['id', 'payment_id', 'status', 'due_at'], rows);
  await bare.start(batch);
  const took = performance.now() - begun;
  const spent = (await worker.cpu()) - cpu;
  await worker.stop();
  return { rate: (1000 * count) / took, cpu: spent / count };
}

export const imports: Row = {
  about:
    'Mandates imported over the admin API, each asked for at the service, beside starts of the bare workflow and one copy of their rows',
  counts: 'imports',
  size: 10_000,
  pairs: 1,
  run: (order) =>
    withWorld(null, async (world) => {
      const measured = await interleave(
        order,
        () => ours(world, order.size),
        () => theirs(world, order.size),
      );
      const target = { name: 'imports a second', relation: 'at least', value: 0.6 } as const;
      const shown = (all: readonly Imported[]) => all.map(({ cpu }) => cpu.toFixed(1)).join(' ');
      return {
        outcomes: [outcomeOf(measured, target, 'imports/s', ({ rate }) => rate)],
        settings: {
          "ms of the worker's CPU an import": shown(measured.subject),
          "the reference's": shown(measured.reference),
        },
      };
    }),
};

import { DAY, toIso } from '../../src/domain/time';
import { importFile } from '../../test/support/import-call';
import { waitUntil } from '../../test/support/wait-until';
import { copyInto } from '../references/copy';
import { interleave, outcomeOf, type Row } from '../row';
import { startApi } from '../worlds/api';
import { createBare } from '../worlds/bare';
import { type Batch, nameOf, paymentOf, untilIdle } from '../worlds/contender';
import { CENTS, createDueday } from '../worlds/dueday';
import { withWorld, type World } from '../worlds/world';

const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

interface Imported {
  /** Lines answered and workflows started per second, both measured from the first line on. */
  readonly answered: number;
  readonly started: number;
  /** Processor time per line of the contender's own processes, until the last workflow is started, ms. */
  readonly cpu: number;
}

let batches = 0;

/** Mandates that another system has collected so far, due here for the first time in a month. */
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
  const cpuOfBoth = async () => (await worker.cpu()) + (await api.program.cpu());
  const [cpu, startedAt] = [await cpuOfBoth(), performance.now()];
  const answers = await importFile(api.url, api.key, file);
  const answered = performance.now() - startedAt;
  await waitUntil('every workflow is started', () => areStarted(world), MAX_WAIT);
  const started = performance.now() - startedAt;
  const spent = (await cpuOfBoth()) - cpu;
  const refused = answers.find(({ problem }) => problem !== undefined);
  if (refused !== undefined || answers.length !== count) {
    throw new Error(`${answers.length} of ${count} lines were answered; ${JSON.stringify(refused ?? null)}`);
  }
  await Promise.all([api.program.stop(), worker.stop()]);
  return { answered: (1000 * count) / answered, started: (1000 * count) / started, cpu: spent / count };
}

/** Real ms until every workflow must be started. */
const MAX_WAIT = 600_000;

async function areStarted({ ledger }: World): Promise<boolean> {
  return (await ledger.query('select from workflow_starts limit 1')).rowCount === 0;
}

/** Copies the rows in one statement, then starts the workflows. */
async function theirs(world: World, count: number): Promise<Imported> {
  const bare = createBare(world);
  const worker = await bare.startWorker();
  const batch = batchOf(count);
  const rows = Array.from({ length: count }, (_, index) => [
    ...[nameOf(batch, index), paymentOf(batch, index), 'active', toIso(batch.firstDueAt)],
  ]);
  await untilIdle(worker);
  const [cpu, startedAt] = [await worker.cpu(), performance.now()];
  await copyInto(world.bare, 'subscriptions', ['id', 'payment_id', 'status', 'due_at'], rows);
  await bare.start(batch);
  const took = performance.now() - startedAt;
  const spent = (await worker.cpu()) - cpu;
  await worker.stop();
  const rate = (1000 * count) / took;
  return { answered: rate, started: rate, cpu: spent / count };
}

const ANSWERED = { name: 'lines answered per second', relation: 'at least', value: 5 } as const;
const STARTED = { name: 'workflows started per second', relation: 'at least', value: 0.8 } as const;

export const imports: Row = {
  about:
    'Mandates imported over the admin API, each read at the service, until they are answered and until their workflows are started, compared with starts of the bare workflow and one copy of their rows',
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
      const shown = (all: readonly Imported[]) => all.map(({ cpu }) => cpu.toFixed(1)).join(' ');
      return {
        outcomes: [
          outcomeOf(measured, ANSWERED, 'lines/s', ({ answered }) => answered),
          outcomeOf(measured, STARTED, 'starts/s', ({ started }) => started),
        ],
        settings: {
          'ms of CPU an import, worker and API': shown(measured.subject),
          "the reference's": shown(measured.reference),
        },
      };
    }),
};

/**
 * `npm run soak -- --hours N [--state FOLDER] [--seed N]`: the faults of `npm run outages` at random, one after the other, on
 * Temporal's server (built with Go once) and PostgreSQL, with payers who fall due meanwhile. Memory and descriptors of each process,
 * its lines and the sizes of the tables are measured every 15 seconds and drawn as SVG in the state folder. One sitting takes at most
 * two hours; run again with the same folder, it goes on until so many hours are full, with servers and processes of its own. Needs a
 * build. Last line: `soak: H of N hours, N faults, 0 double debits, 0 growing`.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { openTemporalCluster } from '../cluster/temporal-cluster';
import { FAULTS } from '../outages/faults';
import { debitsOf, openStage, type Stage, untilCollected } from '../outages/stage';
import { runCampaign, say } from '../support/campaign';
import { interruption, unlessAborted } from '../support/interruption';
import { Deck, Draw } from '../torture/draw';
import { measureEvery } from './measure';
import { growthOf, NOTHING, readSoaked, type Soaked, writeSoaked } from './record';

const MAX_SESSION = 2 * HOUR;
const MEASURED_EVERY = 15 * SECOND;
/** Real ms for which a fault lasts. */
const LASTS = [20 * SECOND, 90 * SECOND] as const;
/** Real ms between two faults. */
const GOOD_TIME = [20 * SECOND, 60 * SECOND] as const;
/** Real ms from their creation after which the payers of a round fall due. */
const DUE_IN = [30, 60, 90, 120].map((seconds) => seconds * SECOND);
const ROLES = ['worker', 'api'];
/** What may be more in the last third than in the second: Node.js returns memory late. */
const MEMORY_MAY_GROW = 1.25;
const DESCRIPTORS_MAY_GROW = 10;

interface Order {
  /** Real ms of the whole soak, over all runs. */
  readonly lasts: number;
  readonly folder: string;
  readonly seed: number;
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '2' },
      state: { type: 'string', default: join(__dirname, '../../dist/soak') },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
  });
  const [hours, seed] = [Number(values.hours), Number(values.seed)];
  if (!(hours > 0)) throw new RangeError(`--hours: expected a number above 0; got ${values.hours}`);
  if (!Number.isInteger(seed)) throw new RangeError(`--seed: expected a whole number; got ${values.seed}`);
  return { lasts: hours * HOUR, folder: values.state, seed };
}

async function main(): Promise<number> {
  const order = readOrder();
  const before = (await readSoaked(order.folder)) ?? NOTHING(order.seed);
  const soaked = before.soaked >= order.lasts ? before : await sit(order, before);
  return sumUp(order, soaked);
}

/** One run of the soak. @returns the state after it */
async function sit(order: Order, before: Soaked): Promise<Soaked> {
  const interrupted = interruption();
  say(`seed ${before.seed}, sitting ${before.sittings + 1}, state in ${order.folder}`);
  const stage = await unlessAborted(interrupted, () => openStage((folder) => openTemporalCluster(folder)));
  try {
    return await unlessAborted(interrupted, () => soak(stage, order, before));
  } finally {
    await stage.close();
  }
}

async function soak(stage: Stage, { lasts, folder }: Order, before: Soaked): Promise<Soaked> {
  const until = Math.min(lasts - before.soaked, MAX_SESSION);
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const measuring = measureEvery(MEASURED_EVERY, stage, () => before.soaked + now());
  const draw = new Draw(before.seed + before.sittings);
  const deck = new Deck(draw, FAULTS);
  const faults: string[] = [];
  const soaked = (): Soaked => ({
    ...{ seed: before.seed, soaked: before.soaked + now(), sittings: before.sittings + 1 },
    payers: before.payers + stage.payers.length,
    doubleDebits: before.doubleDebits + debitsOf(stage, stage.payers).filter((count) => count > 1).length,
    faults: [...before.faults, ...faults],
    samples: [...before.samples, ...measuring.samples],
  });
  try {
    while (now() < until) {
      const fault = deck.deal();
      const payers = await stage.subscribe(DUE_IN);
      say(`${Math.round(now() / MINUTE)} min: ${fault.name}`);
      await fault.begin(stage);
      await pause(draw.between(...LASTS));
      const broken = (await fault.end(stage)).filter(({ holds }) => !holds);
      if (broken.length > 0) throw new Error(`${fault.name}: ${broken.map(({ found }) => found).join('; ')}`);
      await stage.ready();
      await untilCollected(stage, payers);
      faults.push(fault.name);
      await writeSoaked(folder, soaked());
      await pause(draw.between(...GOOD_TIME));
    }
  } finally {
    measuring.stop();
  }
  const all = soaked();
  await writeSoaked(folder, all);
  return all;
}

/** Says the last line. @returns the exit code */
function sumUp({ lasts, folder }: Order, soaked: Soaked): number {
  const growing = ROLES.flatMap((role) => [
    ...growth(soaked, role, 'memory', ({ before, after }) => after > before * MEMORY_MAY_GROW),
    ...growth(soaked, role, 'descriptors', ({ before, after }) => after > before + DESCRIPTORS_MAY_GROW),
  ]);
  growing.forEach((line) => say(`FAILED ${line}`));
  const [is, of] = [soaked.soaked, lasts].map((ms) => Math.round((ms / HOUR) * 100) / 100);
  if (soaked.soaked < lasts) say(`run it again with --state ${folder} for the rest`);
  say(
    `soak: ${is} of ${of} hours, ${soaked.faults.length} faults, ${soaked.doubleDebits} double debits, ${growing.length} growing`,
  );
  return soaked.doubleDebits + growing.length === 0 ? 0 : 1;
}

type Growth = NonNullable<ReturnType<typeof growthOf>>;

function growth(
  soaked: Soaked,
  role: string,
  what: 'memory' | 'descriptors',
  isTooMuch: (growth: Growth) => boolean,
): readonly string[] {
  const found = growthOf(soaked, role, what);
  if (found === null || !isTooMuch(found)) return [];
  return [`${what} of the ${role} grew from ${found.before} to ${found.after}`];
}

runCampaign(main);

import { writeFile } from 'node:fs/promises';
import { loadConfig } from '../config';
import { HOUR, SECOND } from '../domain/time';
import { createProgressLog } from '../log';
import { type LifeRecord, readLife } from '../simulation/life-record';
import { playScript } from '../simulation/play-script';
import { installQuietRuntime } from '../simulation/quiet-runtime';
import type { Script } from '../simulation/script';
import { openSimulatedHouse, type SimulatedHouse } from '../simulation/simulated-house';
import { reaching } from './command-error';
import { print, printTable } from './print';
import { lifeDocument } from './simulate-document';
import { readSimulateOptions, type SimulateArguments } from './simulate-options';
import { scriptOf } from './simulate-script';
import { closingLines, lifeTable } from './simulate-table';
import { drawTimeline } from './simulate-timeline';
import { minute } from './simulate-words';

/** Lives one subscription through years in seconds, with everything real but the time, and shows what became of it. */
export async function runSimulate(given: SimulateArguments): Promise<void> {
  const script = scriptOf(readSimulateOptions(given));
  const life = await live(script);
  const { svg } = given;
  if (svg !== undefined) {
    await reaching(`the timeline cannot be written to ${svg}`, () => writeFile(svg, drawTimeline(life)));
    say(`the timeline is in ${svg}`);
  }
  if (given.json === true) {
    print(JSON.stringify(lifeDocument(life), null, 2));
    return;
  }
  printTable(lifeTable(life));
  print();
  closingLines(life).forEach(print);
}

async function live(script: Script): Promise<LifeRecord> {
  const config = loadConfig({ LOG_LEVEL: 'error', ...process.env });
  const log = createProgressLog(config.LOG_LEVEL);
  installQuietRuntime(log);
  say('starting PostgreSQL and Temporal');
  const house = await openSimulatedHouse({
    ...{ startAt: script.terms.startAt, log, progress: createProgressLog() },
    retryPolicy: {
      offsets: config.RETRY_OFFSETS_HOURS.map((hours) => hours * HOUR),
      transit: config.PAYMENT_SERVICE_TRANSIT_SECONDS * SECOND,
    },
  });
  const stopSaying = sayHowFar(house, script);
  try {
    return await readLife(house.ledger, script, await playScript(house, script));
  } finally {
    stopSaying();
    await house.stop();
  }
}

const EVERY = 1_000;

function sayHowFar({ clock }: SimulatedHouse, { until }: Script): () => void {
  const timer = setInterval(() => say(`${minute(clock.now())} of ${minute(until)}`), EVERY);
  return () => clearInterval(timer);
}

/** Standard output is the result's alone. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

import { createInterface } from 'node:readline';
import { createClock } from '../../platform/clock';
import { loadQuietly } from '../../config';
import {
  asJson,
  checkToken,
  chooseRows,
  createControlledWorld,
  createOperatedWorld,
  inLines,
  inNumbers,
  isControlled,
  Merchant,
  playRows,
  type Row,
  type World,
} from '../../conformance';
import { BadInputError } from '../../process/command-error';
import { type ConformanceArguments, type ConformanceOrder, readOrder } from './options';
import { print, printTable } from '../output';

type Person = ReturnType<typeof createPerson>;

/** Asks the person at the terminal to do something, on standard error: standard output is the report's. */
function createPerson() {
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  return {
    /** True once it is done; false for a person who skips it, or has gone. */
    do: async (what: string): Promise<boolean> => {
      process.stderr.write(`${what} Then press Enter, or type "skip" and Enter.\n`);
      const line = await lines.next();
      return line.done !== true && line.value.trim().toLowerCase() !== 'skip';
    },
    close: () => terminal.close(),
  };
}

/**
 * Plays every row of the reference against a payment service, and says row by row whether it holds; exit code 1 where
 * one differs.
 * @throws BadInputError for what cannot be meant, and where the service gives no token
 */
export async function runConformance(asked: ConformanceArguments): Promise<void> {
  const rows = readRows(asked.only ?? []);
  if (asked.list === true) {
    printTable(rows.map(({ id, section, quote }) => [id, section, quote]));
    return;
  }
  const order = readOrder(asked, loadQuietly([]));
  const person = asked.interactive === true ? createPerson() : null;
  try {
    const world = await openWorld(order, asked, person);
    await play(world, rows, asked.json === true);
  } finally {
    person?.close();
  }
}

function readRows(names: readonly string[]): readonly Row[] {
  const rows = chooseRows(names.flatMap((name) => name.split(',')));
  if (rows !== null) return rows;
  throw new BadInputError([`--only: no row is called ${names.join(', ')}; --list shows them`]);
}

/** Our own simulator by its control routes; any other service by its operator. */
async function openWorld(
  { service, credentials, otherCredentials, clock: setting, patience, terms }: ConformanceOrder,
  asked: ConformanceArguments,
  person: Person | null,
): Promise<World> {
  const main = new Merchant(service, credentials);
  const clock = createClock(setting ?? null);
  const access = await checkToken(main, clock.realNow());
  if (access.kind === 'none') throw new BadInputError([`${service.tokenUrl}: ${access.why}`]);
  if (asked.control !== false && (await isControlled(service))) return createControlledWorld(service);
  return createOperatedWorld(
    {
      clock,
      skew: setting === null ? access.skew : 0,
      patience,
      terms,
      otherEnvironment: otherCredentials === null ? undefined : new Merchant(service, otherCredentials),
      payerHook: asked.payerHook,
      ask: person === null ? undefined : (what) => person.do(what),
    },
    main,
  );
}

async function play(world: World, rows: readonly Row[], json: boolean): Promise<void> {
  // Rows that are played one at a time are printed as they end: a person may watch, or act as the payer.
  const isWatched = !json && world.lanes === 1;
  const findings = await playRows(world, rows, (finding) => {
    if (isWatched) inLines(finding).forEach((line) => print(line));
  });
  if (json) print(JSON.stringify(asJson(findings, world.name), null, 2));
  else {
    if (!isWatched) findings.flatMap(inLines).forEach((line) => print(line));
    print(`conformance: ${inNumbers(findings)}`);
  }
  if (findings.some(({ verdict }) => verdict === 'differs')) process.exitCode = 1;
}

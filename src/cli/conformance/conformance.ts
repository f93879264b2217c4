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

type Operator = ReturnType<typeof createOperator>;

/** Asks the operator at the terminal to do something, on standard error: standard output is for the report. */
function createOperator() {
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  return {
    /** True once it is done; false if it is skipped or the input has ended. */
    do: async (what: string): Promise<boolean> => {
      process.stderr.write(`${what} Then press Enter, or type "skip" and Enter.\n`);
      const line = await lines.next();
      return line.done !== true && line.value.trim().toLowerCase() !== 'skip';
    },
    close: () => terminal.close(),
  };
}

/**
 * Plays the rows of the reference, or those chosen by `--only`, against a payment service, and reports for each whether the service
 * conforms; exit code 1 if a row differs.
 * @throws BadInputError for invalid options, and if the service issues no token
 */
export async function runConformance(asked: ConformanceArguments): Promise<void> {
  const rows = readRows(asked.only ?? []);
  if (asked.list === true) {
    printTable(rows.map(({ id, section, quote }) => [id, section, quote]));
    return;
  }
  const order = readOrder(asked, loadQuietly([]));
  const operator = asked.interactive === true ? createOperator() : null;
  try {
    const world = await openWorld(order, asked, operator);
    await play(world, rows, asked.json === true);
  } finally {
    operator?.close();
  }
}

function readRows(names: readonly string[]): readonly Row[] {
  const rows = chooseRows(names.flatMap((name) => name.split(',')));
  if (rows !== null) return rows;
  throw new BadInputError([`--only: no row is called ${names.join(', ')}; --list shows them`]);
}

/** Our own simulator is controlled by its control routes, unless `--no-control` is given; any other service by its operator. */
async function openWorld(
  { service, credentials, otherCredentials, clock: setting, timeout, terms }: ConformanceOrder,
  asked: ConformanceArguments,
  operator: Operator | null,
): Promise<World> {
  const main = new Merchant(service, credentials);
  const clock = createClock(setting ?? null);
  const access = await checkToken(main, clock);
  if (access.kind === 'none') throw new BadInputError([`${service.tokenUrl}: ${access.why}`]);
  if (asked.control !== false && (await isControlled(service))) return createControlledWorld(service);
  return createOperatedWorld(
    {
      clock,
      skew: setting === null ? access.skew : 0,
      timeout,
      terms,
      otherEnvironment: otherCredentials === null ? undefined : new Merchant(service, otherCredentials),
      payerHook: asked.payerHook,
      ask: operator === null ? undefined : (what) => operator.do(what),
    },
    main,
  );
}

async function play(world: World, rows: readonly Row[], json: boolean): Promise<void> {
  // Rows that are played one at a time are printed as they end: an operator may watch, or act as the payer.
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

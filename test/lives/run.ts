/**
 * `npm run lives -- --count 60 [--seed N] [--life K]`: random lives of subscriptions, one to three years each, with the ledger, its
 * decisions and the worker's activities as they are, on a clock that jumps, checked for what must always be true. The seed is
 * printed; with it and `--life` one life is repeated alone. The service takes every debit that it is asked for, so that a
 * second one of a date is seen. Last line: `lives: 60 lived, 0 double debits, 0 broken invariants, 0 needless refusals, seed 11`.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { pino } from 'pino';
import { openSimulatedStack, type SimulatedStack } from '../../src/simulation/simulated-stack';
import { HOUR, MINUTE } from './calendar';
import { type Life, life } from './life';
import { type Ending, live } from './live';
import { needlessRefusals } from './seen';
import { SharedTime } from './shared-time';
import { watch } from './watchdog';

/** Lives that share one installation and one time: what concerns all of them, such as a limit of sends, is seen only then. */
const TOGETHER = 60;
const START = Date.parse('2027-01-20T08:00:00.000Z');

interface Order {
  readonly count: number;
  readonly seed: number;
  readonly only: number | null;
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '60' }, seed: { type: 'string' }, life: { type: 'string' } },
  });
  const numberOf = (name: string, text: string): number => {
    if (!/^-?\d{1,10}$/.test(text)) throw new RangeError(`--${name}: expected a whole number; got ${text}`);
    return Number(text);
  };
  return {
    count: numberOf('count', values.count),
    seed: values.seed === undefined ? randomInt(2 ** 31) : numberOf('seed', values.seed),
    only: values.life === undefined ? null : numberOf('life', values.life),
  };
}

/** The lives of a seed: the first ones are the same, however many are asked for. */
function livesOf({ count, seed, only }: Order): { readonly number: number; readonly life: Life }[] {
  const made: Life[] = [];
  fc.assert(
    fc.property(life, (each) => void made.push(each)),
    { seed, numRuns: Math.max(count, (only ?? 0) + 1) },
  );
  const numbered = made.map((each, number) => ({ number, life: each }));
  return only === null ? numbered.slice(0, count) : numbered.filter(({ number }) => number === only);
}

async function main(): Promise<void> {
  const order = readOrder();
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'fatal' }, pino.destination(2));
  say(`seed ${order.seed}`);
  const lives = livesOf(order);
  let [lived, doubles, broken, needless] = [0, 0, 0, 0];
  for (let from = 0; from < lives.length; from += TOGETHER) {
    const batch = lives.slice(from, from + TOGETHER);
    const stack = await openSimulatedStack({
      startAt: START,
      log,
      brokenRules: ['one-debit-per-date'],
      retryPolicy: { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: MINUTE, gap: 6 * HOUR },
    });
    try {
      const endings = await liveTogether(stack, batch, order);
      lived += endings.length;
      doubles += endings.reduce((sum, ending) => sum + ending.doubleDebits.length, 0);
      broken += endings.filter((ending) => ending.broken !== null).length;
      needless += needlessRefusals(stack).length;
    } finally {
      await stack.stop();
    }
  }
  const found = `${doubles} double debits, ${broken} broken invariants, ${needless} needless refusals`;
  say(`lives: ${lived} lived, ${found}, seed ${order.seed}`);
  process.exitCode = lived > 0 && doubles + broken + needless === 0 ? 0 : 1;
}

async function liveTogether(
  stack: SimulatedStack,
  batch: readonly { readonly number: number; readonly life: Life }[],
  { seed, count }: Order,
): Promise<Ending[]> {
  const { clock, conductor } = stack;
  const time = new SharedTime({ now: () => clock.now(), passUntil: (at) => conductor.passUntil(at) });
  const ended = new AbortController();
  const watched = endIfStuck(stack, time, seed, ended.signal);
  const endings: Ending[] = [];
  const faults: unknown[] = [];
  await Promise.all(
    batch.map(({ number, life: each }) =>
      time.live(`life-${number}`, async () => {
        try {
          const ending = await live(stack, time, `life-${number}`, each);
          endings.push(ending);
          if (ending.broken !== null) {
            say(`life ${number}, ${ending.agreement}\n${ending.broken}\nsteps: ${ending.steps}`);
            say(`again: npm run lives -- --seed ${seed} --count ${count} --life ${number}`);
          }
        } catch (fault) {
          // Reported at once, because the other lives continue, and the run may take long.
          say(`life ${number} ended: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`);
          faults.push(fault);
        }
      }),
    ),
  );
  ended.abort();
  await watched;
  if (faults.length > 0) throw faults[0];
  return endings;
}

/** Real ms. */
const BETWEEN_CHECKS = 10_000;

/** Ends the process at once if the run hangs: then nothing can be stopped in order. */
async function endIfStuck(stack: SimulatedStack, time: SharedTime, seed: number, signal: AbortSignal): Promise<void> {
  const report = await watch(stack, time, signal, BETWEEN_CHECKS);
  if (report === null) return;
  say(`${report}\nlives: stuck, seed ${seed}`);
  process.exit(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});

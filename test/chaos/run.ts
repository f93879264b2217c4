/**
 * `npm run chaos -- --seeds 1000 [--from N]` or `--seed N`: subscriptions under faults drawn from a seed, with the worker's
 * own collecting, capturing, refunding and asking, a real ledger, the payment service's simulator over HTTP, and a clock set by hand. A seed
 * that fails is printed with what it brought about; `--seed` plays it again, alone. Last line:
 * `chaos: 1000 seeds, 0 double debits, 0 lost dates, 0 broken invariants`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { World, type WorldOptions } from '../activities/activity-world';
import type { LivedCycle } from '../activities/decided-life';
import { judge, type Verdict } from './chaos-checks';
import { openChaosLedgers } from './chaos-ledger';
import { ChaosLife } from './chaos-life';
import { playPayment } from './chaos-payment';
import { inChild, sharesOf, sumOf, type Tally, tallyOf } from './chaos-shares';
import { type ChaosPlan, planOf } from './chaos-plan';
import { contradicted, CONTRADICTION_NAMES, contradictionOf, type PlannedContradiction } from './chaos-contradictions';
import type { Pool } from '../../src/ledger';
import { judgeContradicted, judgeHarmless } from './contradiction-checks';

/** Seeds that are played at once in one process: each mostly waits for the ledger or the service. */
const TOGETHER = 6;

/**
 * Seeds that follow one another at one service and by one clock: opening these for each seed would take longer than the
 * seed.
 */
const IN_ONE_WORLD = 20;

/** The simulated service accepts every debit, so that a second debit of a date is counted and not refused. */
const SERVICE: WorldOptions = { eventDependentRefunds: true, sandbox: { brokenRules: ['one-debit-per-date'] } };

type Simulated = Verdict & { readonly lived: readonly LivedCycle[]; readonly met: readonly string[] };

async function play(world: World, plan: ChaosPlan, contradiction: PlannedContradiction | null): Promise<Simulated> {
  world.sandbox.faults.clear();
  const life = await ChaosLife.begin(world, plan, contradiction);
  await life.live();
  const met = isMet(world, contradiction) ? [contradiction?.name ?? ''] : [];
  world.sandbox.faults.clear();
  world.sandbox.settle(life.life.subscribed.paymentId);
  if (contradiction !== null && !contradiction.isHarmless) {
    return { ...(await judgeContradicted(world, life)), lived: life.life.lived, met };
  }
  const { doubleDebits, lostDates, broken } = await judge(world, life, plan);
  const open = contradiction === null ? [] : await judgeHarmless(world, life, contradiction);
  const payment = plan.payment === null ? null : await playPayment(world, plan.payment);
  return {
    lostDates,
    lived: life.life.lived,
    doubleDebits: [...doubleDebits, ...(payment?.doubleDebits ?? [])],
    broken: [...broken, ...open, ...(payment?.broken ?? [])],
    met,
  };
}

/** Whether the contradiction has affected a request or a record. */
function isMet({ sandbox }: World, contradiction: PlannedContradiction | null): boolean {
  if (contradiction === null) return false;
  return (
    contradiction.elsewhere !== null ||
    sandbox.faults.list().some(({ spec, taken }) => taken > 0 && spec.kind === contradiction.order?.kind)
  );
}

async function playSeed(world: World, seed: number, isAlone: boolean): Promise<Verdict> {
  const contradiction = contradictionOf(seed);
  const plan = contradicted(planOf(seed), contradiction);
  try {
    const verdict = await play(world, plan, contradiction);
    const bad = [...verdict.doubleDebits, ...verdict.lostDates, ...verdict.broken];
    if (bad.length > 0 || isAlone)
      tell(seed, { ...plan, contradiction }, [...bad, ...verdict.lived.map((each) => JSON.stringify(each))]);
    return verdict;
  } catch (error) {
    tell(seed, { ...plan, contradiction }, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
    return { doubleDebits: [], lostDates: [], broken: ['it did not end'], met: [] };
  }
}

function tell(seed: number, plan: object, words: readonly string[]): void {
  say(`seed ${seed}: ${JSON.stringify(plan)}`);
  words.forEach((each) => say(`  ${each}`));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readOrder(): { readonly from: number; readonly seeds: number; readonly isAlone: boolean } {
  const options = { seeds: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const numberOf = (name: string, text: string): number => {
    if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name}: expected a whole number from 0 on; got ${text}`);
    return Number(text);
  };
  if (values.seed !== undefined) return { from: numberOf('seed', values.seed), seeds: 1, isAlone: true };
  const seeds = numberOf('seeds', values.seeds ?? '1000');
  return { from: numberOf('from', values.from ?? '1'), seeds, isAlone: false };
}

/** Plays the seeds in this process, several under way at once. */
async function playSeeds(from: number, seeds: number, isAlone: boolean): Promise<Tally> {
  const opened = await openChaosLedgers(Math.min(TOGETHER, seeds));
  const verdicts: Verdict[] = [];
  try {
    let next = from;
    const lane = async (ledger: Pool) => {
      while (next < from + seeds) {
        const world = await World.open(ledger, SERVICE);
        for (let done = 0; done < IN_ONE_WORLD && next < from + seeds; done += 1) {
          const seed = next;
          next += 1;
          verdicts.push(await playSeed(world, seed, isAlone));
        }
        await world.close();
      }
    };
    await Promise.all(opened.ledgers.map(lane));
  } finally {
    await opened.close();
  }
  return tallyOf(verdicts);
}

async function main(): Promise<void> {
  const { from, seeds, isAlone } = readOrder();
  if (process.send !== undefined) {
    process.send(await playSeeds(from, seeds, isAlone));
    return;
  }
  const shares = seeds < 2 * TOGETHER ? [{ from, seeds }] : sharesOf(from, seeds, availableParallelism());
  const tallies =
    shares.length === 1 ? [await playSeeds(from, seeds, isAlone)] : await Promise.all(shares.map(inChild));
  const { simulated, doubles, lost, broken, met } = sumOf(tallies);
  const rare = reportContradictions(met, isAlone ? 0 : Math.floor(seeds / MIN_SHARE));
  say(`chaos: ${simulated} seeds, ${doubles} double debits, ${lost} lost dates, ${broken} broken invariants`);
  process.exitCode = simulated === seeds && seeds > 0 && doubles + lost + broken + rare === 0 ? 0 : 1;
}

/** Each kind of contradiction must occur in at least one of this many seeds: in 20 of 1,000. */
const MIN_SHARE = 50;

/** Prints how often each kind of contradiction occurred. @returns how many kinds occurred too rarely */
function reportContradictions(met: Tally['met'], least: number): number {
  const counts = CONTRADICTION_NAMES.map((name) => [name, met[name] ?? 0] as const);
  say(`contradictions met: ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}`);
  const rare = counts.filter(([, count]) => count < least);
  rare.forEach(([name, count]) => say(`${name} was met by ${count} seeds, expected ${least} at least`));
  return rare.length;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = error instanceof RangeError ? 2 : 1;
});

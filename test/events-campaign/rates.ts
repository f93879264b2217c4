import { SECOND } from '../../src/domain/time';
import { percentile } from '../storm/measure';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { reach } from '../torture/reach';
import { judge, type Written } from './judge';
import { lastNumber, readWritten } from './ledger';
import { Stage } from './stage';

/** The modes: without endpoints, with disabled endpoints, for which no deliveries are created, and with working endpoints. */
type Mode = 'none' | 'stopped' | 'delivering';

/** The modes forwards and then backwards, so that other load of the machine affects all of them alike. */
const TURNS: readonly Mode[] = ['none', 'stopped', 'delivering', 'delivering', 'stopped', 'none'];

/** The lowest permitted rates, as a share of the rate without endpoints. */
const MIN_RATES = { stopped: 0.97, delivering: 0.9 } as const;

interface Turn {
  readonly mode: Mode;
  readonly collected: number;
  /** Real ms within which they were collected. */
  readonly lasted: number;
  /**
   * Real ms within which 99 of 100 events arrived at the healthy endpoint; null if nothing is delivered in this mode.
   */
  readonly lag: number | null;
}

export interface Ratio {
  readonly mode: keyof typeof MIN_RATES;
  readonly ratio: number;
  readonly least: number;
}

/** Compares the rate of collecting with endpoints to the rate without. @param due how many are collected in each mode */
export async function measureRates(due: number, giveUp: AbortSignal, say: Say): Promise<readonly Ratio[]> {
  const stage = await Stage.open({});
  const turns: Turn[] = [];
  try {
    await unlessAborted(giveUp, async () => {
      await stage.start();
      stage.dead.isDown = true;
      for (const mode of TURNS) turns.push(await measure(stage, mode, Math.ceil(due / 2), say));
    });
  } finally {
    await stage.close();
  }
  const none = rateOf(turns, 'none');
  return (['stopped', 'delivering'] as const).map((mode) => {
    return { mode, ratio: rateOf(turns, mode) / none, least: MIN_RATES[mode] };
  });
}

async function measure(stage: Stage, mode: Mode, due: number, say: Say): Promise<Turn> {
  const { db, stack } = stage.storm;
  if (mode !== 'none') await stage.makeEndpoints(mode === 'delivering');
  const before = (await stage.until('collected before', say, () => true))?.collected ?? 0;
  const { dueAt } = await stage.storm.createDue(due, say);
  const last = await lastNumber(db);
  await reach(stack, dueAt);
  const isDone = await stage.until('collecting', say, ({ collected }) => collected - before >= due);
  if (isDone === null) throw new Error(`${mode}: not all ${due} were collected`);
  const readCollected = async () => (await readWritten(db, last)).filter(({ type }) => type === 'cycle.collected');
  const written = await readCollected();
  const lag = mode === 'delivering' ? await lagOf(stage, written, readCollected, say) : null;
  const turn = { mode, collected: written.length, lasted: periodOf(written), lag };
  if (mode !== 'none') await stage.deleteEndpoints();
  say(`${mode}: ${((turn.collected / turn.lasted) * SECOND).toFixed(1)} collected a second`);
  if (lag !== null) say(`well: p99 lag ${lag} ms`);
  return turn;
}

/** Real ms for all collections, extrapolated from the middle 98 %: at both ends the workers are not all busy. */
function periodOf(written: readonly Written[]): number {
  const instants = written.map(({ at }) => at);
  return (percentile(instants, 99) - percentile(instants, 1)) / 0.98;
}

/** @param readPlaced reads the events again, because the last ones had no sequence yet */
async function lagOf(
  stage: Stage,
  written: readonly Written[],
  readPlaced: () => Promise<readonly Written[]>,
  say: Say,
): Promise<number> {
  const ids = new Set(written.map(({ id }) => id));
  const arrived = () => stage.well.taken.filter(({ id }) => ids.has(id));
  await stage.until('delivering', say, () => arrived().length >= ids.size);
  const { lost, lag } = judge(await readPlaced(), arrived(), new Set());
  if (lost > 0) throw new Error(`${lost} events did not arrive at the endpoint that is well`);
  return lag;
}

function rateOf(turns: readonly Turn[], mode: Mode): number {
  const own = turns.filter((turn) => turn.mode === mode);
  const sum = (of: (turn: Turn) => number) => own.reduce((total, turn) => total + of(turn), 0);
  return sum(({ collected }) => collected) / sum(({ lasted }) => lasted);
}

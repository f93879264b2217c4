import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, type Instant } from '../../src/domain/time';
import type { FaultSpec } from '../../src/sandbox';
import { createPool, listEvents, type Pool } from '../../src/ledger';
import type { Verdict } from '../chaos/chaos-checks';
import { type Tally, tallyOf } from '../chaos/chaos-shares';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import { unlessAborted } from '../support/interruption';
import { describeHistory } from './histories';
import { judge, orphanDebits } from './judge';
import { KeptProgram, Kills, type Say } from './kills';
import { planOf, type TortureOrder, type TorturePlan } from './plan';
import { reportPlay, watch } from './progress';
import { reach } from './reach';
import { TortureLife } from './torture-life';

const WORKERS = 3;
const PROGRAMS = ['worker', 'worker', 'worker', 'api'] as const;
/** A collection window lasts as long as this many starts of all programs at once, so that killed programs can come back in time. */
const STARTS_PER_WINDOW = 10;
const WINDOW = 120 * HOUR;
const FASTEST = 14_400;

/** An hour takes a quarter of a second or more: waits in real time are short, retries far from the limit of 72 h. */
const ENV = {
  PAYMENT_SERVICE_SETTLE_SECONDS: '1',
  PAYMENT_SERVICE_TIMEOUT_MS: '2000',
  NOTICE_BACKOFF_SECONDS: '0.5,1',
  RETRY_OFFSETS_HOURS: '12,24,36',
};

export interface Outcome {
  readonly tally: Tally;
  /** Whether the whole plan was carried out. */
  readonly isComplete: boolean;
}

/**
 * @param logs a folder for what the programs write, or null
 * @param giveUp ends the campaign early, in an orderly way and with the signal's reason
 */
export async function torture(
  order: TortureOrder,
  startAt: Instant,
  logs: string | null,
  giveUp: AbortSignal,
  say: Say,
): Promise<Outcome> {
  const start = await measureStart(startAt, logs);
  const speed = order.speed ?? Math.min(FASTEST, Math.floor(WINDOW / (STARTS_PER_WINDOW * start)));
  say(`the programs start in ${Math.round(start)} ms; time runs ${speed} times as fast`);
  const stack = await openProcessStack({
    // The plan begins once the programs are up.
    startAt,
    startsIn: 3 * start,
    speed,
    env: ENV,
    // The simulator accepts every debit, so that a second debit of a date is counted and not refused.
    sandbox: { brokenRules: ['one-debit-per-date'] },
  });
  const kept = programsOf(stack, logs);
  try {
    await Promise.all(kept.map((program) => program.start()));
    return await unlessAborted(giveUp, () => play(stack, kept, planOf(order, startAt), say));
  } finally {
    await Promise.all(kept.map((program) => program.stop()));
    await stack.close();
  }
}

function programsOf(stack: ProcessStack, logs: string | null): readonly KeptProgram[] {
  return PROGRAMS.map((command, index) => new KeptProgram(stack.program(command, `${command} ${index}`), logs));
}

/** Real ms in which all programs come up at once on this machine, as it is now. */
async function measureStart(startAt: Instant, logs: string | null): Promise<number> {
  const stack = await openProcessStack({ startAt, speed: 1, env: ENV });
  try {
    // The first start waits for the disk, a start after a kill does not.
    await timeStart(stack, logs);
    return await timeStart(stack, logs);
  } finally {
    await stack.close();
  }
}

async function timeStart(stack: ProcessStack, logs: string | null): Promise<number> {
  const kept = programsOf(stack, logs);
  const startedAt = performance.now();
  await Promise.all(kept.map((program) => program.start()));
  const start = performance.now() - startedAt;
  await Promise.all(kept.map((program) => program.stop()));
  return start;
}

async function play(stack: ProcessStack, kept: readonly KeptProgram[], plan: TorturePlan, say: Say): Promise<Outcome> {
  const lives = plan.lives.map((each) => new TortureLife(stack, each));
  const kills = new Kills(stack, say, {
    worker: kept.slice(0, WORKERS),
    api: kept.slice(WORKERS),
    temporal: [stack.temporal],
    postgres: [stack.postgres],
  });
  const stopWatching = watch(stack, kills, lives, say);
  try {
    await Promise.all([
      ...lives.map((life) => life.live()),
      kills.execute(plan.kills),
      spoilTokens(stack, plan.tokenFaults),
    ]);
  } finally {
    stopWatching();
  }
  const ledger = createPool({ databaseUrl: stack.databaseUrl, max: 4 });
  try {
    const verdicts = await judgeAll(stack, ledger, lives, say);
    return { tally: tallyOf(verdicts), isComplete: reportPlay(stack, kept, kills, plan, lives, say) };
  } finally {
    await ledger.end();
  }
}

/** Adds the faults of token requests, which belong to no subscription. */
async function spoilTokens(stack: ProcessStack, faults: TorturePlan['tokenFaults']): Promise<void> {
  for (const { at, fault } of faults) {
    await reach(stack, at);
    stack.sandbox.faults.add({ ...fault, match: { method: 'POST', path: '^/oauth/token$' } } as unknown as FaultSpec);
  }
}

async function judgeAll(
  stack: ProcessStack,
  ledger: Pool,
  lives: readonly TortureLife[],
  say: Say,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const life of lives) {
    const verdict = await judge(stack, ledger, life);
    verdicts.push(verdict);
    const bad = [...verdict.doubleDebits, ...verdict.lostDates, ...verdict.broken];
    if (bad.length > 0) await printAuditLog(stack, ledger, life, bad, say);
  }
  const orphans = orphanDebits(stack, lives);
  orphans.forEach(say);
  const [first, ...rest] = verdicts;
  return first === undefined ? [] : [{ ...first, broken: [...first.broken, ...orphans] }, ...rest];
}

/** Prints a subscription that failed: its plan, the service's record, the audit log and the events of its workflow. */
async function printAuditLog(
  stack: ProcessStack,
  ledger: Pool,
  { paymentId, plan, answers }: TortureLife,
  bad: readonly string[],
  say: Say,
): Promise<void> {
  say(`${plan.name} (${paymentId}), ${plan.repetition}, ${plan.wallet}:`);
  bad.forEach((each) => say(`  ${each}`));
  plan.cycles.forEach((cycle, number) => say(`  plan of cycle ${number}: ${JSON.stringify(cycle)}`));
  if (paymentId === null) {
    say(`  the API answered ${answers.join(', ')}`);
    return;
  }
  stack.sandbox.payment(paymentId).authorizations.forEach((each) => say(`  service: ${JSON.stringify(each)}`));
  const { items } = await listEvents(
    ledger,
    { subscriptionId: plan.name as SubscriptionId },
    { limit: 2000, cursor: null },
  );
  items.toReversed().forEach(({ at, type, actor, data }) => {
    say(`  ${new Date(at).toISOString()} ${type} by ${actor} ${JSON.stringify(data)}`);
  });
  const history = await describeHistory(stack, plan.name);
  history.forEach((event) => say(`  Temporal: ${event}`));
}

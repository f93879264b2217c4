import { HOUR, SECOND } from '../../src/domain/time';
import { createPool, followOverdue, groupItems, listEvents, type Pool } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { describeHistory } from '../torture/histories';
import { KeptProgram } from '../torture/kills';
import { reach } from '../torture/reach';
import { ContradictedLife } from './contradicted-life';
import { firstInstallation, type Installation, secondInstallation } from './installation';
import { type Judgement, judge, otherItems } from './judge';
import { importNeighbours } from './neighbours';
import { type Play, playsOf } from './plays';

const START = Date.parse('2027-01-29T08:00:00.000Z');
/** Business time until the first due date: programs start, payers approve. A real second is over an hour and a half. */
const LEAD = 180 * HOUR;
/** The time from the first subscription's due date to the last one's. */
const SPREAD = 24 * HOUR;
/** Real ms after the last window in which checks that were under way end, and items close. */
const REST_MS = 20_000;
/** Longer than the delay of the contradiction that lists records 5 s late. Real seconds. */
const SETTLE_SECONDS = 8;

const ENV = {
  PAYMENT_SERVICE_SETTLE_SECONDS: String(SETTLE_SECONDS),
  PAYMENT_SERVICE_TIMEOUT_MS: '5000',
  NOTICE_BACKOFF_SECONDS: '0.5',
  // Retries are planned early, so that three fit into the 72 hours even while a worker is being started again.
  RETRY_OFFSETS_HOURS: '12,24,36',
};

export interface Outcome {
  readonly kinds: number;
  readonly judgements: readonly Judgement[];
  /** Attention items that concern no subscription. */
  readonly otherItems: readonly string[];
}

export interface Options {
  /** Business ms per real ms. */
  readonly speed: number;
  /** Plays only kinds whose name contains this text; null: all. */
  readonly only: string | null;
  /** A folder for what the programs write, or null. */
  readonly logs: string | null;
  /** Whether to print the ledger's events of what went wrong. */
  readonly isDetailed: boolean;
}

/** Plays all kinds in parallel, for five weeks of business time. */
export async function contradict(options: Options, giveUp: AbortSignal, say: Say): Promise<Outcome> {
  // The simulator accepts every debit, so that a second debit of a date is counted and not refused.
  const sandbox = { brokenRules: ['one-debit-per-date'] as const };
  const stack = await openProcessStack({ startAt: START, speed: options.speed, env: ENV, sandbox });
  const kept: KeptProgram[] = [];
  try {
    return await unlessAborted(giveUp, () => play(stack, kept, options, say));
  } finally {
    await Promise.all(kept.map((program) => program.stop()));
    await stack.close();
  }
}

async function play(stack: ProcessStack, kept: KeptProgram[], options: Options, say: Say): Promise<Outcome> {
  const plays = playsOf(options.only);
  const first = firstInstallation(stack);
  const second = plays.some(({ kind }) => kind.isOfListDays === true)
    ? await secondInstallation(stack, { PAYMENT_SERVICE_LIST_DAYS: '90' })
    : null;
  const programs = ['worker', 'worker', 'api'] as const;
  kept.push(
    ...programs.map((command, index) => new KeptProgram(stack.program(command, `${command} ${index}`), options.logs)),
  );
  if (second !== null) kept.push(new KeptProgram(second.daemon, options.logs));
  await Promise.all(kept.map((program) => program.start()));
  const firstDue = Math.ceil((stack.clock.now() + LEAD) / HOUR) * HOUR;
  const lives = plays.map((each, index) => {
    const due = firstDue + Math.floor((index / plays.length) * (SPREAD / HOUR)) * HOUR;
    return new ContradictedLife(stack, installationOf(each, first, second), each, due);
  });
  await importNeighbours(stack, first, firstDue);
  await beginAll(lives);
  const left = Math.round((firstDue - stack.clock.now()) / HOUR);
  say(
    `${plays.length} subscriptions of ${new Set(plays.map(({ kind }) => kind)).size} kinds; the first is due in ${left} hours`,
  );
  if (left < 21) throw new Error('the machine is too slow: dates came before their contradictions were prepared');
  await Promise.all([...lives.map((life) => life.live()), killWorkers(stack, kept.slice(0, 2), firstDue, say)]);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return judgeAll(stack, [first, ...(second === null ? [] : [second])], lives, options, say);
}

/** How many subscriptions are created at a time: as many as the machine can handle. */
const STARTED_TOGETHER = 10;

async function beginAll(lives: readonly ContradictedLife[]): Promise<void> {
  const left = [...lives];
  const lane = async () => {
    for (let life = left.shift(); life !== undefined; life = left.shift()) await life.begin();
  };
  await Promise.all(Array.from({ length: STARTED_TOGETHER }, lane));
}

function installationOf({ kind }: Play, first: Installation, second: Installation | null): Installation {
  return kind.isOfListDays === true && second !== null ? second : first;
}

/** Kills one of the workers once a week, within the hours in which dates fall due; it is started again at once. */
async function killWorkers(
  stack: ProcessStack,
  workers: readonly KeptProgram[],
  firstDue: number,
  say: Say,
): Promise<void> {
  for (let week = 0; week < 5; week += 1) {
    await reach(stack, firstDue + week * 168 * HOUR + (2 + 5 * week) * HOUR);
    const worker = workers[week % workers.length];
    await worker?.kill();
    say(`week ${week}: killed ${worker?.name}`);
  }
}

async function judgeAll(
  stack: ProcessStack,
  installations: readonly Installation[],
  lives: readonly ContradictedLife[],
  options: Options,
  say: Say,
): Promise<Outcome> {
  const pools = new Map(installations.map(({ databaseUrl }) => [databaseUrl, createPool({ databaseUrl, max: 4 })]));
  const [first, second = first] = [...pools.values()];
  if (first === undefined || second === undefined) throw new Error('there is no installation');
  try {
    await Promise.all([...pools.values()].map((pool) => watchOnceMore(stack, pool, options.speed)));
    const judgements: Judgement[] = [];
    for (const life of lives) {
      const pool = life.play.kind.isOfListDays === true ? second : first;
      const judgement = await judge(stack.sandbox, pool, life);
      judgements.push(judgement);
      await tell(stack, pool, life, judgement, options, say);
    }
    const others = await Promise.all([...pools.values()].map(otherItems));
    others.flat().forEach((item) => say(`of no subscription: ${item}`));
    return { kinds: new Set(lives.map(({ play: { kind } }) => kind)).size, judgements, otherItems: others.flat() };
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
  }
}

/**
 * What every API process does each minute of real time. A minute is four days here, and an hour of lateness 0.6 s: what was
 * overdue when a worker had just been killed would be listed until the next minute.
 */
async function watchOnceMore({ clock }: ProcessStack, pool: Pool, speed: number): Promise<void> {
  const [now, realNow] = [clock.now(), clock.realNow()];
  await followOverdue(pool, { now, realNow, settle: SETTLE_SECONDS * SECOND, callsPerSecond: null, speed });
  await groupItems(pool, now);
}

async function tell(
  stack: ProcessStack,
  pool: Pool,
  { play: { kind, subscriptionId, lostAnswerIn }, paymentId }: ContradictedLife,
  judgement: Judgement,
  { isDetailed }: Options,
  say: Say,
): Promise<void> {
  const { secondDebits, unexpectedCycles, extraItems, missingItems } = judgement;
  const bad = [
    ...secondDebits,
    ...unexpectedCycles,
    ...extraItems.map((item) => `extra item ${item}`),
    ...missingItems.map((item) => `missing item ${item}`),
  ];
  const lost = lostAnswerIn === null ? '' : `, the answer of cycle ${lostAnswerIn} lost`;
  say(`${bad.length === 0 ? 'ok    ' : 'FAILED'} ${kind.name}${lost} (${subscriptionId})`);
  bad.forEach((each) => say(`         ${each}`));
  if (bad.length === 0 || !isDetailed) return;
  say(`         rule: ${kind.why}`);
  const { authorizations, debits } = stack.sandbox.payment(paymentId);
  authorizations.forEach((each) => say(`         service: ${JSON.stringify(each)}`));
  debits.forEach((each) => say(`         debit: ${JSON.stringify(each)}`));
  const page = await listEvents(
    pool,
    { subscriptionId: subscriptionId as SubscriptionId },
    { limit: 500, cursor: null },
  );
  for (const { at, type, data } of page.items.toReversed()) {
    say(`         ${new Date(at).toISOString()} ${type} ${JSON.stringify(data).slice(0, 400)}`);
  }
  const { rows } = await pool.query<{ item: string }>(
    `select concat_ws(' ', kind, cycle, since, closed_real_at, service ->> 'detail') as item from attention_items where subscription_id = $1`,
    [subscriptionId],
  );
  rows.forEach(({ item }) => say(`         item: ${item}`));
  const history = await describeHistory(stack, subscriptionId);
  history.filter((event) => /Fail|Timeout|TimedOut/.test(event)).forEach((event) => say(`         ${event}`));
}

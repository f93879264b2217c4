import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { DAY, HOUR } from '../../src/domain/time';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { DUEDAY_STATUS } from '../../src/contract/workflows';
import { buildIdOf } from '../../src/platform/workflow-bundle';
import { runDueday } from '../cli/dueday-process';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import { type Command, Program } from '../processes/program';
import { noneOf } from '../security-campaign/check';
import type { Check } from '../support/campaign';
import { builtWorkflows } from '../support/built-workflows';
import { unlessAborted } from '../support/interruption';
import { PROGRAM_ROLE } from '../support/program-role';
import { waitUntil } from '../support/wait-until';
import { releaseAfter, type ReleaseCopy } from '../versions/release-copy';
import { Load, LONG, type Ordered } from './load';
import { NEW_KIND, REORDERED, WITH_NEW_KIND } from './releases';

const START = Date.parse('2027-01-29T08:00:00.000Z');
/** An hour a second: a window of 120 hours lasts two minutes. */
const SPEED = 3_600;
const TIMEOUT = 120_000;
/** How many subscriptions start before a release, each of which the previous release collects once. */
const FIRST = 4;

type Tell = (check: Check) => void;

/** Everything that the campaign works on. */
interface Stage {
  readonly stack: ProcessStack;
  readonly temporal: Client;
  readonly load: Load;
  readonly b: ReleaseCopy;
  readonly c: ReleaseCopy;
  readonly tell: Tell;
}

/**
 * One release follows another while subscriptions are created: promoted, rolled back, promoted again; a third one is refused.
 * @param giveUp ends the campaign in order, with its reason
 * @param tell called with each check as it is made
 */
export async function campaign(giveUp: AbortSignal, tell: Tell): Promise<void> {
  const folder = await makeTemporaryFolder('rolling');
  const [b, c] = await Promise.all([copy(folder, 'b', WITH_NEW_KIND), copy(folder, 'c', REORDERED)]);
  const stack = await openProcessStack({
    startAt: START,
    speed: SPEED,
    env: { PAYMENT_SERVICE_SETTLE_SECONDS: '1', NOTICE_BACKOFF_SECONDS: '0.5,1' },
    // The simulator accepts a second debit of a date, so that it is counted and not refused.
    sandbox: { brokenRules: ['one-debit-per-date'] },
  });
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const load = new Load(stack);
  const programs: Program[] = [];
  try {
    const stage = { stack, temporal: new Client({ connection }), load, b, c, tell };
    await unlessAborted(giveUp, () => play(stage, programs));
  } finally {
    await load.stop();
    await Promise.all(programs.map((program) => program.stop()));
    await connection.close();
    await stack.close();
    await rm(folder, { recursive: true });
  }
}

function copy(folder: string, name: string, changes: typeof WITH_NEW_KIND): Promise<ReleaseCopy> {
  const own = join(folder, name);
  mkdirSync(own);
  return releaseAfter(changes, own);
}

/** @param programs receives each that is started; the caller stops them */
async function play(stage: Stage, programs: Program[]): Promise<void> {
  const { stack, load, b, c, tell } = stage;
  const a = buildIdOf(builtWorkflows());
  const start = async (name: string, command: Command, release?: ReleaseCopy) => {
    // Metrics on any port: several run at once.
    const program = new Program(name, command, { ...stack.env, METRICS_PORT: '0' }, release?.program);
    programs.push(program);
    await program.start();
    return program;
  };
  const oldWorkers = [await start('a1', 'worker'), await start('a2', 'worker')];
  await start('api', 'api');
  load.begin();
  const first = await orderSome(load, FIRST, DAY);
  const sleepers = await orderSome(load, FIRST, LONG);
  await Promise.all(first.map((each) => load.collected(each)));
  tell({ name: 'release A collects', holds: true, found: `${first.length} collected` });

  await Promise.all((await orderSome(load, 1, LONG)).map((each) => pauseShown(stage, each)));
  await migrateBy(stage);
  await oldWorkers[1]!.stop();
  await oldWorkers[1]!.start();
  const onNew = await orderSome(load, 1, DAY);
  await Promise.all(onNew.map((each) => load.collected(each)));
  tell({ name: "A's workers start and collect on B's schema", holds: true, found: 'one more collected' });

  await start('b1', 'worker', b);
  await start('b2', 'worker', b);
  await start('c1', 'worker', c);
  tell(await currentIs(stage, 'B and C have workers, A is current', a));
  await refuseReordered(stage, a);

  await promoteBy(stage, 'B is promoted', b);
  // Each decides twice, because A could still replay a history with only one step of the new kind.
  await Promise.all([...first, ...sleepers].map((each) => load.touch(each, () => untilPauseIsShown(stage, each))));
  await allContinueIn(stage, 'what is woken continues in B', [...first, ...sleepers], b.buildId);
  await allTookNewKind(stage, [...first, ...sleepers]);
  // Their histories have one step of the new kind, which looks like a wait, so that A can replay them.
  const waiting = await allOf([load.orderUnnoticed(DAY), load.orderUnnoticed(DAY + HOUR)]);

  await rollBack(stage, b);
  tell(await currentIs(stage, 'A is current again', a));
  const meanwhile = await orderSome(load, 2, DAY);
  await Promise.all([...first, ...waiting].map((each) => load.touch(each)));
  await allContinueIn(stage, 'what A cannot replay continues in B', first, b.buildId);
  await allContinueIn(stage, 'what waits by the new kind continues in A, which does not know it', waiting, a);
  await Promise.all(meanwhile.map((each) => load.collected(each)));
  tell({ name: 'A collects what is ordered meanwhile', holds: true, found: `${meanwhile.length} collected` });

  await promoteBy(stage, 'B is promoted again', b);
  await Promise.all(oldWorkers.map((worker) => worker.stop()));
  await Promise.all([...meanwhile, ...waiting].map((each) => load.touch(each)));
  await allContinueIn(stage, 'what began in A continues in B, without workers of A', meanwhile, b.buildId);
  await Promise.all(first.map((each) => load.collected(each, 2)));
  tell({ name: 'B collects the next week', holds: true, found: `${first.length} collected twice` });
  await load.stop();
  await judge(stage);
}

function orderSome(load: Load, count: number, lead: number): Promise<readonly Ordered[]> {
  return allOf(Array.from({ length: count }, (_, n) => load.orderOne(lead + n * HOUR)));
}

/**
 * Pauses a subscription and waits until that is shown. Its history then changes the search attributes before a timer,
 * which C does the other way round.
 */
async function pauseShown(stage: Stage, ordered: Ordered): Promise<void> {
  await stage.load.pause(ordered);
  await untilPauseIsShown(stage, ordered);
}

/** Waits until the workflow has decided after the pause, which its search attribute shows. */
async function untilPauseIsShown({ temporal }: Stage, { id }: Ordered): Promise<void> {
  const isShown = async () => {
    const { typedSearchAttributes } = await temporal.workflow.getHandle(`subscription/${id}`).describe();
    return typedSearchAttributes.get(DUEDAY_STATUS) === 'paused';
  };
  await waitUntil(`${id} is shown as paused`, isShown, TIMEOUT);
}

async function allOf(orders: readonly Promise<Ordered | null>[]): Promise<readonly Ordered[]> {
  return (await Promise.all(orders)).filter((each) => each !== null);
}

async function migrateBy({ stack, b, tell }: Stage): Promise<void> {
  const env = { DATABASE_URL: stack.databaseUrl, DATABASE_ROLE: PROGRAM_ROLE };
  const { code, stdout, stderr } = await runDueday(['migrate'], env, b.program);
  const holds = code === 0 && /^applied: 9001_rolling_column, 9002_rolling_index$/m.test(stdout);
  tell({
    name: "B's migrations are made while A collects",
    holds,
    found: /^applied.*/m.exec(stdout)?.[0] ?? last(stdout + stderr),
  });
}

async function refuseReordered(stage: Stage, a: string): Promise<void> {
  const { stack, c, tell } = stage;
  for (const args of [
    ['replay', 'verify'],
    ['versions', 'promote'],
  ]) {
    const { code, stdout, stderr } = await runDueday(args, stack.env, c.program);
    const holds =
      code === 1 && /Nondeterminism/.test(stdout) && /^replay: \d+ histories, [1-9]\d* failed$/m.test(stdout);
    tell({ name: `${args.join(' ')} refuses C, whose commands come in another order`, holds, found: last(stderr) });
  }
  tell(await currentIs(stage, 'A stays current', a));
}

/** Rolls back with the program of A, which pins to B the workflows that A cannot replay. */
async function rollBack({ stack, load, tell }: Stage, from: ReleaseCopy): Promise<void> {
  const { code, stdout, stderr } = await runDueday(['versions', 'rollback'], stack.env);
  const held = Number(/^(\d+) workflows? (?:is|are) held at/m.exec(stdout)?.[1] ?? 0);
  const named = stdout.split('\n').filter((line) => line.includes(`stays at ${from.buildId}: `)).length;
  const holds = code === 0 && held > 0 && named === held && load.ordered.length > held;
  tell({ name: 'B is rolled back; A holds there what it cannot replay', holds, found: last(stdout + stderr) });
}

async function promoteBy(stage: Stage, name: string, release: ReleaseCopy): Promise<void> {
  const { code, stdout, stderr } = await runDueday(['versions', 'promote'], stage.stack.env, release.program);
  const verified = /^replay: [1-9]\d* histories, 0 failed$/m.exec(stdout)?.[0] ?? '';
  if (code !== 0) throw new Error(`${name}: ${stdout.slice(0, 500)}${stderr}`);
  stage.tell({ name, holds: verified !== '', found: `${verified}; ${last(stdout)}` });
  stage.tell(await currentIs(stage, `${name}: Temporal says so`, release.buildId));
}

async function currentIs({ stack, b }: Stage, name: string, buildId: string): Promise<Check> {
  const { stdout, stderr } = await runDueday(['versions', 'list', '--json'], stack.env, b.program);
  const lines = stdout.split('\n').filter(Boolean);
  const listed = lines.map((line) => JSON.parse(line) as { buildId: string; state: string; workers: number });
  const holds = listed.find(({ state }) => state === 'current')?.buildId === buildId;
  const found = listed.map((each) => `${each.buildId} ${each.state}, ${each.workers} workers`).join('; ');
  return { name, holds, found: found + stderr };
}

/** Checks that the last workflow task of each was done by a worker of the release. */
async function allContinueIn(
  { temporal, tell }: Stage,
  name: string,
  all: readonly Ordered[],
  buildId: string,
): Promise<void> {
  const isThere = async ({ id }: Ordered) => {
    const { raw } = await temporal.workflow.getHandle(`subscription/${id}`).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId === buildId;
  };
  const wrong: string[] = [];
  const one = (each: Ordered) =>
    waitUntil(`${each.id} is in ${buildId}`, () => isThere(each), TIMEOUT).catch((error: unknown) =>
      wrong.push(String(error)),
    );
  await Promise.all(all.map(one));
  tell(noneOf(name, wrong, `${all.length} workflows`));
}

/** Checks that the last decision in each history is a step of B's new kind. */
async function allTookNewKind({ temporal, tell }: Stage, all: readonly Ordered[]): Promise<void> {
  const wrong: string[] = [];
  for (const { id } of all) {
    const { events } = await temporal.workflow.getHandle(`subscription/${id}`).fetchHistory();
    const decided = (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) =>
      Object.values(marker?.details ?? {}).flatMap(({ payloads }) => payloads ?? []),
    );
    if (!decided.some(({ data }) => Buffer.from(data ?? []).includes(`"kind":"${NEW_KIND}"`))) wrong.push(id);
  }
  tell(noneOf('they wait by its new kind of step', wrong, `${all.length} histories`));
}

async function judge({ stack, temporal, load, tell }: Stage): Promise<void> {
  tell(
    noneOf(
      'every date is collected once, by what the service has',
      load.judge(),
      `${load.ordered.length} subscriptions`,
    ),
  );
  tell(noneOf('every request was answered as asked', load.faults, `${load.asked} requests`));
  const failed: string[] = [];
  const query = "WorkflowType = 'subscription' and ExecutionStatus in ('Failed', 'Terminated', 'TimedOut')";
  for await (const { workflowId, status } of temporal.workflow.list({ query }))
    failed.push(`${workflowId}: ${status.name}`);
  tell(noneOf('no workflow has failed', failed, 'none'));
  const { code, stdout, stderr } = await runDueday(['reconcile'], stack.env);
  tell({ name: 'ledger and service agree', holds: code === 0, found: last(stdout + stderr) });
}

function last(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

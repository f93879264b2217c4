import { HOUR, type Instant, SECOND } from '../../src/domain/time';
import type { Made } from '../storm/stack-in-storm';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { askUntil } from '../torture/asking';
import { Deck, Draw } from '../torture/draw';
import { KeptProgram, Kills } from '../torture/kills';
import type { KillPlan, Target } from '../torture/plan';
import { reach } from '../torture/reach';
import { judge, type Verdict } from './judge';
import { readDead, readWritten, type Standing } from './ledger';
import { Stage } from './stage';

export interface CampaignOrder {
  /** Subscriptions collected at once. */
  readonly due: number;
  /** How often a process gets `kill -9`: half of the kills while an endpoint is down, half while it receives its backlog. */
  readonly kills: number;
  /** Determines when a process is killed, and which one. */
  readonly seed: number;
}

export interface Judged extends Verdict {
  readonly name: string;
  readonly refused: number;
  readonly forged: number;
}

export interface Outcome {
  readonly endpoints: readonly Judged[];
  /** Broken promises other than lost or misplaced events. */
  readonly broken: readonly string[];
}

/** Short waits for ten tries, which take three days by default. */
const WAITS = '1,1,2,2,3,3,4,4,5';
/** One in this many subscriptions is paused and resumed while an endpoint is down, so that several of its events wait there. */
const STEERED_ONE_IN = 20;
const MAX_REPLAYS = 3;

/** The targets of kills, in the proportion in which they are killed. */
const HIT: readonly Target[] = ['worker', 'worker', 'worker', 'api', 'api', 'api', 'postgres', 'temporal'];

/** Plays a due date of many subscriptions, with three endpoints, and processes that are killed at any moment. */
export async function campaign(order: CampaignOrder, giveUp: AbortSignal, say: Say): Promise<Outcome> {
  const stage = await Stage.open({ EVENT_BACKOFF_SECONDS: WAITS });
  const workers: KeptProgram[] = [];
  try {
    return await unlessAborted(giveUp, async () => {
      await stage.start();
      await stage.makeEndpoints();
      const { due: made, dueAt } = await stage.storm.createDue(order.due, say);
      await stage.storm.stopWorkers();
      workers.push(...stage.storm.workers.map((worker) => new KeptProgram(worker, null)));
      await Promise.all(workers.map((worker) => worker.start()));
      stage.dead.isDown = true;
      await reach(stage.storm.stack, dueAt);
      const killing = new Killing(stage, workers, new Draw(order.seed), say);
      return play(stage, killing, { made, kills: order.kills }, say);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await stage.close();
  }
}

async function play(
  stage: Stage,
  killing: Killing,
  { made, kills }: { readonly made: readonly Made[]; readonly kills: number },
  say: Say,
): Promise<Outcome> {
  const broken: string[] = [];
  const reached = async (what: string, holds: (standing: Standing) => boolean) => {
    if ((await stage.until(what, say, holds)) === null) broken.push(`${what}: not within the time limit`);
  };
  const due = made.length;
  await killing.times(Math.ceil(kills / 2));
  await reached('all are collected', ({ collected }) => collected >= due);
  await steer(stage, made.slice(0, Math.ceil(due / STEERED_ONE_IN)));
  await reached('the tries are used up', ({ dead }) => dead >= due / 2);
  if ((await countItems(stage)) !== 1) broken.push('dead letters are not one attention item');
  stage.dead.isDown = false;
  await replay(stage);
  await killing.times(Math.floor(kills / 2));
  for (let again = 1; again < MAX_REPLAYS; again += 1) {
    await reached('all arrives', ({ pending, unqueued }) => pending + unqueued === 0);
    const standing = await stage.until('the rest', say, () => true);
    if (standing?.dead === 0) break;
    say(`${standing?.dead ?? 0} dead letters since the replay began: another one`);
    await replay(stage);
  }
  await reached('nothing is left', ({ pending, unqueued, dead }) => pending + unqueued + dead === 0);
  if ((await countItems(stage)) !== 0) broken.push('dead letters are an item of attention, though all were delivered');
  return { endpoints: await judgeAll(stage), broken };
}

async function judgeAll({ storm, listeners }: Stage): Promise<readonly Judged[]> {
  const written = await readWritten(storm.db);
  const judged: Judged[] = [];
  for (const { name, refused, forged, taken, endpoint } of listeners) {
    const verdict = judge(written, taken, await readDead(storm.db, endpoint.endpointId));
    judged.push({ name, refused, forged, ...verdict });
  }
  return judged;
}

/** Pauses and resumes each: two more events of each subscription, after those that wait. */
async function steer(stage: Stage, chosen: readonly Made[]): Promise<void> {
  for (const { id } of chosen) {
    await order(stage, `/v1/subscriptions/${id}/pause`, { reason: 'events' });
    await order(stage, `/v1/subscriptions/${id}/resume`, { reason: 'events' });
  }
}

async function replay(stage: Stage): Promise<void> {
  const since = '2027-01-01T00:00:00Z';
  await order(stage, `/v1/webhook-endpoints/${stage.dead.endpoint.endpointId}/replay`, { since, onlyFailed: true });
}

/** Repeats the request until it is answered: the API may be starting. */
async function order({ storm: { stack } }: Stage, path: string, body: object): Promise<void> {
  const answer = await askUntil(stack, path, body, stack.clock.now() + HOUR);
  if (answer.kind === 'refused') throw new Error(`${path} was refused: ${answer.code}`);
  if (answer.kind === 'unknown') throw new Error(`${path} was not answered`);
}

/** Open items about the dead letters of the endpoint that was down. */
async function countItems({ storm, dead }: Stage): Promise<number> {
  const { body } = await storm.stack.admin.get<{ items: { endpointId?: string }[] }>('/v1/attention?kind=dead_letter');
  return body.items.filter(({ endpointId }) => endpointId === dead.endpoint.endpointId).length;
}

/** `kill -9` of any process of the stage, every few seconds. */
class Killing {
  private readonly kills: Kills;
  private readonly targets: Deck<Target>;

  constructor(
    private readonly stage: Stage,
    workers: readonly KeptProgram[],
    private readonly draw: Draw,
    say: Say,
  ) {
    this.targets = new Deck(draw, HIT);
    const { stack } = stage.storm;
    const servers = { temporal: [stack.temporal], postgres: [stack.postgres] };
    this.kills = new Kills(stack, say, { worker: workers, api: stage.apis, ...servers });
  }

  /** Resolves once this many kills are done and servers are up again. */
  async times(count: number): Promise<void> {
    let at: Instant = this.stage.storm.stack.clock.now();
    const plans = Array.from({ length: count }, (): KillPlan => {
      at += Math.floor(this.draw.between(SECOND, 4 * SECOND));
      return { at, target: this.targets.deal(), which: this.draw.fraction() };
    });
    await this.kills.execute(plans);
  }
}

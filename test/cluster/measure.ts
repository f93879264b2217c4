import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import type { Made } from '../storm/stack-in-storm';
import type { Say } from '../support/campaign';
import { unlessAborted } from '../support/interruption';
import { reach } from '../torture/reach';
import { between, type Footprint, inWords, readFootprint, shared } from './footprint';
import { untilDrained } from './judge';
import { meanSize } from './run-size';
import { Stage } from './stage';

/** Real ms for which servers are watched while nothing happens, and within which they report what they have counted. */
const IDLE = 30 * SECOND;
const TOLD_AFTER = 3 * SECOND;
/** How many subscriptions' runs are read. */
const LOOKED_AT = 50;

/**
 * What Temporal's database and the ledger write and keep for each subscription and each collected cycle, and the size
 * of a subscription's workflow: the figures of docs/explain/scale.md. Nothing is paused, cancelled or killed, and no
 * cap is set.
 * @param count subscriptions due in one instant
 * @throws if not all are collected
 */
export async function measure(count: number, giveUp: AbortSignal, say: Say): Promise<void> {
  const stage = await Stage.open(say);
  const temporal = createPool({ databaseUrl: stage.temporal.databaseUrl, max: 1 });
  const databases = [
    { name: "Temporal's database", db: temporal },
    { name: 'the ledger', db: stage.storm.db },
  ];
  try {
    await unlessAborted(giveUp, () => play(stage, databases, count, say));
  } finally {
    await temporal.end();
    await stage.close();
  }
}

async function play(
  stage: Stage,
  databases: readonly { readonly name: string; readonly db: Pool }[],
  count: number,
  say: Say,
): Promise<void> {
  const { storm, temporal } = stage;
  const look = async (): Promise<readonly Footprint[]> => {
    await pause(TOLD_AFTER);
    return Promise.all(databases.map(({ db }) => readFootprint(db)));
  };
  await stage.startApis();
  await storm.startWorkers(null);
  const before = await look();
  const { due, dueAt, all } = await storm.createDue(count, say);
  const created = await look();
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection });
    const looked: readonly Made[] = due.slice(0, LOOKED_AT);
    const asleep = await meanSize(client, looked);
    await reach(storm.stack, dueAt);
    if ((await untilDrained(stage, due, say)) === null) throw new Error('not all were collected');
    const collected = await look();
    const awake = await meanSize(client, looked);
    await pause(IDLE);
    const idle = await look();
    databases.forEach(({ name }, n) => {
      const rate = shared(between(collected[n]!, idle[n]!, null), (idle[n]!.at - collected[n]!.at) / SECOND);
      say(`${name}, a second in which nothing happens: ${inWords(rate)}`);
      say(
        `${name}, a subscription from its order to its sleep: ${inWords(shared(between(before[n]!, created[n]!, rate), all))}`,
      );
      say(`${name}, a collected cycle: ${inWords(shared(between(created[n]!, collected[n]!, rate), count))}`);
    });
    say(
      `a workflow asleep before its first cycle: ${asleep.events} events and ${Math.round(asleep.bytes)} bytes in its run, ${asleep.actions} actions so far`,
    );
    const [events, bytes] = [awake.events - asleep.events, Math.round(awake.bytes - asleep.bytes)];
    const [transitions, actions] = [awake.transitions - asleep.transitions, awake.actions - asleep.actions];
    say(`a collected cycle: ${events} events, ${bytes} bytes, ${transitions} transitions, ${actions} actions`);
  } finally {
    await connection.close();
  }
}

import { randomUUID } from 'node:crypto';
import { MINUTE, SECOND } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import type { DuedayProcess } from '../cli/dueday-process';
import { openProcessStack, type ProcessStack, type ProcessStackOptions } from '../processes/local-stack';
import type { Program } from '../processes/program';
import { portToKeep } from '../processes/servers';
import { orderOf } from '../scenarios/order';
import { waitUntil } from '../support/wait-until';
import { Recording } from './recording';
import { openServiceLine, type ServiceLine } from './service-line';

/** An hour of business time in a real minute: what falls due in a fault falls due while it lasts. */
const SPEED = 60;
const START = Date.parse('2027-01-12T08:00:00.000Z');
/** Calls a second of the whole installation. */
export const CAP = 10;

const ENV = {
  PAYMENT_SERVICE_SETTLE_SECONDS: '5',
  PAYMENT_SERVICE_TIMEOUT_MS: '10000',
  PAYMENT_SERVICE_MAX_RPS: String(CAP),
  NOTICE_BACKOFF_SECONDS: '1',
};

/** The processes of an installation. */
export type Role = 'worker' | 'api';

interface Payer {
  readonly subscriptionId: string;
  readonly paymentId: string;
}

/** A worker, an admin API, and the servers that they need, all real processes; observed from the beginning. */
export interface Stage {
  readonly stack: ProcessStack;
  readonly line: ServiceLine;
  readonly recording: Recording;
  /** Connections to the ledger as its owner. */
  readonly db: Pool;
  /** The program of each role that runs now, or ran last. */
  readonly running: Readonly<Record<Role, Program>>;
  /** Variables of the programs and commands. */
  readonly env: Readonly<Record<string, string>>;
  /** All payers with a subscription. */
  readonly payers: readonly Payer[];
  /** Every process that was started, with its log. */
  readonly started: readonly { readonly role: string; readonly process: DuedayProcess }[];
  /** Subscribes payers who fall due so many real ms from now. */
  subscribe(dueIn: readonly number[]): Promise<readonly Payer[]>;
  /** Starts a role again, with other variables; the one before is stopped. */
  replace(role: Role, env?: Readonly<Record<string, string>>): DuedayProcess;
  /** Resolves once both are ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** @param openTemporal instead of Temporal's development server */
export async function openStage(openTemporal?: ProcessStackOptions['openTemporal']): Promise<Stage> {
  const servers = openTemporal === undefined ? {} : { openTemporal };
  const stack = await openProcessStack({ startAt: START, speed: SPEED, env: ENV, ...servers });
  const line = await openServiceLine(stack.sandboxUrl);
  const metricsPort = await portToKeep('the metrics of the worker');
  const env = { ...stack.env, PAYMENT_SERVICE_BASE_URL: line.url };
  const urls = {
    worker: `http://127.0.0.1:${metricsPort}`,
    api: `http://127.0.0.1:${stack.env['ADMIN_PORT'] ?? ''}`,
  };
  const db = createPool({ databaseUrl: stack.databaseUrl, max: 2 });
  // Sessions end when PostgreSQL is set back or made read only.
  db.on('error', () => undefined);
  const payers: Payer[] = [];
  const started: { role: string; process: DuedayProcess }[] = [];
  const create = (role: Role, more: Readonly<Record<string, string>>) =>
    stack.program(role, role, {
      PAYMENT_SERVICE_BASE_URL: line.url,
      ...(role === 'worker' ? { METRICS_PORT: String(metricsPort) } : {}),
      ...more,
    });
  const running = { worker: create('worker', {}), api: create('api', {}) };
  const launch = (role: Role) => {
    const launched = running[role].launch();
    started.push({ role, process: launched });
    return launched;
  };
  launch('worker');
  launch('api');
  const ready = () =>
    waitUntil('worker and API are ready', async () =>
      (await Promise.all(Object.values(urls).map(isReady))).every(Boolean),
    );
  const recording = await ready().then(
    () => new Recording(Object.entries(urls).map(([instance, url]) => ({ instance, url }))),
  );
  return {
    stack,
    line,
    recording,
    db,
    running,
    env,
    payers,
    started,
    async subscribe(dueIn) {
      const made: Payer[] = [];
      for (const ms of dueIn) made.push(await subscribe(stack, ms));
      payers.push(...made);
      for (const { subscriptionId } of made) await untilActive(stack, subscriptionId);
      return made;
    },
    replace(role, more = {}) {
      running[role] = create(role, more);
      return launch(role);
    },
    ready,
    async close() {
      recording.stop();
      await db.end();
      await line.close();
      await stack.close();
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** The most tries of a creation: on a busy machine the API answers 503 until a worker has answered. */
const MAX_TRIES = 20;

async function subscribe({ admin, clock, sandbox }: ProcessStack, dueIn: number): Promise<Payer> {
  const firstPaymentAt = clock.now() + dueIn * SPEED;
  const order = orderOf({ name: 'outage', cents: 1999, firstPaymentAt, repetition: 'MONTHLY' }, clock.now());
  const key = randomUUID();
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await admin.post<Payer>('/v1/subscriptions', order, key);
    if (status === 201) {
      sandbox.payer(body.paymentId).approve('approves');
      return body;
    }
    if (status !== 503 || tries === MAX_TRIES)
      throw new Error(`an order was answered with ${status}: ${JSON.stringify(body)}`);
  }
}

async function untilActive({ admin }: ProcessStack, subscriptionId: string): Promise<void> {
  await waitUntil(`${subscriptionId} is active`, async () => {
    const { body } = await admin.get<{ status: string }>(`/v1/subscriptions/${subscriptionId}`);
    return body.status === 'active';
  });
}

/** How often each payer was debited, by the service's own record. */
export function debitsOf({ stack }: Stage, payers: readonly Payer[]): readonly number[] {
  const debits = stack.sandbox.debits();
  return payers.map(({ paymentId }) => debits.filter((each) => each.paymentId === paymentId).length);
}

/** Real ms within which everything delayed is collected, once the fault is over. */
const COLLECTED_WITHIN = 15 * MINUTE;

export async function untilCollected(stage: Stage, payers: readonly Payer[]): Promise<void> {
  await waitUntil(
    'everything that fell due is debited',
    () => debitsOf(stage, payers).every((count) => count > 0),
    COLLECTED_WITHIN,
  );
}

/** The lines of the processes of a role since an instant of real time, and how many of them are not JSON. */
export function linesSince({ started }: Stage, since: number) {
  const all = started.flatMap(({ role, process }, index) =>
    `${process.stdout()}${process.stderr()}`
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ process: `${role} ${index}`, at: timeOf(line), line })),
  );
  return {
    /** The most lines that a process wrote within a minute. */
    most: Math.max(0, ...[...countByMinute(all.filter(({ at }) => at !== null && at >= since)).values()]),
    loudest: loudestOf(all.filter(({ at }) => at !== null && at >= since).map(({ line }) => line)),
    /** Apart from the one line in which a program refuses to start. */
    unstructured: all.filter(({ at, line }) => at === null && !line.startsWith('dueday: ')).map(({ line }) => line),
  };
}

/** The three messages that were written most often, each with its number. */
function loudestOf(lines: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { msg } = JSON.parse(line) as { msg: string };
    const message = msg.replaceAll(/\d+/g, '#');
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  return most.map(([message, count]) => `${count} × ${message}`).join('; ');
}

function countByMinute(lines: readonly { readonly process: string; readonly at: number | null }[]) {
  const counts = new Map<string, number>();
  for (const { process, at } of lines) {
    const minute = `${process} ${Math.floor((at ?? 0) / MINUTE)}`;
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
}

/** The time of a log line in epoch ms; null if it is not from pino. */
function timeOf(line: string): number | null {
  try {
    const { time } = JSON.parse(line) as { time?: number | string };
    return time === undefined ? null : new Date(time).getTime();
  } catch {
    return null;
  }
}

/** When the subscriptions of {@link Stage.subscribe} fall due: one after the other while a fault lasts. */
export const DUE_DURING_FAULT = [40, 80, 120, 160].map((seconds) => seconds * SECOND);

import { join } from 'node:path';
import { createClock } from '../platform/clock';
import { type Defaults, type Environment, isGiven, loadConfig } from '../config';
import { toIso } from '../domain/time';
import { chooseDataDir } from '../embedded/folders';
import { createLogger, createProgressLog } from '../platform/log';
import { createSamples, runTag, type Sample } from './demo/samples';
import { type LocalStack, openLocalStack, type StackCommand } from '../process/local-stack';
import { print, printTable } from './output';
import { untilSignal } from '../process/command';
import { BadInputError } from '../process/command-error';

export interface StartCommand extends StackCommand {
  /** Virtual seconds per real second, as typed. */
  readonly speed?: string;
}

/** One hour per second: a week in under three minutes. */
const SPEED = 3600;
/** Four hours per second, as in the demo: a collection window lasts 30 real seconds. */
const FASTEST = 14_400;
/** Stopping waits for requests to the payment service to end. */
const STOP_TIMEOUT = 60_000;

/**
 * The speed of the test clock.
 * @throws BadInputError if it is not supported, or `TEST_CLOCK` sets another one
 */
export function readSpeed(text: string | undefined, env: Environment): number {
  if (text === undefined) return SPEED;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(speed >= 1 && speed <= FASTEST))
    throw new BadInputError([`--speed: expected a number from 1 to ${FASTEST}; got ${JSON.stringify(text)}`]);
  if (isGiven('TEST_CLOCK', env))
    throw new BadInputError(['--speed: not allowed together with TEST_CLOCK, which sets a speed; unset one of them']);
  return speed;
}

/** A test clock that starts now. @param realNow epoch ms */
export function testClockAt(speed: number, realNow: number): string {
  const now = toIso(realNow);
  return `${now}@${now}x${speed}`;
}

/** Real seconds between the last planned retry and the end of the 72 hours: enough for a busy machine. */
const MIN_LEFT = 1.5;

/**
 * What a run at this speed sets if the environment does not. The faster the clock, the more business time passes in waits of
 * real seconds, and while the last retry is sent.
 */
export function defaultsAt(speed: number): Defaults {
  const lastRetry = Math.min(71, 72 - Math.ceil((MIN_LEFT * speed) / 3600));
  return {
    PAYMENT_SERVICE_SETTLE_SECONDS: speed > SPEED ? '2' : '5',
    NOTICE_BACKOFF_SECONDS: '1,2,5',
    RETRY_OFFSETS_HOURS: `24,48,${lastRetry}`,
  };
}

/** Everything embedded, with sample subscriptions on a test clock, until Ctrl-C. */
export async function runStart({ yesUseExternal = false, speed: typed }: StartCommand = {}): Promise<void> {
  const speed = readSpeed(typed, process.env);
  const { LOG_LEVEL } = loadConfig(process.env);
  const log = createLogger(LOG_LEVEL, { pretty: process.stdout.isTTY });
  const stack = await openLocalStack({
    log,
    progress: createProgressLog(),
    mayUseExternal: yesUseExternal,
    dataDir: join(chooseDataDir(), 'start'),
    testClock: testClockAt(speed, createClock(null).realNow()),
    ports: { admin: 8080, sandbox: 7780, temporal: 7233, ui: 8233, postgres: 5432 },
    defaults: defaultsAt(speed),
    onNotice: ({ type, data: { subscriptionId, paymentId } }) =>
      log.info({ subscriptionId, paymentId }, `notice ${type}`),
  });
  try {
    await createOwnSamples(stack);
    printAddresses(stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  await untilSignal(log, () => stack.stop(), stack.failed, STOP_TIMEOUT);
}

function sample(name: string, story: string, wallet: string, rest: Partial<Sample> = {}): Sample {
  const subscriptionId = `${name}-${runTag()}`;
  return {
    repetition: 'WEEKLY',
    cents: 1999,
    answer: 'approve',
    lasts: null,
    subscriptionId,
    story,
    wallet,
    ...rest,
  };
}

async function createOwnSamples({ adminUrl, adminKey, sandboxUrl, parts }: LocalStack): Promise<void> {
  const admin = { url: adminUrl, key: adminKey };
  const samples = [
    // The first payment of the first sample is due in a week, see createSamples.
    sample('insurance', 'monthly, always pays', 'approves', { repetition: 'MONTHLY', cents: 12000 }),
    sample('magazine', 'weekly, always pays', 'approves'),
    sample('gym', 'weekly, insufficient funds once', 'insufficient-funds-once', { cents: 4900 }),
    sample('tram', 'weekly, the payer cancels after two payments', 'cancels-after-2', { cents: 950 }),
    sample('water', 'quarterly, always insufficient funds', 'insufficient-funds-always', {
      repetition: 'QUARTERLY',
      cents: 8000,
    }),
  ];
  await createSamples({ admin, sandboxUrl, clock: parts.clock }, samples);
}

function printAddresses({ adminUrl, adminKey, sandboxUrl, temporalUiUrl, parts }: LocalStack): void {
  const { config } = parts;
  print();
  printTable([
    ['console', adminUrl],
    ['admin API', `${adminUrl}/docs`],
    ['admin key', adminKey],
    ['metrics', `${adminUrl}/metrics`],
    ['payment service simulator', sandboxUrl],
    ['its debits', `${sandboxUrl}/_sandbox/debits`],
    ['Temporal', config.TEMPORAL_ADDRESS ?? ''],
    ...(temporalUiUrl === null ? [] : [['Temporal Web UI', temporalUiUrl]]),
    ['PostgreSQL', config.DATABASE_URL ?? ''],
    ['business time', `${toIso(parts.clock.now())}, ${config.TEST_CLOCK?.speed ?? 1} times real time`],
  ]);
  print();
  print('For commands in another terminal:');
  exportLines(adminUrl, adminKey).forEach((line) => print(line));
  print();
  print('Press Ctrl-C to stop.');
}

/** What a shell must read before commands that call the admin API. */
export function exportLines(url: string, key: string): readonly string[] {
  return [`export DUEDAY_URL=${url}`, `export DUEDAY_KEY=${key}`];
}

import { join } from 'node:path';
import { createClock } from '../platform/clock';
import { loadConfig } from '../config';
import { toIso } from '../domain/time';
import { chooseDataDir } from '../embedded/folders';
import { createLogger, createProgressLog } from '../platform/log';
import { orderSample, runTag, type Sample } from './demo/samples';
import { type LocalStack, openLocalStack, type StackCommand } from '../process/local-stack';
import { print, printTable } from './output';
import { untilSignal } from '../process/command';

/** One hour per second: a week in under three minutes. */
const SPEED = 3600;
/** Stopping waits for requests to the payment service to end. */
const STOP_TIMEOUT = 60_000;

/** Everything embedded, with sample subscriptions on a test clock, until Ctrl-C. */
export async function runStart({ yesUseExternal = false }: StackCommand = {}): Promise<void> {
  const { LOG_LEVEL } = loadConfig(process.env);
  const log = createLogger(LOG_LEVEL, { pretty: process.stdout.isTTY });
  const real = toIso(createClock(null).realNow());
  const stack = await openLocalStack({
    log,
    progress: createProgressLog(),
    mayUseExternal: yesUseExternal,
    dataDir: join(chooseDataDir(), 'start'),
    testClock: `${real}@${real}x${SPEED}`,
    ports: { admin: 8080, sandbox: 7780, temporal: 7233, ui: 8233, postgres: 5432 },
    defaults: { PAYMENT_SERVICE_SETTLE_SECONDS: '5', NOTICE_BACKOFF_SECONDS: '1,2,5' },
    onNotice: ({ type, data: { subscriptionId, paymentId } }) =>
      log.info({ subscriptionId, paymentId }, `notice ${type}`),
  });
  try {
    await orderSamples(stack);
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

async function orderSamples({ adminUrl, adminKey, sandboxUrl, parts }: LocalStack): Promise<void> {
  const admin = { url: adminUrl, key: adminKey };
  const samples = [
    sample('magazine', 'weekly, always pays', 'approves'),
    sample('gym', 'weekly, insufficient funds once', 'insufficient-funds-once', { cents: 4900 }),
    sample('insurance', 'monthly, always pays', 'approves', { repetition: 'MONTHLY', cents: 12000 }),
    sample('tram', 'weekly, the payer cancels after two payments', 'cancels-after-2', { cents: 950 }),
    sample('water', 'quarterly, always insufficient funds', 'insufficient-funds-always', {
      repetition: 'QUARTERLY',
      cents: 8000,
    }),
  ];
  for (const each of samples) await orderSample(admin, sandboxUrl, each, parts.clock.now());
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

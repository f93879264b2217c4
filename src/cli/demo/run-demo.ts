import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createClock } from '../../platform/clock';
import { loadQuietly } from '../../config';
import { realDelay, toIso } from '../../domain/time';
import { euros, formatMoney, type Money } from '../../domain/money';
import { makeTemporaryFolder } from '../../embedded/folders';
import { createLogger, createProgressLog } from '../../platform/log';
import { type Access, askList } from '../api/call';
import { insist } from './insist';
import { createSamples, type SubscriptionView } from './samples';
import { CommandError } from '../../process/command-error';
import { type LocalStack, openLocalStack, type StackCommand } from '../../process/local-stack';
import { print, printTable } from '../output';
import { compareDebits, type DebitLine } from './agreement';
import { type Stage, STORIES, type Story } from './stories';
import { printAuditLog } from './audit-printer';

/** Four hours a second: a week in 42 s. */
const SPEED = 14_400;
const VIRTUAL_START = '2027-01-29T08:00:00.000Z';
/** Real ms after which a story that has not ended counts as failed. */
const TIMEOUT = 150_000;
const POLL = 250;

/** Plays whole subscription lives, unattended, and compares the ledger with the service's own records. */
export async function runDemo({ yesUseExternal = false }: StackCommand = {}): Promise<void> {
  const { LOG_LEVEL } = loadQuietly();
  const log = createLogger(LOG_LEVEL, { pretty: process.stdout.isTTY });
  const dataDir = await makeTemporaryFolder('demo');
  const stack = await openLocalStack({
    log,
    progress: createProgressLog(),
    mayUseExternal: yesUseExternal,
    dataDir,
    testClock: `${VIRTUAL_START}@${toIso(createClock(null).realNow())}x${SPEED}`,
    ports: { admin: 0, sandbox: 0, temporal: 0, ui: 0, postgres: 0 },
    defaults: {
      PAYMENT_SERVICE_SETTLE_SECONDS: '2',
      NOTICE_BACKOFF_SECONDS: '1',
      // An hour before the limit is a quarter of a second at this speed: leave room for a busy machine.
      RETRY_OFFSETS_HOURS: '24,48,66',
      PAYER_UPCOMING_DAYS: 'MONTHLY:3',
    },
    onNotice: ({ type, data, timestamp }) =>
      print(`${timestamp}  ${(data.subscriptionId ?? '').padEnd(22)}  > notice: ${type}`),
  }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  let closingLine: string;
  try {
    closingLine = await play(stack);
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  // The messenger may receive and print a notice until everything has stopped.
  print(closingLine);
}

/** @returns the closing line. @throws CommandError if ledger and service differ, or a story ended unexpectedly */
async function play(stack: LocalStack): Promise<string> {
  const admin = { url: stack.adminUrl, key: stack.adminKey };
  printLocations(stack);
  const printer = printAuditLog(stack.parts);
  const failed = stack.failed.then((reason) => {
    throw new CommandError(reason);
  });
  try {
    const ends = await Promise.race([playStories(stack, admin), failed]);
    await printer.stop();
    return await conclude(stack, admin, ends);
  } finally {
    await printer.stop();
  }
}

function printLocations({ adminUrl, sandboxUrl, temporalUiUrl }: LocalStack): void {
  print(`admin API ${adminUrl}, payment service ${sandboxUrl}, Temporal Web UI ${temporalUiUrl ?? 'external'}`);
  print(`${STORIES.length} subscriptions, four hours a second from ${VIRTUAL_START}`);
}

interface Ending {
  readonly story: Story;
  readonly subscription: SubscriptionView;
}

/** Each story begins as soon as its subscription is created. */
async function playStories(stack: LocalStack, admin: Access): Promise<Ending[]> {
  const { sandboxUrl, parts } = stack;
  const playing: Promise<Ending>[] = [];
  await createSamples({ admin, sandboxUrl, clock: parts.clock }, STORIES, (story, subscription) => {
    const played = playStory(stack, admin, story, subscription);
    // The failure of a story is thrown below, once all subscriptions are created.
    played.catch(() => undefined);
    playing.push(played);
  });
  return Promise.all(playing);
}

async function playStory(
  stack: LocalStack,
  admin: Access,
  story: Story,
  subscription: SubscriptionView,
): Promise<Ending> {
  const { clock } = stack.parts;
  const until = (what: string, condition: (view: SubscriptionView) => boolean) =>
    waitUntil(admin, story, what, condition);
  const stage: Stage = {
    admin,
    sandboxUrl: stack.sandboxUrl,
    subscription,
    until,
    now: () => clock.now(),
    pass: (ms) => pause(realDelay(clock.setting, clock.realNow(), clock.now() + ms)),
  };
  await story.play?.(stage);
  const ended = await until('it has ended', ({ status }) =>
    ['completed', 'cancelled', 'consent_failed'].includes(status),
  );
  return { story, subscription: ended };
}

async function waitUntil(
  admin: Access,
  story: Story,
  what: string,
  condition: (subscription: SubscriptionView) => boolean,
): Promise<SubscriptionView> {
  const timesOutAt = performance.now() + TIMEOUT;
  for (;;) {
    const subscription = await insist<SubscriptionView>(admin, 'getSubscription', {
      path: { id: story.subscriptionId },
    });
    if (condition(subscription)) return subscription;
    if (performance.now() > timesOutAt) {
      throw new CommandError(
        `${story.subscriptionId}: timed out waiting until ${what}: ${JSON.stringify(subscription)}`,
      );
    }
    await pause(POLL);
  }
}

/** Prints the closing table; the command fails on any difference or unexpected end. @returns the closing line */
async function conclude(stack: LocalStack, admin: Access, endings: readonly Ending[]): Promise<string> {
  const ledger = await debitsOfLedger(admin);
  const service = await debitsOfService(stack.sandboxUrl);
  printClosingTable(endings, ledger, service);
  const { debits, differences } = compareDebits(ledger, service);
  const faults = [...differences, ...endings.flatMap(unexpectedEndOf)];
  if (faults.length > 0) throw new CommandError(`demo failed:\n${faults.join('\n')}`);
  return `demo: ledger and service agree, ${debits.length} debits, ${formatMoney(total(debits))}`;
}

function unexpectedEndOf({ story, subscription }: Ending): string[] {
  const { status, cyclesCollected } = subscription;
  if (status === story.ends.status && cyclesCollected === story.ends.collected) return [];
  const expected = `${story.ends.status} with ${story.ends.collected} collected`;
  return [`${story.subscriptionId} ended ${status} with ${cyclesCollected} collected; expected ${expected}`];
}

/** The successful debits in the list of transactions, which is what an accountant reads. */
function debitsOfLedger(admin: Access): Promise<DebitLine[]> {
  return askList(admin, 'listTransactions', { query: { type: 'debit', status: 'successful' } });
}

async function debitsOfService(sandboxUrl: string): Promise<DebitLine[]> {
  const answer = await fetch(`${sandboxUrl}/_sandbox/debits`);
  const { items } = (await answer.json()) as { items: (DebitLine & { status: string })[] };
  return items.filter(({ status }) => status === 'successful');
}

function printClosingTable(
  endings: readonly Ending[],
  ledger: readonly DebitLine[],
  service: readonly DebitLine[],
): void {
  print();
  const side = (lines: readonly DebitLine[], paymentId: string) => {
    const own = lines.filter((line) => line.paymentId === paymentId);
    return `${own.length} x, ${formatMoney(total(own))}`;
  };
  printTable([
    ['SUBSCRIPTION', 'STORY', 'STATUS', 'STANDING', 'LEDGER', 'SERVICE'],
    ...endings.map(({ story, subscription: { status, standing, paymentId } }) => [
      ...[story.subscriptionId, story.story, status, standing],
      ...[side(ledger, paymentId), side(service, paymentId)],
    ]),
  ]);
  print();
}

function total(lines: readonly DebitLine[]): Money {
  return euros(lines.reduce((sum, line) => sum + line.amount.value, 0));
}

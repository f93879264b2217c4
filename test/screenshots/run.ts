/**
 * `npm run screenshots`: the pictures of the console and of Temporal's Web UI in docs/images. They are taken of a
 * running stack with samples like those of the demo, so that they stay true. Three weeks pass at four hours a second.
 * Needs a build. Last line: `screenshots: 17 pictures`.
 */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator } from 'playwright-core';
import { createSample, type Sample, type SubscriptionView } from '../../src/cli/demo/samples';
import { type Access, ask } from '../../src/cli/api/call';
import { DAY, HOUR, type Instant, realDelay } from '../../src/domain/time';
import { openBrowser, Window } from '../console/browser';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import { waitUntil } from '../support/wait-until';

const FOLDER = join(__dirname, '../../docs/images');
/** So that a page of docs loads fast. */
const MAX_BYTES = 130_000;
const WIDTH = 1120;
const SPEED = 14_400;
const START = Date.parse('2027-01-29T08:00:00.000Z');
const TIMEOUT = 120_000;

async function main(): Promise<void> {
  const env = {
    PAYMENT_SERVICE_SETTLE_SECONDS: '2',
    NOTICE_BACKOFF_SECONDS: '1',
    // An hour takes a quarter of a second: a last retry only an hour before the limit could come too late.
    RETRY_OFFSETS_HOURS: '24,48,66',
  };
  const stack = await openProcessStack({ startAt: START, speed: SPEED, env, temporalUi: true });
  try {
    await stack.program('daemon').start();
    const admin = {
      url: `http://127.0.0.1:${stack.env['ADMIN_PORT'] ?? ''}`,
      key: stack.env['ADMIN_BOOTSTRAP_KEY'] ?? '',
    };
    await live(stack, admin);
    await takePictures(admin, stack.temporalUiUrl ?? '');
  } finally {
    await stack.close();
  }
}

function sample(subscriptionId: string, wallet: string, rest: Partial<Sample> = {}): Sample {
  const terms = { repetition: 'WEEKLY', cents: 1999, answer: 'approve', lasts: null } as const;
  return { ...terms, subscriptionId, wallet, story: `customer of the ${subscriptionId}`, ...rest };
}

/** Three weeks of six subscriptions: a pause, a change of amount, refusals, a debit that fails. */
async function live({ clock, sandboxUrl }: ProcessStack, admin: Access): Promise<void> {
  const order = (each: Sample) => createSample({ admin, sandboxUrl, clock }, each, clock.now() + DAY);
  const reach = (at: Instant) => pause(realDelay(clock.setting, clock.realNow(), at));
  const startedAt = clock.now();
  const magazine = { path: { id: 'magazine' } };
  await order(sample('magazine', 'approves'));
  await order(sample('gym', 'insufficient-funds-once', { cents: 4900 }));
  await order(sample('insurance', 'approves', { repetition: 'MONTHLY', cents: 12_000 }));
  await order(sample('water', 'insufficient-funds-always', { cents: 8000 }));
  await reach(startedAt + 11 * DAY);
  await ask(admin, 'pauseSubscription', { ...magazine, body: { reason: 'the payer is on holiday' } });
  await reach(startedAt + 17 * DAY);
  await ask(admin, 'resumeSubscription', { ...magazine, body: { reason: 'back home' } });
  await ask(admin, 'changeAmount', { ...magazine, body: { amount: { value: 1799, currency: 'EUR' } } });
  await reach(startedAt + 20.5 * DAY);
  await order(sample('theatre', 'capture-fails', { cents: 3500 }));
  await order(sample('bicycle', 'slow', { cents: 2900 }));
  await reach(startedAt + 22 * DAY + 6 * HOUR);
  await until(admin, 'water', ({ standing }) => standing === 'dunning');
  await until(admin, 'theatre', ({ standing }) => standing === 'needs_attention');
  await until(admin, 'magazine', ({ cyclesCollected }) => cyclesCollected >= 3);
}

function until(admin: Access, id: string, isSo: (view: SubscriptionView) => boolean): Promise<void> {
  return waitUntil(
    `${id} is in the state that the pictures show`,
    async () => isSo(await ask<SubscriptionView>(admin, 'getSubscription', { path: { id } })),
    TIMEOUT,
  );
}

/** The other views, in the light theme: name, path and height of the picture. */
const LISTS = [
  ['subscriptions', '/subscriptions', 620],
  ['queue', '/attention', 420],
  ['transactions', '/money', 760],
  ['recovery', '/recovery', 640],
  ['forecast', '/forecast', 560],
  ['webhooks', '/events/log', 620],
  ['notices', '/notices/preview', 660],
  ['keys', '/keys', 320],
  ['audit', '/audit', 520],
] as const;

async function takePictures(admin: Access, temporalUiUrl: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const browser = await openBrowser();
  const sizes: Size[] = [];
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await Window.open(browser, admin.url, { colorScheme, width: WIDTH });
      await window.signIn(admin.key);
      const take = async (name: string, path: string, height: number) => {
        await window.go(path);
        await window.page.getByRole('heading', { level: 1 }).waitFor();
        await window.settled();
        sizes.push([`${name}.png`, await takePicture(window, join(FOLDER, `${name}.png`), height)]);
      };
      await take(`today-${colorScheme}`, '/', 460);
      await take(`subscription-${colorScheme}`, '/subscriptions/magazine', 690);
      await take(`attention-${colorScheme}`, `/attention/${await itemOf('theatre', admin)}`, 640);
      if (colorScheme === 'light') for (const [name, path, height] of LISTS) await take(name, path, height);
      await window.close();
    }
    sizes.push(...(await takeTemporalPictures(browser, temporalUiUrl)));
  } finally {
    await browser.close();
  }
  for (const [name, bytes] of sizes) process.stdout.write(`${name}: ${bytes} bytes\n`);
  const large = sizes.filter(([, bytes]) => bytes >= MAX_BYTES).map(([name]) => name);
  if (large.length > 0) throw new Error(`expected less than ${MAX_BYTES} bytes each; larger: ${large.join(', ')}`);
  process.stdout.write(`screenshots: ${sizes.length} pictures\n`);
}

/** Takes the pictures of Temporal's own Web UI, which has only one theme. */
async function takeTemporalPictures(browser: Browser, url: string): Promise<Size[]> {
  const sizes: Size[] = [];
  const window = await Window.open(browser, url, { width: WIDTH });
  const take = async (name: string, shown: Locator, height: number) => {
    await shown.first().waitFor();
    sizes.push([name, await takePicture(window, join(FOLDER, name), height)]);
  };
  await window.go(`/namespaces/default/workflows?query=${encodeURIComponent('WorkflowType="subscription"')}`);
  await take('temporal-workflows.png', window.page.getByText('subscription/water'), 560);
  // The Web UI redirects to the newest run: only then is the run's address known.
  await window.go('/namespaces/default/workflows/subscription%2Fmagazine');
  await window.page.waitForURL('**/history');
  await window.page.goto(window.page.url().replace(/history$/, 'user-metadata'));
  // The Web UI shows the details that a workflow provides in an iframe.
  await take('temporal-details.png', window.page.frameLocator('iframe').getByText('In the console'), 740);
  await window.close();
  return sizes;
}

type Size = readonly [name: string, bytes: number];

async function itemOf(subscriptionId: string, admin: Access): Promise<string> {
  const { items } = await ask<{ items: { item: string; subscriptionId: string }[] }>(admin, 'listAttention', {});
  const found = items.find((each) => each.subscriptionId === subscriptionId);
  if (found === undefined) throw new Error(`no attention item of ${subscriptionId} is open`);
  return found.item;
}

/** Saves a picture of the top of the page. @returns its size in bytes */
async function takePicture({ page }: Window, path: string, height: number): Promise<number> {
  await page.screenshot({ path, animations: 'disabled', clip: { x: 0, y: 0, width: WIDTH, height } });
  return (await stat(path)).size;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);

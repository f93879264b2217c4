import type { Browser, CDPSession, Page } from 'playwright-core';
import type { DuedayProcess } from '../cli/dueday-process';
import { createPool, type Pool } from '../../src/ledger';
import { fillLedger } from '../ledger/volume';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import { ADMIN_KEY, type Ground, openGround } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { leave, openBrowser, Window } from './browser';

const SUBSCRIPTIONS = 2_000;

let ground: Ground;
let api: DuedayProcess;
let ledger: Pool;
let admin: AdminApi;
let url: string;
let browser: Browser;

beforeAll(async () => {
  [ground, browser] = await Promise.all([openGround(1), openBrowser()]);
  ledger = createPool({ databaseUrl: ground.database.url, max: 2 });
  await fillLedger(ledger, { subscriptions: SUBSCRIPTIONS, payments: 20, createdEvery: 20, newest: 31, entries: 3 });
  api = ground.start('api', { PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'info' });
  url = (await api.says('admin API on ')).url!;
  admin = createAdminApi(url, ADMIN_KEY);
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  await (ledger as Pool | undefined)?.end();
  await (ground as Ground | undefined)?.close();
});

async function signedIn(path: string, script = ''): Promise<Window> {
  const window = await Window.open(browser, url);
  await window.page.addInitScript(script);
  await window.signIn(ADMIN_KEY, path);
  return window;
}

/** Every id, in the order of the API. */
async function idsOfApi(): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await admin.get<{ items: { subscriptionId: string }[]; nextCursor: string | null }>(
      `/v1/subscriptions?limit=200${from}`,
    );
    ids.push(...page.body.items.map(({ subscriptionId }) => subscriptionId));
    cursor = page.body.nextCursor;
  }
  return ids;
}

/** The rows that the page has: their numbers, counted from 0, with their ids. */
function rowsOf(page: Page): Promise<readonly (readonly [number, string])[]> {
  return page.evaluate(
    `[...document.querySelectorAll('tr[aria-rowindex]')].map((row) => [row.ariaRowIndex - 2, row.querySelector('[data-row]').textContent.split(' ').at(-1)])`,
  );
}

const toEnd = (page: Page) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');

test('a list of thousands is read as it is scrolled, each row in its place, and few of them are in the page', async () => {
  const ids = await idsOfApi();
  expect(ids).toHaveLength(SUBSCRIPTIONS);
  const window = await signedIn('/subscriptions');
  const { page } = window;
  const table = page.getByRole('table', { name: 'subscriptions' });
  await table.waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe('-1');
  const seen = new Map<number, string>();
  let most = 0;
  await waitUntil('the end of the list is there', async () => {
    await toEnd(page);
    const rows = await rowsOf(page);
    most = Math.max(most, rows.length);
    for (const [index, id] of rows) seen.set(index, id);
    return rows.some(([index]) => index === SUBSCRIPTIONS - 1);
  });
  await page.getByText('These are all: 2,000.').waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe(String(SUBSCRIPTIONS + 1));
  expect(most).toBeLessThan(150);
  expect([...seen].filter(([index, id]) => ids[index] !== id)).toEqual([]);
  await leave(window);
});

test('"back" leads to the row that was opened; the keyboard goes on from what is in sight, and past what was read', async () => {
  const ids = await idsOfApi();
  const window = await signedIn('/subscriptions');
  const { page } = window;
  const link = (index: number) => page.getByRole('link', { name: new RegExp(`(^| )${ids[index]!}$`) });
  await page.getByRole('table').waitFor();
  await waitUntil('row 500 is there', () => hasRow(page, ids[500]!));
  await link(500).scrollIntoViewIfNeeded();
  const place = await topOf(page, ids[500]!);
  await link(500).click();
  await page.getByRole('heading', { name: ids[500]!, exact: false }).waitFor();
  await page.goBack();
  await link(500).waitFor();
  await waitUntil('row 500 is where it was', async () => Math.abs((await topOf(page, ids[500]!)) - place) <= 1);

  await page.keyboard.press('j');
  const focused = () => page.evaluate<string>('document.activeElement.textContent.split(" ").at(-1)');
  let at = ids.indexOf(await focused());
  expect(at).toBeGreaterThan(400);
  const goal = at + 200;
  await waitUntil('200 rows further', async () => {
    await page.keyboard.press('j');
    const next = ids.indexOf(await focused());
    // Where the next page is still being read, it stays.
    expect([at, at + 1]).toContain(next);
    at = next;
    return at === goal;
  });
  await leave(window);
});

/** Whether the page has the row. Where not, it is scrolled to its last row: none is passed before it was drawn. */
function hasRow(page: Page, id: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const rows = [...document.querySelectorAll('[data-row]')];
    if (rows.some((each) => each.textContent.split(' ').at(-1) === '${id}')) return true;
    rows.at(-1)?.scrollIntoView();
    return false;
  })()`);
}

/** Pixels from the top of the window. */
function topOf(page: Page, id: string): Promise<number> {
  return page.evaluate<number>(`(() => {
    const found = [...document.querySelectorAll('[data-row]')].find((each) => each.textContent.split(' ').at(-1) === '${id}');
    return found.getBoundingClientRect().top;
  })()`);
}

/** Counts what the stream says has changed. */
const COUNTING = `{
  const Source = EventSource;
  window.changes = 0;
  window.EventSource = class extends Source {
    constructor(...args) {
      super(...args);
      this.addEventListener('change', () => (window.changes += 1));
    }
  };
}`;

/** Each of another one-time payment, as fast as the ledger takes them. */
async function happen(from: number, to: number): Promise<void> {
  await ledger.query(
    `insert into events (payment_id, change_key, at, actor, type)
     select 'flood-' || n, 'flood', now(), 'till', 'payment.requested' from generate_series($1::integer, $2::integer) n`,
    [from, to - 1],
  );
}

async function bytesInUse(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

test('a page that is open through 10,000 events reads no more than twice a second, and its memory stays as it is', async () => {
  const window = await signedIn('/', COUNTING);
  const { page } = window;
  const reads: number[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/reports/deadlines')) reads.push(performance.now());
  });
  await page.locator('.liveness', { hasText: 'Live' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const until = (count: number) =>
    waitUntil(`${count} changes have come`, async () => Number(await page.evaluate('changes')) >= count);
  await happen(0, 2_000);
  await until(2_000);
  await window.settled();
  const [before, begun] = [await bytesInUse(devtools), performance.now()];
  reads.length = 0;
  for (let from = 2_000; from < 10_000; from += 500) {
    await happen(from, from + 500);
    await until(from + 500);
  }
  const seconds = (performance.now() - begun) / 1_000;
  expect(reads.length).toBeGreaterThan(2);
  // One at the beginning, and one of before that was late.
  expect(reads.length).toBeLessThanOrEqual(2 * seconds + 2);
  await window.settled();
  const grown = (await bytesInUse(devtools)) - before;
  // Ids of 8,000 events that were kept would be a megabyte at the least.
  expect(grown).toBeLessThan(750_000);
  await leave(window);
});

test.each([
  ['of which nobody made use for half an hour', `set used_real_at = used_real_at - interval '30 minutes'`],
  [
    'that is twelve hours old',
    `set created_real_at = created_real_at - interval '13 hours', ends_real_at = ends_real_at - interval '12 hours'`,
  ],
])(
  'a session %s ends by itself, and asks for a key; the view is the same for who signs in again',
  async (_which, passes) => {
    const window = await signedIn('/subscriptions?status=paused');
    const { page } = window;
    await page.getByRole('table').waitFor();
    await ledger.query(`update sessions ${passes}`);
    await page.getByText('The session has ended. Sign in to go on.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await window.violations()).toEqual([]);
    await page.getByLabel('Key').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('table').waitFor();
    expect(new URL(page.url()).search).toBe('?status=paused');
    await leave(window);
  },
);

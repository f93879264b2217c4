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

/** The rendered rows: index from 0, and id. */
function rowsOf(page: Page): Promise<readonly (readonly [number, string])[]> {
  return page.evaluate(
    `[...document.querySelectorAll('tr[aria-rowindex]')].map((row) => [row.ariaRowIndex - 2, row.querySelector('[data-row]').textContent.split(' ').at(-1)])`,
  );
}

const toEnd = (page: Page) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');

test('a list of thousands loads during scrolling, in order, and renders only a few rows', async () => {
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
  await page.getByText('End of the list: 2,000.').waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe(String(SUBSCRIPTIONS + 1));
  expect(most).toBeLessThan(150);
  expect([...seen].filter(([index, id]) => ids[index] !== id)).toEqual([]);
  await leave(window);
});

test('"back" returns to the row that was opened, and the keyboard continues from the rows shown there past the loaded rows', async () => {
  const ids = await idsOfApi();
  const window = await signedIn('/subscriptions');
  const { page } = window;
  const link = (index: number) => page.getByRole('link', { name: new RegExp(`(^| )${ids[index]!}$`) });
  await page.getByRole('table').waitFor();
  await waitUntil('row 500 is there', () => hasRow(page, ids[500]!));
  await link(500).scrollIntoViewIfNeeded();
  const top = await topOf(page, ids[500]!);
  await link(500).click();
  await page.getByRole('heading', { name: ids[500]!, exact: false }).waitFor();
  await page.goBack();
  await link(500).waitFor();
  await waitUntil('row 500 is where it was', async () => Math.abs((await topOf(page, ids[500]!)) - top) <= 1);

  await page.keyboard.press('j');
  const focused = () => page.evaluate<string>('document.activeElement.textContent.split(" ").at(-1)');
  let at = ids.indexOf(await focused());
  expect(at).toBeGreaterThan(400);
  const goal = at + 200;
  await waitUntil('200 rows further', async () => {
    await page.keyboard.press('j');
    const next = ids.indexOf(await focused());
    // The selection stays on the row while the next page is loading.
    expect([at, at + 1]).toContain(next);
    at = next;
    return at === goal;
  });
  await leave(window);
});

/** Whether the row is rendered. If not, scrolls to the last rendered row, so that no row is skipped. */
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

/** Counts the changes that the stream reports. */
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

/** Inserts events of different one-time payments, as fast as the ledger takes them. */
async function insertEvents(from: number, to: number): Promise<void> {
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

test('a page open during 10,000 events fetches at most twice a second, and its memory does not grow', async () => {
  const window = await signedIn('/', COUNTING);
  const { page } = window;
  const reads: number[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/reports/deadlines')) reads.push(performance.now());
  });
  await page.locator('.liveness', { hasText: 'Live' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const until = (count: number) =>
    waitUntil(`${count} changes have arrived`, async () => Number(await page.evaluate('changes')) >= count);
  await insertEvents(0, 2_000);
  await until(2_000);
  await window.settled();
  const [before, startedAt] = [await bytesInUse(devtools), performance.now()];
  reads.length = 0;
  for (let from = 2_000; from < 10_000; from += 500) {
    await insertEvents(from, from + 500);
    await until(from + 500);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(reads.length).toBeGreaterThan(2);
  // Two more: one fetch at the start, and a late one from before.
  expect(reads.length).toBeLessThanOrEqual(2 * seconds + 2);
  await window.settled();
  const grown = (await bytesInUse(devtools)) - before;
  // Keeping the ids of 8,000 events would take at least a megabyte.
  expect(grown).toBeLessThan(750_000);
  await leave(window);
});

test.each([
  ['that was unused for half an hour', `set used_real_at = used_real_at - interval '30 minutes'`],
  [
    'that is twelve hours old',
    `set created_real_at = created_real_at - interval '13 hours', ends_real_at = ends_real_at - interval '12 hours'`,
  ],
])('a session %s ends, and a key is asked for; signing in again returns to the same view', async (_which, passes) => {
  const window = await signedIn('/subscriptions?status=paused');
  const { page } = window;
  await page.getByRole('table').waitFor();
  await ledger.query(`update sessions ${passes}`);
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
  expect(await window.violations()).toEqual([]);
  await page.getByLabel('Key').fill(ADMIN_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table').waitFor();
  expect(new URL(page.url()).search).toBe('?status=paused');
  await leave(window);
});

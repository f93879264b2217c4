import type { Browser } from 'playwright-core';
import { createPool, type Pool } from '../../src/ledger';
import { openDeadLetters } from '../../src/ledger/webhooks/dead-letters';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import { ADMIN_KEY, type Ground, openGround } from '../scenarios/world';
import { leave, openBrowser, Window } from './browser';

const ENDPOINT_URL = 'http://127.0.0.1:9/events';

let ground: Ground;
let ledger: Pool;
let admin: AdminApi;
let url: string;
let browser: Browser;
/** A disabled endpoint, whose undelivered events wait for an operator. */
let endpointId: string;

beforeAll(async () => {
  [ground, browser] = await Promise.all([openGround(1), openBrowser()]);
  ledger = createPool({ databaseUrl: ground.database.url, max: 1 });
  const api = ground.start('api', { PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'info' });
  url = (await api.says('admin API on ')).url!;
  admin = createAdminApi(url, ADMIN_KEY);
  const endpoint = { url: ENDPOINT_URL, types: ['*'], enabled: false };
  endpointId = (await admin.post<{ endpointId: string }>('/v1/webhook-endpoints', endpoint)).body.endpointId;
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

/** Everything that could close a dialog by accident. */
async function pressAround({ page }: Window): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
}

/** Loses the response to the first key creation. */
const LOSES_RESPONSE = `{
  const send = fetch;
  let isLost = false;
  window.fetch = async (...sent) => {
    const answer = await send(...sent);
    const [{ method, url }] = sent;
    if (isLost || method !== 'POST' || !url.endsWith('/v1/keys')) return answer;
    isLost = true;
    throw new TypeError('Failed to fetch');
  };
}`;

test('a new key whose first response was lost is shown after a second try, until the dialog is closed with its button', async () => {
  const window = await signedIn('/keys', LOSES_RESPONSE);
  const { page } = window;
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'Create a key' });
  await form.getByLabel('Name').fill('lost on its way');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText('The API cannot be reached.').waitFor();
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'The new key' });
  await shown.waitFor();
  await form.waitFor({ state: 'detached' });
  expect(await window.violations()).toEqual([]);
  await pressAround(window);
  const key = await shown.locator('.secret').innerText();
  expect((await createAdminApi(url, key).get('/v1/subscriptions')).status).toBe(200);
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'lost on its way' }).waitFor();
  await leave(window);
});

test('a dialog cannot be closed while its action runs; otherwise a click outside closes it, but dragging out of it does not', async () => {
  const window = await signedIn('/keys');
  const { page } = window;
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await page.route('**/v1/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await failing;
    return route.abort();
  });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByLabel('Name').fill('never made');
  await dialog.getByLabel('Name').hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Create key …' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Back' }).isDisabled()).toBe(true);
  await pressAround(window);
  fail();
  await dialog.getByText('The API cannot be reached.').waitFor();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: 'detached' });
  await leave(window);
});

test('a view whose script fails to load says so, and works after reloading the page', async () => {
  const window = await signedIn('/');
  const { page } = window;
  const script = '**/assets/recovery-*.js';
  await page.route(script, (route) => route.abort());
  await page.getByRole('link', { name: 'Recovery' }).click();
  await page.getByText('This view could not be loaded.').waitFor();
  expect(await window.violations()).toEqual([]);
  await page.unroute(script);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Recovery' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/recovery');
  await leave(window);
});

const FORBIDS_STORAGE = `Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('Access is denied', 'SecurityError'); },
});`;

test('the page works in a browser that forbids storage, and a theme lasts as long as the page', async () => {
  const window = await signedIn('/', FORBIDS_STORAGE);
  const { page } = window;
  await page.locator('.person > button').click();
  await page.getByLabel('Theme').selectOption('dark');
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await leave(window);
});

test('the item about events that an endpoint did not accept links to the endpoint, says how to replay, and can be closed', async () => {
  await openDeadLetters(ledger, endpointId, { eventId: 'evt_a', status: 500 }, ground.clock.now());
  const window = await signedIn('/attention');
  const { page } = window;
  await page.getByRole('cell', { name: endpointId }).waitFor();
  await page.getByRole('button', { name: 'Events could not be delivered' }).click();
  const open = page.getByRole('region', { name: 'Open item' });
  await open.getByText('Fix the endpoint and enable it, then replay the failed events').waitFor();
  await open.getByRole('button', { name: 'Enable endpoint' }).waitFor();
  expect(await open.getByRole('link', { name: endpointId }).getAttribute('href')).toBe(`/events/${endpointId}`);
  await open.getByRole('link', { name: 'Open the endpoint' }).waitFor();
  expect(await window.violations()).toEqual([]);
  await open.getByRole('button', { name: 'Close', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Close these dead letters' });
  await dialog.getByLabel('Reason').fill('the shop has asked for them');
  await dialog.locator('button[type=submit]').click();
  await page.getByText('Nothing needs attention.').waitFor();
  await leave(window);
});

test('opening a row focuses the new page and sets its title', async () => {
  const window = await signedIn('/events');
  const { page } = window;
  await page.getByRole('link', { name: ENDPOINT_URL }).press('Enter');
  await page.getByRole('heading', { level: 1, name: ENDPOINT_URL }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(await page.title()).toBe(`${endpointId} · Webhooks · dueday`);
  await leave(window);
});

test('single-character shortcuts can be switched off, and the browser remembers it', async () => {
  const window = await signedIn('/events');
  const { page } = window;
  const shortcuts = page.getByLabel('Single-character shortcuts');
  const chooseInMenu = async (isOn: boolean) => {
    await page.locator('.person > button').click();
    await shortcuts.setChecked(isOn);
    await page.keyboard.press('Escape');
    await shortcuts.waitFor({ state: 'hidden' });
  };
  const isOnRow = () => page.evaluate<boolean>('document.activeElement.matches("[data-row]")');
  await chooseInMenu(false);
  await page.reload();
  await page.getByRole('link', { name: ENDPOINT_URL }).waitFor();
  await page.keyboard.press('j');
  expect(await isOnRow()).toBe(false);
  await page.keyboard.press('?');
  // The list of shortcuts would cover the rows, so it is closed.
  await chooseInMenu(true);
  await page.keyboard.press('j');
  expect(await isOnRow()).toBe(true);
  await leave(window);
});

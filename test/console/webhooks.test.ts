import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { HOUR } from '../../src/domain/time';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { type CannedApi, MONDAY, mondayOf, openCannedApi } from './canned-api';
import { ENDPOINT, EVENT_PATH, WEBHOOKS } from './webhook-answers';

jest.setTimeout(300_000);

const ENDPOINT_PATH = `/events/${ENDPOINT.endpointId}`;

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
});

beforeEach(async () => {
  api = await openCannedApi({ ...mondayOf(20), ...WEBHOOKS });
});

afterEach(() => api.close());

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

test('the list of endpoints shows their health in the last 24 hours, and the page of an endpoint has the figures as a table', async () => {
  const window = await open('/events');
  const { page } = window;
  const strip = page.getByRole('img', { name: 'The last 24 hours: 181 attempts, 93.4% delivered' });
  await strip.waitFor();
  expect(await strip.locator('g').count()).toBe(24);
  const disabled = page.getByRole('row', { name: /archive\.example/ });
  await disabled.getByText('Nothing was sent').waitFor();
  await page.getByRole('link', { name: /shop\.example/ }).click();
  await page.getByText('Show as a table').click();
  const rows = page.getByRole('table', { name: 'Attempts by hour' }).getByRole('row');
  expect(await rows.last().innerText()).toMatch(/1\s+4$/);
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test('while delivery attempts cannot be read, the error is shown instead of the health of the endpoints', async () => {
  api.answers = { ...api.answers, '/v1/reports/deliveries': undefined };
  for (const path of ['/events', ENDPOINT_PATH]) {
    const window = await open(path);
    await window.page.getByRole('alert').getByText('Not found').waitFor();
    await window.page.getByText('shop.example').first().waitFor();
    expect(await window.page.getByText('Nothing was sent').count()).toBe(0);
    await leave(window);
  }
});

test('a delivery links to its event, which shows the payload and every delivery, and can be sent again', async () => {
  const window = await open(ENDPOINT_PATH);
  const { page } = window;
  await page.getByRole('table', { name: 'deliveries' }).getByRole('link', { name: 'cycle.collected' }).click();
  await page.getByRole('heading', { level: 1, name: 'cycle.collected' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(EVENT_PATH);
  await page.getByText('"subscriptionId": "sub_0"').waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('2, last timeout').click();
  await page.getByText('back in a moment').waitFor();
  // Opening the tries does not leave the page.
  expect(new URL(page.url()).pathname).toBe(EVENT_PATH);
  api.answers = { ...api.answers, [`/v1${EVENT_PATH}/resend`]: {} };
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(api.writes).toEqual([{ call: `POST /v1${EVENT_PATH}/resend`, body: { endpointId: ENDPOINT.endpointId } }]);
  await leave(window);
});

test('the list of events starts with the newest, and has its filters in the address', async () => {
  const window = await open('/events/log?types=cycle.*');
  const { page } = window;
  const asked = page.waitForRequest((request) => request.url().includes('/v1/events?'));
  await page.reload();
  expect([...new URL((await asked).url()).searchParams]).toEqual(
    expect.arrayContaining([
      ['order', 'newest'],
      ['types', 'cycle.*'],
    ]),
  );
  await page.getByText('was collected: €120.00', { exact: false }).waitFor();
  // A page that is not full is the last one, although the API always returns a cursor to continue.
  expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
  await page.getByRole('link', { name: /cycle\.collected/ }).click();
  await page.getByRole('heading', { level: 1, name: 'cycle.collected' }).waitFor();
  await leave(window);
});

test('a replay sends the undelivered events of the last two days, unless the operator chooses otherwise', async () => {
  const replay = { jobId: 'job_0', kind: 'replay', state: 'finished', done: 3, total: 3, refused: 0 };
  api.answers = {
    ...api.answers,
    [`/v1/webhook-endpoints/${ENDPOINT.endpointId}/replay`]: replay,
    '/v1/jobs/job_0': replay,
  };
  const window = await open(ENDPOINT_PATH);
  const { page } = window;
  const start = async () => {
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    if (api.writes.length > 0) await dialog.getByLabel('Include events that were delivered').check();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await start();
  await page.getByText('Replay finished: 3 of 3.').waitFor();
  expect(await page.getByRole('link', { name: 'Open the job' }).getAttribute('href')).toBe('/jobs/job_0');
  await start();
  const bodies = api.writes.map(({ body }) => body as { since: string; onlyFailed: boolean });
  expect(bodies.map(({ onlyFailed }) => onlyFailed)).toEqual([true, false]);
  // The field has a precision of minutes, and the clock of the page continues to run.
  expect(Math.abs(Date.parse(bodies[0]?.since ?? '') - (MONDAY - 48 * HOUR))).toBeLessThan(HOUR / 6);
  await leave(window);
});

test('the operator chooses the type of a test event', async () => {
  const path = `/v1/webhook-endpoints/${ENDPOINT.endpointId}/test`;
  api.answers = { ...api.answers, [path]: {} };
  const window = await open(ENDPOINT_PATH);
  const { page } = window;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByRole('dialog').getByLabel('Type').selectOption('cycle.failed');
  await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(api.writes).toEqual([{ call: `POST ${path}`, body: { type: 'cycle.failed' } }]);
  await leave(window);
});

test.each([
  ['TypeScript', 'ts', 'webhook.verify('],
  ['Python', 'py', 'hmac.compare_digest('],
  ['Shell with OpenSSL', 'sh', 'openssl dgst -sha256'],
])('the sample of a signature check in %s is part of the tested example', async (language, extension, verifies) => {
  const window = await open('/events');
  const { page } = window;
  await page.getByText('How to verify the signature of an event').click();
  await page.getByRole('button', { name: language }).click();
  const sample = await page.locator('.code-block pre').innerText();
  expect(sample).toContain(verifies);
  const example = readFileSync(join(__dirname, `../../examples/shop.${extension}`), 'utf8');
  expect(example).toContain(sample.trim());
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test.each([320, 390, 1440])('webhooks and events fit into a window of %i px', async (width) => {
  for (const path of ['/events', '/events/log', ENDPOINT_PATH, EVENT_PATH]) {
    const window = await open(path, { width });
    expect({ path, overflow: await window.overflow() }).toEqual({ path, overflow: 0 });
    await leave(window);
  }
});

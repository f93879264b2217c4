import type { Browser } from 'playwright-core';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import type { subscription } from './lives';

jest.setTimeout(300_000);

const UNTIL = '2030-12-04T10:00:00.000Z';
const EXPORT = '/v1/subscriptions/export';

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
});

beforeEach(async () => {
  api = await openCannedApi({
    ...mondayOf(8),
    '/v1/subscriptions/sub_0/cycles/3/retry': {},
    '/v1/holds': { items: [], nextCursor: null },
    [EXPORT]: 'lines of an import',
  });
});

afterEach(() => api.close());

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

test('the page of a subscription on hold says until when it is held, and links to its holds', async () => {
  const held = { ...(api.answers['/v1/subscriptions/sub_0'] as ReturnType<typeof subscription>), heldUntil: UNTIL };
  api.answers = { ...api.answers, '/v1/subscriptions/sub_0': held };
  const window = await open('/subscriptions/sub_0');
  const { page } = window;
  await page.getByText(/^On hold: no attempt of cycle 3 begins before /).waitFor();
  expect(await window.violations()).toEqual([]);
  await page.getByRole('link', { name: 'its holds' }).click();
  await page.getByRole('heading', { level: 1, name: 'Holds' }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=in_force&subscriptionId=sub_0');
  await leave(window);
});

test.each([
  ['at the chosen time', '2030-12-03T09:00', new Date('2030-12-03T09:00').toISOString()],
  ['at once if no time is chosen', '', undefined],
])('a refused cycle is retried %s', async (_, typed, at) => {
  const window = await open('/subscriptions/sub_0');
  const { page } = window;
  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('At').fill(typed);
  await dialog.getByLabel('Reason').fill('salary comes on the 3rd');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.waitFor({ state: 'detached' });
  const body = { ...(at === undefined ? {} : { at }), reason: 'salary comes on the 3rd' };
  expect(api.writes).toEqual([{ call: 'POST /v1/subscriptions/sub_0/cycles/3/retry', body }]);
  await leave(window);
});

test('an admin exports the filtered subscriptions in the format of an import', async () => {
  const window = await open('/subscriptions?repetition=MONTHLY');
  const { page } = window;
  const asked = page.waitForRequest((request) => request.url().includes(EXPORT));
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export for import' }).click();
  expect((await saved).suggestedFilename()).toBe('subscriptions-export.csv');
  const request = await asked;
  expect(new URL(request.url()).search).toBe('?repetition=MONTHLY');
  expect(await request.headerValue('accept')).toBe('text/csv');
  await leave(window);
});

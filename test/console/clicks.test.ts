import type { Browser, Page } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { JOBS } from './bulk-answers';
import { type CannedApi, mondayOf, nameAt, openCannedApi } from './canned-api';
import { TASK_ANSWERS } from './task-answers';

/** The most frequent tasks of operators, and how many clicks each may take after the search has opened its page. */

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
});

beforeEach(async () => {
  api = await openCannedApi({ ...mondayOf(20), ...JOBS, ...TASK_ANSWERS });
});

afterEach(() => api.close());

const COUNT_CLICKS = `window.clicks = 0; addEventListener('click', (event) => { if (event.isTrusted) window.clicks += 1; }, true);`;

/** Opens the page and does the task. @returns the number of clicks */
async function clicksOf(path: string, task: (page: Page) => Promise<void>): Promise<number> {
  const window = await Window.open(browser, api.url);
  await window.page.addInitScript(COUNT_CLICKS);
  await window.go(path);
  await window.page.getByRole('heading', { level: 1 }).waitFor();
  await window.settled();
  await task(window.page);
  const clicks = await window.page.evaluate<number>('window.clicks');
  await leave(window);
  return clicks;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** Clicks a button, and then the button of the same name in the dialog that it opens, which closes the dialog. */
async function confirm(page: Page, name: string): Promise<void> {
  await button(page, name).first().click();
  await inDialog(page, name).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function create(page: Page, opens: string, field: string, text: string, action: string): Promise<void> {
  await button(page, opens).click();
  await page.getByRole('dialog').getByLabel(field).fill(text);
  await inDialog(page, action).click();
  await page.getByText('This is shown only once', { exact: false }).waitFor();
  await inDialog(page, 'Close').click();
}

const TASKS: readonly (readonly [name: string, most: number, path: string, does: (page: Page) => Promise<void>])[] = [
  [
    'finding a subscription by e-mail and reading why its payment failed',
    0,
    '/',
    async (page) => {
      await page.locator('body').press('/');
      await page.getByRole('combobox', { name: 'Search everything' }).fill('payer-0@shop.example');
      await page.getByRole('option', { name: nameAt(0) }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('is unpaid: the bank declined it twice', { exact: false }).waitFor();
    },
  ],
  ['pausing a subscription', 2, '/subscriptions/sub_0', (page) => confirm(page, 'Pause')],
  [
    'changing an amount',
    2,
    '/subscriptions/sub_0',
    async (page) => {
      await button(page, 'Change amount').click();
      await page.getByLabel(/^New amount/).fill('10.00');
      await inDialog(page, 'Change amount').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  ],
  ['cancelling a subscription', 2, '/subscriptions/sub_0', (page) => confirm(page, 'Cancel subscription')],
  ['refunding a payment', 4, '/subscriptions/sub_0', (page) => confirm(page, 'Refund')],
  [
    'resolving an unknown outcome',
    6,
    '/attention/unknown-outcome',
    async (page) => {
      await button(page, 'Resolve').click();
      await page.getByRole('dialog').getByLabel('Outcome').selectOption('failed');
      await page.getByLabel('Evidence').fill('the service has none');
      await inDialog(page, 'Resolve as failed').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  ],
  [
    'saving the list as CSV',
    2,
    '/subscriptions',
    async (page) => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: /CSV/ }).click();
      expect((await saved).suggestedFilename()).toBe('subscriptions.csv');
    },
  ],
  ['creating a key', 4, '/keys', (page) => create(page, 'New key', 'Name', 'till', 'Create key')],
  [
    'creating an endpoint',
    4,
    '/events',
    (page) => create(page, 'New endpoint', 'URL', 'https://shop.example/hook', 'Create endpoint'),
  ],
  [
    'pausing several subscriptions',
    6,
    '/subscriptions',
    async (page) => {
      for (const index of [0, 1])
        await page.getByRole('checkbox', { name: `Select ${nameAt(index)}`, exact: true }).check();
      await button(page, 'Pause').click();
      await inDialog(page, 'Pause 2 subscriptions').click();
      await page.getByRole('dialog').getByText('None was refused.').waitFor();
    },
  ],
  [
    'replaying what an endpoint did not get',
    2,
    '/events/end_0',
    async (page) => {
      await button(page, 'Replay').click();
      await inDialog(page, 'Replay').click();
      await page.getByText('Replay finished: 3 of 3', { exact: false }).waitFor();
    },
  ],
];

test.each(TASKS)('the task “%s” takes at most %i clicks', async (_, most, path, does) => {
  const clicks = await clicksOf(path, does);
  expect(clicks).toBeLessThanOrEqual(most);
  // Only the search needs no click.
  expect(clicks > 0).toBe(most > 0);
});

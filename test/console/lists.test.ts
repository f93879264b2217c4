import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { BULK_JOB, JOBS } from './bulk-answers';
import { type CannedApi, mondayOf, nameAt, openCannedApi } from './canned-api';

jest.setTimeout(300_000);

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
});

beforeEach(async () => {
  api = await openCannedApi({ ...mondayOf(95), ...JOBS });
});

afterEach(() => api.close());

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

const heads = (window: Window) => window.page.getByRole('columnheader').allInnerTexts();

test('the list of subscriptions shows how many match the filters in its address, and the sum of their next payments', async () => {
  const window = await open('/subscriptions?standing=dunning');
  const { page } = window;
  await page.getByText('95 subscriptions, next payments €4,655.00').waitFor();
  const asked = page.waitForRequest((request) => request.url().includes('/v1/reports/subscriptions'));
  await page.reload();
  expect(new URL((await asked).url()).search).toBe('?standing=dunning');
  api.answers = {
    ...api.answers,
    '/v1/reports/subscriptions': { count: 100_000, amount: { value: 100, currency: 'EUR' }, isWhole: false },
  };
  await page.reload();
  await page.getByText('over 100,000 subscriptions, next payments over €1.00').waitFor();
  await leave(window);
});

test('the chosen columns of a list are remembered, and its CSV file has the same columns', async () => {
  const window = await open('/subscriptions');
  const { page } = window;
  expect(await heads(window)).not.toContain('E-mail');
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('E-mail').check();
  await page.getByRole('checkbox', { name: 'Repetition' }).uncheck();
  expect(await window.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Repetition' }).waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('payer-0@shop.example').first().waitFor();
  expect(await heads(window)).not.toContain('Repetition');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  const [header = '', first] = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
  expect(header.split(',')).toEqual(expect.arrayContaining(['subscriptionId', 'name', 'email']));
  expect(header).not.toContain('repetition');
  expect(first).toContain('payer-0@shop.example');
  await leave(window);
});

test('selected rows are summed, and paused after a dry run that shows payers and amounts first; the job says how many pauses were refused', async () => {
  const window = await open('/subscriptions');
  const { page } = window;
  for (const index of [0, 1])
    await page.getByRole('checkbox', { name: `Select ${nameAt(index)}`, exact: true }).check();
  await page.getByText('2 selected, €169.00').waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('heading', { name: 'This would affect 2 subscriptions' }).waitFor();
  const first = panel.getByRole('table', { name: 'First subscriptions' }).getByRole('row').nth(1).getByRole('cell');
  expect((await first.allInnerTexts()).slice(0, 2)).toEqual([
    expect.stringMatching(`^${nameAt(0)}\\s+sub_0$`),
    '€120.00',
  ]);
  expect(await window.violations()).toEqual([]);
  const filter = { subscriptionIds: ['sub_0', 'sub_1'] };
  expect(api.writes).toEqual([
    { call: 'POST /v1/bulk', body: { action: 'pause', parameters: {}, filter, dryRun: true } },
  ]);
  await panel.getByRole('button', { name: 'Pause 2 subscriptions' }).click();
  await panel.getByText('1 refused.').waitFor();
  expect(api.writes.at(-1)).toEqual({ call: 'POST /v1/bulk', body: { token: 'bulk_token', dryRun: false } });
  expect(await window.violations()).toEqual([]);
  await panel.getByRole('button', { name: 'Close', exact: true }).last().click();
  expect(await page.getByRole('group', { name: 'Selected subscriptions' }).count()).toBe(0);
  await leave(window);
});

test('a dry run is discarded when the input changes, and cannot be made before the required fields are filled', async () => {
  const window = await open('/subscriptions?standing=dunning');
  const { page } = window;
  await page.getByRole('button', { name: 'Select the whole list' }).click();
  await page.getByText('The whole list selected: 95 subscriptions, next payments €4,655.00').waitFor();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Reason').fill('the bank was away');
  expect(api.writes).toEqual([]);
  await panel.getByRole('button', { name: 'Dry run' }).click();
  const affected = panel.getByRole('heading', { name: 'This would affect 2 subscriptions' });
  await affected.waitFor();
  expect(api.writes).toMatchObject([{ body: { action: 'retry', filter: { standing: 'dunning' } } }]);
  await panel.getByLabel('Reason').fill('the bank is back');
  await affected.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Dry run' }).waitFor();
  await leave(window);
});

test('the whole installation cannot be selected', async () => {
  const window = await open('/subscriptions');
  expect(await window.page.getByRole('button', { name: 'Select the whole list' }).count()).toBe(0);
  await leave(window);
});

test('jobs of every kind are listed, and each has its results', async () => {
  const window = await open('/jobs');
  const { page } = window;
  await page.getByRole('link', { name: 'Replay of 12 events' }).waitFor();
  await page.getByRole('row', { name: /Comparison with the payment service/ }).waitFor();
  expect(await window.violations()).toEqual([]);
  await page.getByRole('link', { name: 'Pause 2 subscriptions' }).click();
  await page.getByRole('cell', { name: 'It is paused.' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/jobs/${BULK_JOB.jobId}`);
  await window.go('/jobs/job_3');
  await page.getByText('The service has a debit that the ledger lacks.').waitFor();
  await window.go('/jobs/job_2');
  await page.getByText('3 of 12').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await leave(window);
});

test.each([320, 390, 1440])('lists, the side panel and jobs fit into a window of %i px', async (width) => {
  for (const path of ['/subscriptions?standing=dunning', '/jobs', '/jobs/job_1']) {
    const window = await open(path, { width });
    const { page } = window;
    expect({ path, overflow: await window.overflow() }).toEqual({ path, overflow: 0 });
    if (path.startsWith('/subscriptions')) {
      await page.getByRole('button', { name: 'Select the whole list' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('heading', { name: /This would affect/ }).waitFor();
      expect(await window.overflow()).toBe(0);
    }
    await leave(window);
  }
});

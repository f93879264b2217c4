import type { Browser, Page } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { JOBS } from './bulk-answers';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { euros } from './lives';

jest.setTimeout(300_000);

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
});

const figure = (count: number) => ({ count, amount: euros(count * 1_999) });
const RECOVERY = {
  by: 'attempt',
  items: [],
  total: {
    ...{ firstAttempt: figure(90), recovered: figure(4), recoveredByLink: figure(0), lost: figure(3), open: figure(3) },
    hoursToRecover: { median: 24, mean: 30 },
  },
  nextCursor: null,
};
const ADVICE = {
  refused: figure(3),
  items: [{ offsetHours: 24, met: figure(2), refused: figure(1), unknown: figure(0), tried: 2, collected: 1 }],
  nextCursor: null,
};
const COMPARED = {
  ...{ items: [], nextCursor: null, comparedAt: '2030-12-02T03:00:00.000Z', payments: 412, differences: 2 },
  // Ordered by the parts of the period that they cover.
  compared: [
    { jobId: 'job_1', comparedAt: '2030-12-02T03:00:00.000Z' },
    { jobId: 'job_3', comparedAt: '2030-12-02T04:00:00.000Z' },
    { jobId: 'job_2', comparedAt: '2030-12-02T03:30:00.000Z' },
  ],
  notCompared: [],
};

beforeEach(async () => {
  api = await openCannedApi({
    ...mondayOf(20),
    ...JOBS,
    '/v1/transactions': { items: [], nextCursor: null },
    '/v1/reports/recovery': RECOVERY,
    '/v1/reports/retry-advice': ADVICE,
    '/v1/reports/reconciliation': COMPARED,
    '/v1/notices/preview': { subject: 'Your payment failed', text: 'Hello,\n\nplease pay.\n', language: 'en' },
    '/v1/keys': { items: [{ ...KEY, name: 'bootstrap' }, EXPIRED, VALID], nextCursor: null, key: 'dd_new' },
  });
});

afterEach(() => api.close());

const KEY = { keyId: 'key_0', role: 'admin', scopes: [], createdAt: '2030-12-01T08:00:00.000Z' };
// Keys expire by the clock of the machine, in real time.
const EXPIRED = { ...KEY, keyId: 'key_1', name: 'old till', expiresAt: '2020-01-01T08:00:00.000Z' };
const VALID = { ...KEY, keyId: 'key_2', name: 'new till', expiresAt: '2999-01-01T08:00:00.000Z' };

const open = (path: string) => Window.openPage(browser, api.url, path);

const period = (page: Page) => page.getByRole('navigation', { name: 'Period' });

test('the list of transactions says which period it covers, and has this period in the address', async () => {
  const window = await open('/money?type=debit');
  const { page } = window;
  await page.getByText('3 Nov 2030 through 2 Dec 2030, days in UTC').waitFor();
  expect(await period(page).locator('[aria-current]').innerText()).toBe('30 days');
  await period(page).getByRole('link', { name: 'This month' }).click();
  await page.getByText('1 Dec 2030 through 2 Dec 2030, days in UTC').waitFor();
  expect(new URL(page.url()).search).toBe('?type=debit&from=2030-12-01&to=2030-12-02');
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test('the page of transactions shows how many differences there are, links to the last comparison, and starts a new one as a job', async () => {
  const window = await open('/money');
  const { page } = window;
  await page.getByText('2 differences').waitFor();
  expect(await page.getByRole('link', { name: 'Open the last comparison' }).getAttribute('href')).toBe('/jobs/job_3');
  api.answers = { ...api.answers, '/v1/reports/reconciliation': { ...COMPARED, jobId: 'job_3' } };
  await page.getByRole('button', { name: 'Compare now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /Comparison with the payment service/ }).waitFor();
  expect(api.writes).toEqual([
    {
      call: 'POST /v1/reports/reconciliation',
      body: { from: '2030-11-03T00:00:00.000Z', to: '2030-12-03T00:00:00.000Z' },
    },
  ]);
  await leave(window);
});

test('the recovery report has its rate beside that of the previous period, and the results of retries at other times', async () => {
  const window = await open('/recovery');
  const { page } = window;
  await page
    .getByText('4 of 7 payments (57.1%) that the first attempt did not collect were recovered: €79.96.')
    .waitFor();
  await page.getByText('In the period before: 4 of 7 (57.1%).', { exact: false }).waitFor();
  const row = page.getByRole('table', { name: 'Other times for a retry' }).getByRole('row').last();
  expect(await row.innerText()).toMatch(/24 h\s+€39\.98 \(2\)\s+€19\.99 \(1\)\s+–\s+2 of 3 \(66\.7%\)/);
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test('each filter that is set has a chip, which removes the filter', async () => {
  const window = await open('/money?type=debit&status=failed');
  const { page } = window;
  await page.getByRole('button', { name: 'Remove Type: debit' }).click();
  await page.getByRole('button', { name: 'Remove Type: debit' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?status=failed');
  await leave(window);
});

test('the preview of a notice is shown in every language, with its type in the address', async () => {
  const window = await open('/notices/preview?type=subscription.paused');
  const { page } = window;
  for (const language of ['English', 'German', 'French', 'Dutch'])
    await page.getByRole('region', { name: language }).getByText('please pay.').waitFor();
  const asked = page.waitForRequest((request) => request.url().includes('language=nl'));
  await page.getByRole('link', { name: 'A payment is due soon' }).click();
  expect(new URL((await asked).url()).search).toBe('?type=payment.upcoming&language=nl');
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test('a key whose expiry has passed is shown as expired', async () => {
  const window = await open('/keys');
  const stateOf = (name: string) => window.page.getByRole('row', { name: new RegExp(name) }).innerText();
  expect(await stateOf('old till')).toMatch(/expired/);
  expect(await stateOf('new till')).toMatch(/until/);
  await leave(window);
});

test('a key is created with an expiry, scopes and limits, and the dialog says beforehand what the first admin key changes', async () => {
  const window = await open('/keys');
  const { page } = window;
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The first key with the role admin ends the bootstrap key', { exact: false }).waitFor();
  await dialog.getByLabel('Name').fill('till');
  await dialog.getByText('Expiry, scopes and limits').click();
  await dialog.getByLabel('Expires').fill('2031-01-01T00:00');
  await dialog.getByLabel('refunds', { exact: true }).check();
  await dialog.getByLabel('Refunds per day').fill('500');
  expect(await window.violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This is shown only once', { exact: false }).waitFor();
  expect(api.writes).toMatchObject([
    {
      body: {
        ...{ name: 'till', role: 'viewer', scopes: ['refunds'], limits: { refundPerDay: euros(50_000) } },
        expiresAt: expect.stringMatching(/^20(30-12-31|31-01-01)T/),
      },
    },
  ]);
  await leave(window);
});

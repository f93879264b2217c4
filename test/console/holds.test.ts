import type { Browser } from 'playwright-core';
import type { components } from '../../src/client/api';
import { euros, sumOf } from '../../src/domain/money';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';

jest.setTimeout(300_000);

type Hold = components['schemas']['Hold'];

const HOLD_ID = `hold_${'0'.repeat(32)}`;

const IN_FORCE: Hold = {
  holdId: HOLD_ID,
  state: 'in_force',
  filter: { repetition: 'MONTHLY', metadata: { plan: 'gold' } },
  until: '2030-12-09T10:00:00.000Z',
  reason: 'wrong price list',
  matched: 1240,
  createdAt: '2030-12-02T08:00:00.000Z',
  createdBy: 'ada',
  firstWindowLostAt: '2030-12-05T10:00:00.000Z',
  windowsLost: [
    { hour: '2030-12-05T10:00:00.000Z', count: 3, amount: euros(5_997) },
    { hour: '2030-12-06T10:00:00.000Z', count: 1, amount: euros(1_999) },
  ],
};

const LIFTED: Hold = {
  ...IN_FORCE,
  holdId: `hold_${'1'.repeat(32)}`,
  state: 'lifted',
  reason: 'strike at one bank',
  endedAt: '2030-12-01T10:00:00.000Z',
  liftedBy: 'grace',
  firstWindowLostAt: null,
  windowsLost: [],
};

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
    ...mondayOf(95),
    '/v1/holds': { items: [IN_FORCE, LIFTED], nextCursor: null },
    [`/v1/holds/${HOLD_ID}`]: LIFTED,
  });
});

afterEach(() => api.close());

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

test('the collection windows that a hold loses are summed', () => {
  expect(sumOf(IN_FORCE.windowsLost)).toEqual({ count: 4, amount: euros(7_996) });
  expect(sumOf([])).toEqual({ count: 0, amount: euros(0) });
});

test('the list of holds shows what each hold stops and loses, and a hold in force can be lifted there', async () => {
  const window = await open('/holds');
  const { page } = window;
  const rows = page.getByRole('table', { name: 'holds' }).getByRole('row');
  await rows.nth(1).getByText('wrong price list').waitFor();
  expect(await rows.nth(1).innerText()).toContain('4 payments, €79.96');
  expect(await rows.nth(1).innerText()).toContain('1,240');
  expect(await rows.nth(2).getByRole('button', { name: 'Lift' }).count()).toBe(0);
  expect(await window.violations()).toEqual([]);
  await rows.nth(1).getByRole('button', { name: 'Lift' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('prices are right again');
  await dialog.getByRole('button', { name: 'Lift' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(api.writes).toEqual([{ call: `DELETE /v1/holds/${HOLD_ID}`, body: { reason: 'prices are right again' } }]);
  await leave(window);
});

test('an operator holds the filtered subscriptions with an end and a reason, and then sees the list of holds', async () => {
  const window = await open('/subscriptions?repetition=MONTHLY');
  const { page } = window;
  await page.getByRole('button', { name: 'Hold all of these' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Hold' }).click();
  expect(api.writes).toEqual([]);
  await dialog.getByLabel('Until').fill('2030-12-09T10:00');
  await dialog.getByLabel('Reason').fill('wrong price list');
  expect(await window.violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Hold' }).click();
  await page.getByRole('heading', { level: 1, name: 'Holds' }).waitFor();
  expect(api.writes).toEqual([
    {
      call: 'POST /v1/holds',
      body: {
        filter: { repetition: 'MONTHLY' },
        until: new Date('2030-12-09T10:00').toISOString(),
        reason: 'wrong price list',
      },
    },
  ]);
  await leave(window);
});

test('all subscriptions together cannot be held', async () => {
  const window = await open('/subscriptions');
  expect(await window.page.getByRole('button', { name: 'Hold all of these' }).count()).toBe(0);
  await leave(window);
});

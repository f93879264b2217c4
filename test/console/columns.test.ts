import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { pickColumns } from '../../src/console/views/money/csv';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { LISTS } from './list-answers';
import { ENDPOINT } from './webhook-answers';

jest.setTimeout(300_000);

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  browser = await openBrowser();
  api = await openCannedApi({ ...mondayOf(20), ...LISTS });
});

afterAll(async () => {
  api.close();
  await (browser as Browser | undefined)?.close();
});

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

/** Lists with more than five columns: the path, the name of the table, and one of its columns. */
const WIDE = [
  ['/payments', 'payments', 'Plan'],
  ['/money', 'transactions', 'Plan'],
  ['/attention', 'what needs attention', 'Severity'],
  ['/notices', 'notices', 'Attempts'],
  [`/events/${ENDPOINT.endpointId}`, 'deliveries', 'Next attempt'],
  ['/approvals', 'approvals', 'Decided by'],
  ['/holds', 'holds', 'Created by'],
  ['/keys', 'keys', 'Last used'],
] as const;

const heads = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('columnheader').allInnerTexts();

const openMenu = (page: Page) => page.getByText('Columns', { exact: true }).click();

test.each(WIDE)('the columns of %s can be chosen, which the browser remembers', async (path, table, column) => {
  const window = await open(path);
  const { page } = window;
  await page.getByRole('table', { name: table }).waitFor();
  const all = await heads(page, table);
  expect(all).toContain(column);
  await openMenu(page);
  await page.getByRole('checkbox', { name: column }).uncheck();
  const rest = all.filter((head) => head !== column);
  expect(await heads(page, table)).toEqual(rest);
  expect(await window.violations()).toEqual([]);
  await page.reload();
  await page.getByRole('table', { name: table }).waitFor();
  expect(await heads(page, table)).toEqual(rest);
  await leave(window);
});

test('the columns that identify a row and act on it cannot be hidden', async () => {
  const window = await open('/notices');
  const { page } = window;
  await openMenu(page);
  const offered = await page.locator('.columns-menu label').allInnerTexts();
  expect(offered).toEqual(['To', 'State', 'About', 'Attempts', 'Created', 'Delivered']);
  await leave(window);
});

test('the menu of columns fits into a window of 390 px', async () => {
  const window = await open('/', { width: 390 });
  const { page } = window;
  const found: Record<string, unknown> = {};
  for (const [path] of [['/subscriptions'], ...WIDE]) {
    await window.go(path);
    await openMenu(page);
    const box = await page.locator('.columns-menu').boundingBox();
    const isInside = box !== null && box.x >= 0 && box.x + box.width <= 390;
    const overflow = await window.overflow();
    if (!isInside || overflow > 0) found[path] = { box, overflow };
  }
  expect(found).toEqual({});
  await leave(window);
});

async function savedBy(page: Page, button: string): Promise<readonly string[]> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await saved).path(), 'utf8').split('\r\n');
}

test('the CSV file of transactions has the shown columns, or all columns', async () => {
  const window = await open('/money');
  const { page } = window;
  await openMenu(page);
  await page.getByRole('checkbox', { name: 'Plan' }).uncheck();
  await page.keyboard.press('Escape');
  expect(await savedBy(page, 'Download as CSV')).toEqual([
    'transactionId,type,status,amount,currency,amountDecimal,bookedAt,detail,advice',
    'attempt.sub_0.3.1,debit,successful,12000,EUR,120.00,2030-12-02T08:00:00.000Z,,"reversed, by ""the bank"""',
    '',
  ]);
  const [header] = await savedBy(page, 'All columns as CSV');
  expect(header).toContain('plan,captureId');
  await leave(window);
});

test('columns are picked from a CSV file in the order of the file, whatever its quoted cells contain', () => {
  const file = 'a,b,c\r\n"1,\r\n""2""",=x,\r\n,,"3"\r\n';
  expect(pickColumns(file, ['c', 'a'])).toBe('a,c\r\n"1,\r\n""2""",\r\n,"3"\r\n');
  expect(pickColumns(file, ['b'])).toBe('b\r\n=x\r\n\r\n');
});

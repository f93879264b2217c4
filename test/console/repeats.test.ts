import type { Browser, Page } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { TASK_ANSWERS } from './task-answers';

/** Actions that are repeated because the first response does not say whether they were carried out. */

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  [browser, api] = await Promise.all([openBrowser(), openCannedApi({ ...mondayOf(2), ...TASK_ANSWERS })]);
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  api.close();
});

const NOT_READY = { status: 503, code: 'not_ready', detail: 'No worker answered in time.' };

/** Answers the first call with a 503, and all others with success. @returns the Idempotency-Keys of all calls */
async function failFirst(page: Page, call: string): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  await page.route(`**${call}`, (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.fulfill({ status: 503, json: NOT_READY }) : route.fulfill({ json: {} });
  });
  return keys;
}

test.each([
  ['Retry', '/v1/subscriptions/sub_0/cycles/3/retry'],
  ['Pause', '/v1/subscriptions/sub_0/pause'],
  ['Cancel subscription', '/v1/subscriptions/sub_0/cancel'],
])('the action %s is repeated with the same Idempotency-Key, so that it is carried out once', async (label, call) => {
  const window = await Window.openPage(browser, api.url, '/subscriptions/sub_0');
  const { page } = window;
  const keys = await failFirst(page, call);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: label, exact: true }).first().click();
  await dialog.getByLabel('Reason').fill('asked for by the payer');
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.getByText(NOT_READY.detail).waitFor();
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(keys).toEqual([expect.any(String), keys[0]]);
  await leave(window);
});

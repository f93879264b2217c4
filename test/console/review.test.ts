import type { Browser } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { item } from './items';
import { subscription } from './lives';

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  const sick = subscription({ subscriptionId: 'sub_0', standing: 'needs_attention' });
  const answers = { ...mondayOf(2), '/v1/subscriptions/sub_0': sick };
  [browser, api] = await Promise.all([openBrowser(), openCannedApi(answers)]);
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  api.close();
});

test('the button Review opens the item because of which the subscription needs attention', async () => {
  const window = await Window.open(browser, api.url);
  const { page } = window;
  const about = { subscriptionId: 'sub_0' };
  const items = [
    item({ ...about, item: 'late', kind: 'overdue', title: 'An attempt is late' }),
    item({ ...about, item: 'why', kind: 'capture_failed', title: 'Authorized, but the debit failed' }),
  ];
  await page.route(/\/v1\/attention\?(?=.*subscriptionId=sub_0)/, (route) =>
    route.fulfill({ json: { items, nextCursor: null } }),
  );
  await window.go('/subscriptions/sub_0');
  await page.getByRole('link', { name: 'Review: Authorized, but the debit failed' }).click();
  await page.getByRole('heading', { name: 'Authorized, but the debit failed' }).waitFor();
  expect(page.url()).toBe(`${api.url}/attention/why?subscriptionId=sub_0`);
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

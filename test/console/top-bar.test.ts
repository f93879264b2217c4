import type { Browser } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { sessionOf } from './people';

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
  api = await openCannedApi(mondayOf(5));
});

afterEach(() => api.close());

const WIDTHS = [320, 390, 640, 768, 769, 900, 1024, 1025, 1120, 1280, 1440, 1920, 2560];

/** Measures the parts of the top bar in px: how far their middles are apart, the tallest text, and the right edge. */
const MEASURE = `(() => {
  const boxesOf = (selector) => [...document.querySelectorAll(selector)]
    .map((each) => each.getBoundingClientRect())
    .filter(({ height }) => height > 0);
  const parts = boxesOf('.top > *, .environment > *');
  const middles = parts.map(({ top, bottom }) => (top + bottom) / 2);
  return {
    apart: Math.max(...middles) - Math.min(...middles),
    text: Math.max(...boxesOf('.environment > *, .person-name').map(({ height }) => height)),
    right: Math.max(...parts.map(({ right }) => right)),
  };
})()`;

/** The greatest height in px of one line of text with its border; two lines are higher. */
const ONE_LINE = 24;

test.each([
  ['ada', '127.0.0.1:8080'],
  ['the-night-shift-of-the-accounting-department', 'billing-of-the-north.payments.a-long-name-of-a-shop.example:8443'],
])('the top bar of %s on %s has one line from 320 to 2,560 px', async (name, host) => {
  const clock = { now: '2030-12-02T09:00:00.000Z', speed: 14_400, isTest: true };
  api.answers = { ...api.answers, '/v1/session': { ...sessionOf(name), clock } };
  const window = await Window.openPage(browser, api.url, '/subscriptions');
  const { page } = window;
  await page.evaluate(`document.querySelector('.host').textContent = ${JSON.stringify(host)}`);
  const broken: unknown[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const measured = await page.evaluate<{ apart: number; text: number; right: number }>(MEASURE);
    const { apart, text, right } = measured;
    if (apart > 1 || text > ONE_LINE || right > width) broken.push({ width, ...measured });
    const isStateShown = await page.locator('.liveness').isVisible();
    if (isStateShown !== width > 768) broken.push({ width, isStateShown });
  }
  expect(broken).toEqual([]);
  await leave(window);
});

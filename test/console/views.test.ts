import type { Browser } from 'playwright-core';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { type Answers, type CannedApi, mondayOf, nameAt, openCannedApi } from './canned-api';

/** Real ms: axe takes seconds per page on a busy machine. */
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
  api = await openCannedApi(mondayOf(95));
});

afterEach(() => api.close());

const HALTED = { since: '2030-12-02T07:00:00.000Z', by: 'ada', reason: 'wrong amounts' };

function answer(path: string, more: object): void {
  api.answers = { ...api.answers, [path]: { ...(api.answers[path] as object), ...more } } satisfies Answers;
}

const open = (path: string, options?: PageOptions) => Window.openPage(browser, api.url, path, options);

/** The distinct paths that a page requests, except the stream. */
async function requestsOf(path: string): Promise<readonly string[]> {
  const window = await Window.open(browser, api.url);
  const paths = new Set<string>();
  window.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/') && pathname !== '/v1/stream') paths.add(pathname);
  });
  await window.go(path);
  await window.page
    .getByRole('cell', { name: nameAt(1) })
    .first()
    .waitFor();
  await window.settled();
  await leave(window);
  return [...paths].sort();
}

test.each(['/', '/attention?kind=notice_undeliverable'])(
  'the number of requests for %s does not grow with the number of payers on it',
  async (path) => {
    api.answers = mondayOf(24);
    const few = await requestsOf(path);
    api.answers = mondayOf(800);
    expect((api.answers['/v1/attention'] as { items: unknown[] }).items).toHaveLength(101);
    expect(await requestsOf(path)).toEqual(few);
    expect(few.filter((each) => each.startsWith('/v1/subscriptions/'))).toEqual([]);
  },
);

test('every page and the first line of Today show a halt, and an admin lifts the halt on Today', async () => {
  answer('/v1/reports/today', { halted: HALTED });
  const window = await open('/');
  const { page } = window;
  expect(await page.locator('.headline-first').innerText()).toContain('All sending has been halted');
  for (const path of ['/subscriptions', '/attention', '/']) {
    await window.go(path);
    await page.getByRole('alert', { name: 'Sending is halted' }).getByText('wrong amounts').waitFor();
  }
  expect(await page.getByRole('button', { name: 'Halt all sending' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Lift the halt' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('is lost if it is not collected within 24 hours', { exact: false }).waitFor();
  expect(await window.violations()).toEqual([]);
  api.answers = { ...api.answers, '/v1/halt': { halted: false } };
  await dialog.getByRole('button', { name: 'Lift the halt' }).click();
  await dialog.waitFor({ state: 'detached' });
  answer('/v1/reports/today', { halted: null });
  await page.getByRole('alert', { name: 'Sending is halted' }).waitFor({ state: 'detached' });
  expect(api.writes).toContainEqual({ call: 'DELETE /v1/halt', body: {} });
  await leave(window);
});

test('an admin halts all sending only with a reason', async () => {
  const window = await open('/');
  const { page } = window;
  await page.getByRole('button', { name: 'Halt all sending' }).click();
  api.answers = { ...api.answers, '/v1/halt': { halted: true } };
  await page.getByRole('dialog').getByRole('button', { name: 'Halt all sending' }).click();
  expect(api.writes).toEqual([]);
  await page.getByRole('dialog').getByLabel('Reason').fill('wrong amounts');
  await page.getByRole('dialog').getByRole('button', { name: 'Halt all sending' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(api.writes).toEqual([{ call: 'POST /v1/halt', body: { reason: 'wrong amounts' } }]);
  await leave(window);
});

test('Today shows the queue by deadline with payers’ names, folds payments that need no operator, and links each figure to its list', async () => {
  const window = await open('/');
  const { page } = window;
  const rows = page.getByRole('table', { name: 'To do' }).getByRole('row');
  await rows.nth(1).getByText(nameAt(0)).waitFor();
  await rows.nth(1).getByRole('link', { name: 'Resolve' }).waitFor();
  expect(await page.getByRole('table', { name: 'Handled automatically' }).isVisible()).toBe(false);
  const links = await page.locator('.card').evaluateAll((cards) => cards.map((card) => card.getAttribute('href')));
  expect(links).toEqual([
    '/?only=at-risk',
    '/subscriptions?standing=dunning',
    '/subscriptions?standing=past_due',
    '/attention',
    '/money?from=2030-12-02&to=2030-12-02&type=debit&status=successful',
    '/recovery',
  ]);
  await page.getByText('Show as a table').click();
  expect(await page.getByRole('table', { name: 'Due by day' }).getByRole('row').count()).toBe(1 + 15 + 7);
  await leave(window);
});

test('the search finds payers and pages while typing, with the keyboard alone, even from a field', async () => {
  const window = await open('/subscriptions');
  const { page } = window;
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  await page.keyboard.type('fore');
  await page.getByRole('option', { name: 'Forecast' }).waitFor();
  await page.getByRole('option', { name: nameAt(0) }).waitFor();
  expect(await window.violations()).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: nameAt(0) }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/subscriptions/sub_0');
  await leave(window);
});

test('an attention item shows differences between ledger and payment service, and preselects no outcome', async () => {
  const window = await open('/attention/unknown-outcome');
  const { page } = window;
  await page.getByRole('row', { name: /State differs/ }).waitFor();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
  expect(await dialog.getByRole('button', { name: 'Resolve', exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel('Outcome').selectOption('failed');
  await dialog.getByLabel('Evidence').fill('the service has none');
  api.answers = { ...api.answers, '/v1/subscriptions/sub_0/cycles/3/resolve': {} };
  await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
  await page.getByRole('status').getByText('€120.00 is recorded as not collected', { exact: false }).waitFor();
  await leave(window);
});

test('a contradiction is closed on its item, with a reason; it links to its subscription, and names related items', async () => {
  const { items } = api.answers['/v1/attention'] as { items: { item: string; kind: string; related: string[] }[] };
  const contradiction = { ...items[0]!, kind: 'contradiction', related: [items[1]!.item, 'att_elsewhere'] };
  answer('/v1/attention', { items: [contradiction, ...items.slice(1)] });
  const window = await open('/attention/unknown-outcome');
  const { page } = window;
  const shown = page.getByRole('region', { name: 'Open item' });
  await shown.getByRole('link', { name: 'Open the subscription' }).waitFor();
  const related = await shown.locator('.pairs li').allInnerTexts();
  expect(related).toEqual([expect.stringContaining('The payer could not be notified'), 'att_elsewhere']);
  await shown.getByRole('button', { name: 'Close', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Close this item' });
  await dialog.getByLabel('Reason').fill('both captures are of this cycle');
  api.answers = { ...api.answers, '/v1/attention/unknown-outcome/close': {} };
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
  expect(api.writes).toContainEqual({
    call: 'POST /v1/attention/unknown-outcome/close',
    body: { reason: 'both captures are of this cycle' },
  });
  await leave(window);
});

test('many items of a kind share a row, which opens the list of that kind with a row for each', async () => {
  const window = await open('/attention');
  const { page } = window;
  await page.getByRole('button', { name: '12 × The payer could not be notified' }).click();
  await page.getByRole('row').nth(12).waitFor();
  expect(new URL(page.url()).search).toBe('?kind=notice_undeliverable');
  await leave(window);
});

test('the chosen time zone applies to the whole page and is remembered; the other zone is shown on hover', async () => {
  const window = await open('/subscriptions/sub_0');
  const { page } = window;
  const title = () => page.locator('main time').first().getAttribute('title');
  expect(await title()).toMatch(/ UTC$/);
  await page.getByRole('button', { name: 'ada', exact: true }).click();
  await page.getByLabel('Times in').selectOption('utc');
  expect(await title()).toMatch(/ local time$/);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await window.settled();
  expect(await title()).toMatch(/ local time$/);
  await leave(window);
});

test('on a phone the navigation is a drawer, closed by Escape or by following a link', async () => {
  const window = await open('/', { width: 390 });
  const { page } = window;
  const views = page.getByRole('navigation', { name: 'Views' });
  expect(await views.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await views.waitFor();
  expect(await window.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await views.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await views.getByRole('link', { name: 'Subscriptions' }).click();
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
  await views.waitFor({ state: 'hidden' });
  await leave(window);
});

test.each([
  ['light', 320, 5],
  ['dark', 2560, 5],
  ['dark', 390, 300],
  ['light', 1440, 300],
] as const)(
  'in the %s theme, %i pixels wide, with %i subscriptions, no view is wider than the page, and axe finds nothing',
  async (colorScheme, width, subscriptions) => {
    api.answers = mondayOf(subscriptions);
    answer('/v1/reports/today', { halted: HALTED });
    const window = await open('/', { colorScheme, width });
    const found: Record<string, unknown> = {};
    for (const path of ['/', '/attention', '/attention/unknown-outcome', '/subscriptions', '/subscriptions/sub_0']) {
      await window.go(path);
      await window.page.getByRole('heading', { level: 1 }).waitFor();
      await window.settled();
      const [overflow, violations] = [await window.overflow(), await window.violations()];
      if (overflow > 0 || violations.length > 0) found[path] = { overflow, violations };
    }
    expect(found).toEqual({});
    await leave(window);
  },
);

test('the forecast draws the capacity of a day, and the choice of rows by week is in the address', async () => {
  const report = api.answers['/v1/reports/forecast'] as { items: { hoursToCollect: number | null }[] };
  answer('/v1/reports/forecast', { items: report.items.map((day) => ({ ...day, hoursToCollect: 30 })) });
  const window = await open('/forecast?by=week');
  const { page } = window;
  await page
    .getByRole('img', { name: 'Hours to collect, by day' })
    .locator('.bar-limit')
    .waitFor({ state: 'attached' });
  expect(await page.getByRole('table', { name: 'Due by week' }).getByRole('row').count()).toBe(3);
  expect(await window.violations()).toEqual([]);
  answer('/v1/reports/forecast', { items: report.items });
  await window.go('/forecast');
  await page.getByRole('table', { name: 'Due by day' }).waitFor();
  expect(await page.getByRole('img', { name: 'Hours to collect, by day' }).count()).toBe(0);
  await leave(window);
});

test('a subscription links to the other subscriptions of its payer', async () => {
  const { items } = api.answers['/v1/subscriptions'] as { items: { payer: object }[] };
  const same = items.slice(0, 2).map((each) => ({ ...each, payer: { ...each.payer, reference: 'customer-7' } }));
  answer('/v1/subscriptions', { items: same });
  answer('/v1/subscriptions/sub_0', { payer: same[0]!.payer });
  const window = await open('/subscriptions/sub_0');
  const others = window.page.getByRole('table', { name: 'Other subscriptions of this payer' });
  await others.getByRole('link', { name: 'sub_1' }).waitFor();
  expect(await others.getByRole('link').count()).toBe(1);
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

test('the recovery funnel shows each step’s share of all cycles', async () => {
  const of = (count: number) => ({ count, amount: { value: count * 100, currency: 'EUR' } });
  const total = {
    firstAttempt: of(80),
    recovered: of(0),
    recoveredByLink: of(0),
    lost: of(15),
    open: of(5),
    hoursToRecover: null,
  };
  api.answers = { ...api.answers, '/v1/reports/recovery': { by: 'attempt', items: [], total, nextCursor: null } };
  const window = await open('/recovery');
  const shares = window.page.getByRole('region', { name: 'Attempt that collected the cycle' }).locator('dd');
  expect(await shares.allInnerTexts()).toEqual([
    expect.stringContaining('80%'),
    expect.stringContaining('5%'),
    expect.stringContaining('15%'),
  ]);
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

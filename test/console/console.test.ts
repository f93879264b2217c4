import type { Browser } from 'playwright-core';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { Sandbox } from '../../src/sandbox';
import type { DuedayProcess } from '../cli/dueday-process';
import { portToKeep } from '../processes/servers';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import type { Life, Surroundings } from '../scenarios/life';
import { ADMIN_KEY, type Ground, openGround, placeOrder } from '../scenarios/world';
import { leave, openBrowser, type PageOptions, Window } from './browser';
import { capturedInPart, createHoldersKey, HTML, writeHostileText } from './records';

/** An hour per second: slow enough that a page stays the same during a test. */
const SPEED = 3_600;

/** Real ms: axe checks dozens of pages and dialogs in some tests, which takes seconds each on a busy machine. */
jest.setTimeout(600_000);

const VIEWS = [
  '/',
  '/subscriptions',
  '/attention',
  '/payments',
  '/holds',
  '/jobs',
  '/money',
  '/recovery',
  '/forecast',
  '/notices',
  '/notices/preview',
  '/events',
  '/events/log',
  '/audit',
  '/approvals',
  '/keys',
];

let ground: Ground;
let daemon: DuedayProcess;
let api: AdminApi;
let sandbox: Sandbox;
let url: string;
let browser: Browser;
let start: () => Promise<DuedayProcess>;
/** Starts an API where more than 5.00 EUR needs a second person's approval. */
let startGuarded: (port: number) => Promise<DuedayProcess>;
const keys = { viewer: '', operator: '', admin: ADMIN_KEY };
/** `soon` is due within seconds, `later` in months, and `hostile` contains hostile text. */
let soon: Life;
let later: Life;
let hostile: Life;
/** A subscription that is also due within seconds; its debit fails and needs an operator. */
let failing: Life;
/** A partly captured payment, and a disabled endpoint. */
let paymentId: string;
let endpointId: string;

beforeAll(async () => {
  ground = await openGround(SPEED);
  const opened = await ground.openSandbox();
  sandbox = opened.sandbox;
  const { url: sandboxUrl } = opened;
  const port = await portToKeep('the admin API');
  start = async () => {
    const env = { PAYMENT_SERVICE_BASE_URL: sandboxUrl, ADMIN_PORT: String(port), LOG_LEVEL: 'info' };
    const program = ground.start('daemon', { ...env, EVENT_DEPENDENT_REFUNDS: 'true' });
    await program.says('admin API on ');
    return program;
  };
  startGuarded = async (at) => {
    const env = { PAYMENT_SERVICE_BASE_URL: sandboxUrl, ADMIN_PORT: String(at), APPROVAL_ABOVE_CENTS: '500' };
    const program = ground.start('api', { ...env, LOG_LEVEL: 'info' });
    await program.says('admin API on ');
    return program;
  };
  url = `http://127.0.0.1:${port}`;
  [daemon, browser] = await Promise.all([start(), openBrowser()]);
  api = createAdminApi(url, ADMIN_KEY);
  for (const role of ['viewer', 'operator'] as const) {
    const { body } = await api.post<{ key: string }>('/v1/keys', { name: `${role} at the desk`, role });
    keys[role] = body.key;
  }
  const around: Surroundings = { admin: api, sandbox, sandboxUrl, receiver: ground.receiver };
  const order = async (name: string, lead: number, wallet?: string) =>
    (await placeOrder(around, ground.clock, { name, cents: 1999, lead })).approvedWith(wallet);
  [later, hostile, failing, soon] = [
    await order('later', 160 * DAY),
    await order('hostile', 170 * DAY),
    await order('failing', 12 * HOUR, 'capture-fails'),
    await order('soon', 12 * HOUR),
  ];
  paymentId = await capturePart();
  const endpoint = { url: 'http://127.0.0.1:9/events', types: ['*'], enabled: false };
  endpointId = (await api.post<{ endpointId: string }>('/v1/webhook-endpoints', endpoint)).body.endpointId;
  await writeHostileText(api, hostile);
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  await (ground as Ground | undefined)?.close();
});

const capturePart = () => capturedInPart({ admin: api, sandbox }, ground.clock.now());

async function signedIn(role: keyof typeof keys, path = '/', options: PageOptions = {}): Promise<Window> {
  const window = await Window.open(browser, url, options);
  await window.signIn(keys[role], path);
  return window;
}

test('each role is offered exactly the actions it may take', async () => {
  const offers = { viewer: [0, 0, 0], operator: [0, 1, 0], admin: [1, 1, 1] };
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    const window = await signedIn(role, `/subscriptions/${later.id}`);
    const { page } = window;
    await page.getByRole('heading', { name: later.id }).waitFor();
    const offered = [
      page.getByRole('link', { name: 'Keys', exact: true }),
      page.getByRole('button', { name: 'Pause', exact: true }),
      page.getByRole('button', { name: 'Cancel subscription' }),
    ];
    expect(await Promise.all(offered.map((each) => each.count()))).toEqual(offers[role]);
    await leave(window);
  }
});

test('a key with scopes is offered only what its scopes allow, and sends no request that is refused', async () => {
  const made = { name: 'refunds at the desk', role: 'operator', scopes: ['refunds'] };
  const { body } = await api.post<{ key: string }>('/v1/keys', made);
  const window = await Window.open(browser, url);
  const { page } = window;
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await window.signIn(body.key);
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  expect(await views.allInnerTexts()).toEqual(['Today', 'Subscriptions', 'Payments']);
  await page.getByText('Your key may not read reports').waitFor();
  await window.go(`/payments/${paymentId}`);
  await page.getByRole('button', { name: 'Refund', exact: true }).first().waitFor();
  await window.go(`/subscriptions/${later.id}`);
  await page.getByRole('heading', { name: later.id }).waitFor();
  await window.settled();
  const actions = page.getByRole('group', { name: 'Actions' }).first().getByRole('button');
  expect(await actions.allInnerTexts()).toEqual([]);
  expect(await window.violations()).toEqual([]);
  expect(refused).toEqual([]);
  await leave(window);
});

test('signing in with an unknown key shows the error of the API', async () => {
  const window = await Window.open(browser, url);
  await window.go('/');
  await window.page.getByLabel('Key').fill('dd_unknown');
  await window.page.getByRole('button', { name: 'Sign in' }).click();
  await window.page.getByRole('alert').getByText('This key is unknown, was revoked or has expired.').waitFor();
  expect(await window.violations()).toEqual([]);
  await leave(window);
});

const statusOf = (window: Window) => window.page.locator('.subject .badge').first();

/** Disables the page's polling every five seconds. */
const WITHOUT_POLLING = `{
  const every = setInterval;
  window.setInterval = (what, ms, ...more) => (ms === 5000 ? 0 : every(what, ms, ...more));
}`;

/** Opens a page of a subscription that does not poll. @param isStreamed whether the page gets the stream of changes */
async function unpolled(isStreamed: boolean): Promise<Window> {
  const window = await Window.open(browser, url);
  await window.page.addInitScript(WITHOUT_POLLING);
  if (!isStreamed) await window.page.route('**/v1/stream*', (route) => route.abort());
  await window.signIn(keys.viewer, `/subscriptions/${later.id}`);
  await statusOf(window).getByText('active').waitFor();
  return window;
}

test('the stream shows a change within 2 s of its response, without a reload and without polling', async () => {
  const [streamed, cut] = [await unpolled(true), await unpolled(false)];
  await streamed.page.locator('.liveness', { hasText: 'Live' }).waitFor();
  await streamed.page.evaluate('window.isStillThisPage = true');
  const delays: number[] = [];
  for (const [call, shown] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['pause', 'paused'],
    ['resume', 'active'],
    ['pause', 'paused'],
  ] as const) {
    expect((await later.steer(call, {})).status).toBe(200);
    const answeredAt = performance.now();
    await statusOf(streamed).getByText(shown).waitFor();
    delays.push(performance.now() - answeredAt);
  }
  // On a busy machine some changes appear late, so only the fastest one counts.
  expect(Math.min(...delays)).toBeLessThan(2_000);
  expect(await streamed.page.evaluate('window.isStillThisPage')).toBe(true);
  expect(await statusOf(cut).textContent()).toContain('active');
  await later.steer('resume', {});
  await Promise.all([leave(streamed), leave(cut)]);
});

test('a key created elsewhere appears in the list without a reload, although it belongs to no subscription or payment', async () => {
  const window = await Window.open(browser, url);
  const { page } = window;
  await page.addInitScript(WITHOUT_POLLING);
  await window.signIn(keys.admin, '/keys');
  await page.locator('.liveness', { hasText: 'Live' }).waitFor();
  await page.getByText('operator at the desk').waitFor();
  await window.settled();
  expect((await api.post('/v1/keys', { name: 'made elsewhere', role: 'viewer' })).status).toBe(201);
  await page.getByText('made elsewhere').waitFor();
  await leave(window);
});

test('an attempt appears on the page of its subscription without a reload', async () => {
  const window = await signedIn('viewer', `/subscriptions/${soon.id}`);
  await window.page.locator('.liveness', { hasText: 'Live' }).waitFor();
  // On a busy machine, its next due date may have passed as well.
  await soon.until('collected', ({ cyclesCollected }) => cyclesCollected > 0);
  await window.page.getByText('collected', { exact: false }).first().waitFor();
  await window.page.getByText(/^[1-9]\d* cycles?$/).waitFor();
  await leave(window);
});

test('an operator finds, pauses and resumes a subscription', async () => {
  const window = await signedIn('operator', '/subscriptions');
  const { page } = window;
  await page.getByRole('searchbox').fill(later.id);
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('link', { name: later.id }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/skipped/)
    .first()
    .waitFor();
  await page.getByRole('dialog').getByLabel('Reason').fill('the payer has asked');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resume' }).click();
  expect((await later.view()).status).toBe('paused');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect((await later.view()).status).toBe('active');
  await leave(window);
});

test('a forbidden amount is refused in the dialog with the highest allowed amount; an accepted change can be undone', async () => {
  const window = await signedIn('operator', `/subscriptions/${soon.id}`);
  const { page } = window;
  await page.getByRole('button', { name: 'Change amount' }).click();
  await page.getByLabel(/^New amount/).fill('200.00');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/At most .*150[.]00/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Change amount' }).isDisabled()).toBe(true);
  await page.getByLabel(/^New amount/).fill('15.00');
  // The cycle is far ahead, because a change cannot be undone once its cycle has started.
  await dialog.getByLabel('From cycle').fill('50');
  await dialog.getByText(/A reduction from .* from cycle 50 on/).waitFor();
  await dialog.getByRole('button', { name: 'Change amount' }).click();
  await dialog.waitFor({ state: 'detached' });
  const undo = page.getByRole('button', { name: 'Undo' });
  // The offer to undo stays while the pointer is on it.
  await undo.hover();
  expect((await soon.view()).pendingAmountChange).toMatchObject({ amount: { value: 1500 } });
  await undo.click();
  await page.getByText('Undone.').waitFor();
  expect((await soon.view()).pendingAmountChange).toBeUndefined();
  await leave(window);
});

test('a bulk action does what its dry run showed, and reports each refusal', async () => {
  const from = toIso(ground.clock.now() + 15 * DAY).slice(0, 'YYYY-MM-DD'.length);
  const window = await signedIn('operator', `/subscriptions?dueFrom=${from}`);
  const { page } = window;
  const panel = page.getByRole('dialog');
  const open = async (action: string) => {
    await page.getByRole('button', { name: 'Select the whole list' }).click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  const carryOut = async (button: string) => {
    await panel.getByRole('heading', { name: 'This would affect 2 subscriptions' }).waitFor();
    await panel.getByText('€39.98').first().waitFor();
    await panel.getByRole('button', { name: button }).click();
  };
  await open('Pause');
  await carryOut('Pause 2 subscriptions');
  await panel.getByText('None was refused.').waitFor();
  expect([(await later.view()).status, (await hostile.view()).status]).toEqual(['paused', 'paused']);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);

  await open('Retry');
  await panel.getByLabel('Reason').fill('the bank was away');
  await panel.getByRole('button', { name: 'Dry run' }).click();
  await carryOut('Retry 2 subscriptions');
  await panel.getByText('2 refused.').waitFor();
  await panel.getByRole('link', { name: 'Open the job' }).click();
  await page.getByLabel('Result').selectOption('refused');
  await page.getByRole('row').getByText('No cycle of the subscription waits for a retry.').nth(1).waitFor();
  expect(await window.violations()).toEqual([]);

  await window.go('/subscriptions?status=paused');
  await open('Resume');
  await carryOut('Resume 2 subscriptions');
  await panel.getByText('None was refused.').waitFor();
  expect([(await later.view()).status, (await hostile.view()).status]).toEqual(['active', 'active']);
  await leave(window);
});

test('a bulk action does not start if its selection has changed since the dry run, and says so', async () => {
  const window = await signedIn('operator', `/subscriptions?q=${later.id}`);
  const { page } = window;
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Select the whole list' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await panel.getByRole('button', { name: 'Pause one subscription' }).waitFor();
  await later.steer('pause', {});
  await panel.getByRole('button', { name: 'Pause one subscription' }).click();
  await panel.getByText('Changed status, standing, amount or due date: 1').waitFor();
  await panel.getByRole('heading', { name: 'This would affect' }).waitFor({ state: 'detached' });
  await later.steer('resume', {});
  await leave(window);
});

test('a bulk action needs permission', async () => {
  const viewer = await signedIn('viewer', '/subscriptions?status=active');
  await viewer.page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Select the whole list' }).count()).toBe(0);
  await leave(viewer);
});

test('the forecast shows the API’s figures for the period in its address', async () => {
  const day = (life: Life) => toIso(life.due(0)).slice(0, 'YYYY-MM-DD'.length);
  const period = `from=${day(later)}&to=${day(later)}`;
  const window = await signedIn('viewer', `/forecast?${period}`);
  const { page } = window;
  await page.getByText('€19.99 in 1 cycle.').waitFor();
  await page.getByLabel('Through').fill(day(hostile));
  const { body } = await api.get<{ total: { due: { count: number } } }>(
    `/v1/reports/forecast?from=${day(later)}T00:00:00Z&to=${toIso(Date.parse(day(hostile)) + DAY)}`,
  );
  await page.getByText(`in ${body.total.due.count} cycles.`).waitFor();
  expect(body.total.due.count).toBeGreaterThan(1);
  await leave(window);
});

test('an operator edits payer and metadata, and a refused value is shown at its field', async () => {
  const window = await signedIn('operator', `/subscriptions/${later.id}`);
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.locator('.field', { has: page.getByLabel(name, { exact: true }) });
  await page.getByRole('button', { name: 'Edit payer' }).click();
  await dialog.getByLabel('E-mail').fill('nobody');
  await dialog.getByRole('button', { name: 'Save payer' }).click();
  await field('E-mail')
    .getByText(/expected an e-mail address/)
    .waitFor();
  expect(await dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(await window.violations()).toEqual([]);
  await dialog.getByLabel('E-mail').fill('moved@payer.example');
  await dialog.getByLabel('Reference').fill('');
  await dialog.getByLabel('Language').selectOption('de');
  await dialog.getByRole('button', { name: 'Save payer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('moved@payer.example, de').waitFor();
  expect(await later.view()).toMatchObject({ payer: { email: 'moved@payer.example', language: 'de' } });
  expect(await later.view()).not.toHaveProperty('payer.reference');

  await page.getByRole('button', { name: 'Edit metadata' }).click();
  await dialog.getByLabel('Key 1').fill('shop');
  await dialog.getByLabel('Value 1').fill('north');
  await dialog.getByRole('button', { name: 'Add a pair' }).click();
  await dialog.getByLabel('Key 2').fill('team = a');
  await dialog.getByLabel('Value 2').fill('W'.repeat(201));
  await dialog.getByRole('button', { name: 'Save metadata' }).click();
  await field('Value 2').getByText('expected text of at most 200 characters; got text of 201 characters').waitFor();
  await dialog.getByLabel('Value 2').fill('blue, green');
  await dialog.getByRole('button', { name: 'Save metadata' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('blue, green').first().waitFor();
  expect(await later.view()).toMatchObject({ metadata: { shop: 'north', 'team = a': 'blue, green' } });
  await leave(window);
});

test('a pause can be undone with the keyboard alone, and the offer to undo disappears after some time', async () => {
  const window = await signedIn('operator', `/subscriptions/${hostile.id}`);
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await undo.waitFor();
  // The offer to undo stays while it has the focus, although axe takes some time.
  await page.keyboard.press('u');
  expect((await hostile.view()).status).toBe('paused');
  expect(await window.violations()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('Undone.').waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect((await hostile.view()).status).toBe('active');

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await undo.waitFor();
  await undo.waitFor({ state: 'detached' });
  expect((await hostile.view()).status).toBe('paused');
  await hostile.steer('resume', {});
  await leave(window);
});

async function itemOfFailing(): Promise<string> {
  const { body } = await api.get<{ items: { item: string; subscriptionId: string }[] }>('/v1/attention');
  return body.items.find(({ subscriptionId }) => subscriptionId === failing.id)!.item;
}

test('an attention item is assigned, and the assignment undone', async () => {
  await failing.until('an operator is needed', ({ standing }) => standing === 'needs_attention');
  const window = await signedIn('operator', `/attention/${await itemOfFailing()}`);
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const open = page.getByRole('region', { name: 'Open item' });
  await page.getByRole('button', { name: 'Assign' }).click();
  await dialog.getByLabel('Assignee').fill('Nora');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await open.getByText('Nora').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await open.getByText('nobody').waitFor();
  await leave(window);
});

test('a dialog keeps its input when another user removes its item from the list', async () => {
  await failing.until('an operator is needed', ({ standing }) => standing === 'needs_attention');
  const item = await itemOfFailing();
  const window = await signedIn('operator', `/attention/${item}?assignee=nobody`);
  const { page } = window;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await dialog.getByLabel('Note', { exact: true }).fill('the bank was called');
  const isOffTheList = page.waitForResponse(
    async (answer) => answer.url().includes('/v1/attention?') && !(await answer.text()).includes(item),
  );
  expect((await api.post(`/v1/attention/${item}/assign`, { assignee: 'Nora' })).status).toBe(200);
  await isOffTheList;
  await dialog.getByRole('button', { name: 'Save note' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('This item has left the list', { exact: false }).waitFor();
  const { body } = await api.get<{ items: { item: string; note: string | null }[] }>('/v1/attention');
  expect(body.items.find((each) => each.item === item)?.note).toBe('the bank was called');
  await api.post(`/v1/attention/${item}/assign`, { assignee: null });
  await leave(window);
});

test('a new audit entry leaves those below it open and focused', async () => {
  const window = await signedIn('viewer', `/subscriptions/${hostile.id}`);
  const { page } = window;
  await page.locator('.entries summary').first().click();
  expect((await hostile.steer('pause', {})).status).toBe(200);
  await page.locator('.entries li + li details[open]').waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
  await hostile.steer('resume', {});
  await leave(window);
});

test('a filter keeps the focus when it is applied, changes with the browser’s "back", and clearing all filters focuses the first one', async () => {
  const window = await signedIn('viewer', '/subscriptions');
  const { page } = window;
  const search = page.getByRole('searchbox');
  const clear = page.getByRole('button', { name: 'Clear' });
  const isSearching = () => page.evaluate<boolean>('document.activeElement?.type === "search"');
  await search.fill(later.id);
  await search.press('Enter');
  await clear.waitFor();
  expect(await isSearching()).toBe(true);
  await clear.click();
  await clear.waitFor({ state: 'detached' });
  expect([await isSearching(), await search.inputValue()]).toEqual([true, '']);
  await page.goBack();
  await clear.waitFor();
  expect(await search.inputValue()).toBe(later.id);
  await leave(window);
});

test('closing a dialog that was opened from a menu moves the focus to the view', async () => {
  const window = await signedIn('viewer');
  const { page } = window;
  await page.getByRole('button', { name: /viewer at the desk/ }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await leave(window);
});

test('the search, the rows of a list and the list of shortcuts are used with the keyboard alone, and a dialog returns the focus', async () => {
  const window = await signedIn('viewer');
  const { page } = window;
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.locator('body').press('/');
  const search = page.getByRole('combobox', { name: 'Search everything' });
  await search.waitFor();
  await page.keyboard.type(later.id);
  await page.getByRole('option', { name: later.id }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: later.id }).waitFor();
  await window.go(`/subscriptions?q=${later.id}`);
  await page.getByRole('link', { name: later.id }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
  expect(await focused()).toContain(later.id);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toContain(later.id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: later.id }).waitFor();
  await page.goBack();
  expect(new URL(page.url()).searchParams.get('q')).toBe(later.id);
  await leave(window);
});

test.each(['light', 'dark'] as const)('axe finds nothing on any view, in the %s theme', async (colorScheme) => {
  const window = await signedIn('admin', '/', { colorScheme });
  const found: Record<string, string[]> = {};
  for (const path of [...VIEWS, `/subscriptions/${soon.id}`, '/nothing']) {
    await window.go(path);
    await window.page.getByRole('heading', { level: 1 }).waitFor();
    await window.settled();
    const violations = await window.violations();
    if (violations.length > 0) found[path] = violations;
  }
  expect(found).toEqual({});
  await leave(window);
});

/** The record pages. The page of a new payment comes first, because it offers fewer actions once the deadline has passed. */
async function recordPages(): Promise<readonly string[]> {
  const [captured, item] = [await capturePart(), await itemOfFailing()];
  return [`/payments/${captured}`, `/subscriptions/${hostile.id}`, `/attention/${item}`, `/events/${endpointId}`];
}

/** Opens each dialog of the page once. @returns what axe finds in it, by label */
async function dialogFaults(window: Window): Promise<Record<string, string[]>> {
  const { page } = window;
  const found: Record<string, string[]> = {};
  const labels = await page.locator('.actions > button:visible, .row-actions > button:visible').allTextContents();
  for (const label of new Set(labels)) {
    await page.getByRole('button', { name: label, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await window.settled();
    const violations = await window.violations();
    if (violations.length > 0) found[label] = violations;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return found;
}

test.each(['light', 'dark'] as const)(
  'axe finds nothing on record pages and in their dialogs, in the %s theme',
  async (colorScheme) => {
    const window = await signedIn('admin', '/', { colorScheme });
    const found: Record<string, unknown> = {};
    for (const path of [...(await recordPages()), '/keys']) {
      await window.go(path);
      await window.page.getByRole('heading', { level: 1 }).waitFor();
      await window.settled();
      const violations = await window.violations();
      const dialogs = await dialogFaults(window);
      if (violations.length > 0 || Object.keys(dialogs).length > 0) found[path] = { violations, dialogs };
    }
    expect(found).toEqual({});
    await leave(window);
  },
);

test('every view and record page fits into 320 pixels, and the page of a subscription shows hostile text as plain text', async () => {
  const window = await signedIn('admin', '/', { width: 320 });
  const wide: Record<string, number> = {};
  for (const path of [...VIEWS, `/subscriptions/${soon.id}`, ...(await recordPages())]) {
    await window.go(path);
    await window.page.getByRole('heading', { level: 1 }).waitFor();
    await window.settled();
    const overflow = await window.overflow();
    if (overflow > 0) wide[path] = overflow;
  }
  expect(wide).toEqual({});
  await window.go(`/subscriptions/${hostile.id}`);
  await window.page.getByText(HTML, { exact: false }).first().waitFor();
  expect(await window.page.locator('img').count()).toBe(0);
  await leave(window);
});

test('an admin cancels a subscription after a warning that it cannot be undone', async () => {
  const window = await signedIn('admin', `/subscriptions/${later.id}`);
  const { page } = window;
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await later.until('cancelled', ({ status }) => status === 'cancelled');
  await page.getByText('cancelled', { exact: false }).first().waitFor();
  await leave(window);
});

test('a request that needs approval is approved in another window and then sent from the list', async () => {
  const port = await portToKeep('the guarded API');
  const guarded = await startGuarded(port);
  // The payment is new, because on the fast clock the deadline of `paymentId` above may have passed.
  const paymentId = await capturePart();
  const open = async (holder: string, path: string) => {
    const window = await Window.open(browser, `http://127.0.0.1:${port}`);
    await window.signIn(await createHoldersKey(ground, holder), path);
    return window;
  };
  const ada = await open('Ada', `/payments/${paymentId}`);
  await ada.page.getByRole('button', { name: 'Capture', exact: true }).click();
  const dialog = ada.page.getByRole('dialog');
  await dialog.getByLabel(/^Amount/).fill('6.00');
  await dialog.getByRole('button', { name: 'Capture', exact: true }).click();
  await dialog.getByText(/A second person must approve this/).waitFor();
  const grace = await open('Grace', '/approvals');
  await grace.page.getByText(`/v1/payments/${paymentId}/captures`).waitFor();
  expect(await grace.violations()).toEqual([]);
  await grace.page.getByRole('button', { name: 'Approve' }).click();
  await grace.page.getByRole('dialog').getByText('€6.00').waitFor();
  await grace.page.getByRole('dialog').getByLabel('Reason').fill('the parcel has left');
  await grace.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await grace.page.getByText('desk of Grace').first().waitFor();
  // Leaving the view discards the dialog and its input.
  await dialog.getByRole('link', { name: 'Approvals' }).click();
  await ada.page.getByRole('button', { name: 'Send this request now' }).click();
  const sending = ada.page.getByRole('dialog', { name: 'Send an approved request' });
  await sending.getByRole('button', { name: 'Send this request' }).click();
  await sending.waitFor({ state: 'detached' });
  const sent = ada.page.getByRole('dialog', { name: 'The request was sent' });
  expect(await ada.violations()).toEqual([]);
  await sent.getByRole('button', { name: 'Close' }).click();
  await sent.waitFor({ state: 'detached' });
  const { body } = await api.get<{ captures: { amount: { value: number } }[] }>(`/v1/payments/${paymentId}`);
  expect(body.captures.map(({ amount }) => amount.value)).toContain(600);
  await Promise.all([ada.close(), grace.close()]);
  await guarded.stop();
});

test('the page says that the API is unreachable, and continues without a reload once it is reachable again', async () => {
  const window = await signedIn('viewer');
  await window.page.locator('.liveness', { hasText: 'Live' }).waitFor();
  await daemon.stop();
  await window.page.getByText(/The API has not been reachable since/).waitFor();
  daemon = await start();
  await window.page.getByText(/The API has not been reachable since/).waitFor({ state: 'detached' });
  await window.page.locator('.liveness', { hasText: 'Live' }).waitFor();
  await window.page.getByRole('heading', { name: 'Today' }).waitFor();
  await leave(window);
});

test('signing out ends the session and asks for a key', async () => {
  const window = await signedIn('viewer');
  await window.page.getByRole('button', { name: /viewer at the desk/ }).click();
  await window.page.getByRole('button', { name: 'Sign out' }).click();
  await window.page.getByLabel('Key').waitFor();
  await window.go('/subscriptions');
  await window.page.getByLabel('Key').waitFor();
  await leave(window);
});

import type { Browser, Locator, Page } from 'playwright-core';
import type { PaymentId } from '../../src/domain/ids';
import { HOUR, MINUTE, SECOND, toIso } from '../../src/domain/time';
import type { Cycle } from '../scenarios/admin-api';
import { collectedElsewhere, lineOf } from '../scenarios/elsewhere';
import type { Life } from '../scenarios/life';
import { ADMIN_KEY, openWorld, type World } from '../scenarios/world';
import { importFile } from '../support/import-call';
import { waitUntil } from '../support/wait-until';
import { leave, openBrowser, type PageOptions, Window } from './browser';

/** An hour per second. */
const SPEED = 3_600;

const HTML = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const HOSTILE = `${HTML}\u202Eمرحبا بالعالم\u202C${'W'.repeat(10_000)}`;

let world: World;
let url: string;
let browser: Browser;
/** A subscription whose first cycle another program has debited with another amount, so that its outcome is unresolved. */
let unresolved: Life;
/** The time of the last increase of the imported mandate. */
let increasedAt: number;

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ speed: SPEED }), openBrowser()]);
  url = (await world.daemon.says('admin API on ')).url!;
  increasedAt = await takeOverRaised();
  unresolved = await createUnresolved();
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  await (world as World | undefined)?.close();
});

/** Imports a mandate from another system, which increased its amount on the first due date. */
async function takeOverRaised(): Promise<number> {
  const elsewhere = await collectedElsewhere(world);
  const { firstPaymentAt } = elsewhere;
  const line = { ...lineOf(elsewhere, 'raised'), lastIncreaseAt: toIso(firstPaymentAt) };
  expect(await importFile(url, ADMIN_KEY, JSON.stringify(line))).toMatchObject([{ subscriptionId: 'raised' }]);
  return firstPaymentAt;
}

/** Creates a subscription whose first cycle another system debits with another amount. dueday is halted before the due date. */
async function createUnresolved(): Promise<Life> {
  const life = await (await world.order({ name: 'twice', cents: 3_000, lead: 24 * HOUR })).approvedWith();
  expect((await world.admin.post('/v1/halt', { reason: 'another program is at work' })).status).toBe(200);
  await world.reach(life.due(0) + MINUTE);
  const made = { amount: 2_900, createdAt: life.due(0) + SECOND, result: 'successful' } as const;
  world.sandbox.authorizeElsewhere(life.paymentId, made);
  expect((await world.admin.delete('/v1/halt')).status).toBe(200);
  await waitUntil('the cycle is unresolved', async () => (await firstCycle(life.id))?.status === 'unresolved');
  return life;
}

async function firstCycle(id: string): Promise<Cycle | undefined> {
  return (await world.admin.get<{ items: Cycle[] }>(`/v1/subscriptions/${id}/cycles`)).body.items.at(-1);
}

async function itemOf(id: string): Promise<string> {
  type Item = Record<'item' | 'kind' | 'subscriptionId', string>;
  const { body } = await world.admin.get<{ items: Item[] }>('/v1/attention?kind=unresolved');
  return body.items.find(({ subscriptionId }) => subscriptionId === id)!.item;
}

async function signedIn(path: string, options: PageOptions = {}): Promise<Window> {
  const window = await Window.open(browser, url, options);
  await window.signIn(ADMIN_KEY, path);
  return window;
}

/** The title of the attention item of `unresolved`. */
const UNRESOLVED = 'The outcome of an attempt is unknown';

test('a second increase within six months is refused in the dialog, with the date from which it is allowed', async () => {
  const window = await signedIn('/subscriptions/raised');
  const dialog = window.page.getByRole('dialog');
  await window.page.getByRole('button', { name: 'Change amount' }).click();
  await dialog.getByLabel(/^New amount/).fill('25.00');
  const allowed = new Date(increasedAt);
  allowed.setUTCMonth(allowed.getUTCMonth() + 6);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(allowed);
  await dialog.getByText(`More is allowed from ${day}`, { exact: false }).waitFor();
  await dialog.getByText('At most €19.99 is allowed for this cycle.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Change amount' }).isDisabled()).toBe(true);
  await leave(window);
});

/** Removes the browser's own checks of length and format, which an attacker can bypass. */
const LIFT_CHECKS = `
  for (const each of document.querySelectorAll('dialog [maxlength]')) each.removeAttribute('maxlength');
  for (const each of document.querySelectorAll('dialog input:is([type=url], [type=email])')) each.type = 'text';
`;

/** Fills every text field of the open dialog with hostile text, and sends it. */
async function sendHostile(dialog: Locator): Promise<void> {
  const fields = dialog.locator('textarea, input:is([type=text], [type=url], [type=email], :not([type]))');
  if ((await fields.count()) === 0) return;
  await dialog.page().evaluate(LIFT_CHECKS);
  for (const fold of await dialog.locator('details:not([open]) > summary').all()) await fold.click();
  for (const field of await fields.all()) await field.fill(HOSTILE);
  for (const choice of await dialog.locator('select').all()) await choice.selectOption({ index: 1 });
  const send = dialog.locator('button[type=submit]');
  if (await send.isEnabled()) await send.click();
  await dialog.locator('.fault, .note-error').first().waitFor();
}

/** What is wrong with how the page shows hostile text: elements that are too wide, or text that became markup. */
async function breaches({ page }: Window): Promise<string[]> {
  const wide = await page.evaluate<string[]>(
    `[...document.querySelectorAll('html, dialog[open]')].filter((each) => each.scrollWidth > each.clientWidth)
      .map(({ tagName }) => tagName + ' is too wide')`,
  );
  return (await page.locator('main img, dialog img').count()) === 0 ? wide : [...wide, 'it became an element'];
}

test('hostile text in any dialog field is refused and shown as plain text, on 320 pixels', async () => {
  const window = await signedIn('/', { width: 320 });
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const found: Record<string, string[]> = {};
  let sent = 0;
  for (const path of ['/subscriptions/raised', `/attention/${await itemOf(unresolved.id)}`, '/events', '/keys']) {
    await window.go(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await window.settled();
    const buttons = page.locator('.actions > button:visible, .row-actions > button:visible');
    for (const label of new Set(await buttons.allTextContents())) {
      await page.getByRole('button', { name: label, exact: true }).first().click();
      await dialog.waitFor();
      await window.settled();
      await sendHostile(dialog);
      sent += 1;
      const wrong = await breaches(window);
      if (wrong.length > 0) found[`${path} ${label}`] = wrong;
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  }
  expect(found).toEqual({});
  expect(sent).toBeGreaterThanOrEqual(10);
  await leave(window);
});

test('hostile text in any filter or from the ledger is shown as plain text, on 320 pixels', async () => {
  const item = await itemOf(unresolved.id);
  const short = HOSTILE.slice(0, 100);
  expect((await world.admin.post(`/v1/attention/${item}/assign`, { assignee: short })).status).toBe(200);
  expect((await world.admin.post(`/v1/attention/${item}/note`, { note: HOSTILE.slice(0, 500) })).status).toBe(200);
  expect((await world.admin.post('/v1/keys', { name: HTML, role: 'viewer' })).status).toBe(201);
  const window = await signedIn('/', { width: 320 });
  const { page } = window;
  const found: Record<string, string[]> = {};
  const note = async (where: string) => {
    const wrong = await breaches(window);
    if (wrong.length > 0) found[where] = wrong;
  };
  for (const path of [`/attention/${item}`, '/keys', '/audit']) {
    await window.go(path);
    await page.getByText(HTML, { exact: false }).first().waitFor();
    await note(path);
  }
  for (const path of ['/subscriptions', '/attention', '/payments', '/money', '/notices', '/audit']) {
    await window.go(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await window.settled();
    const fold = page.getByRole('button', { name: 'Filters' });
    if (await fold.isVisible()) await fold.click();
    const fields = page.locator('.filters input:is([type=text], [type=search])');
    for (let index = 0; index < (await fields.count()); index += 1) {
      await fields.nth(index).fill(HOSTILE);
      await fields.nth(index).press('Enter');
      await page.getByRole('button', { name: 'Clear' }).waitFor();
      await window.settled();
      await note(`${path} ${index}`);
      await page.getByRole('button', { name: 'Clear' }).click();
    }
  }
  expect(found).toEqual({});
  await leave(window);
});

/** Presses Tab until the element of that name has the focus. @throws Error if Tab does not reach it */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    const held = await focused(page);
    if (typeof name === 'string' ? held === name : name.test(held)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(name)}`);
}

function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const held = document.activeElement;
    return (held.getAttribute('aria-label') ?? held.labels?.[0]?.textContent ?? held.textContent).trim();
  })()`);
}

test('an unknown outcome can be assigned and resolved with the keyboard alone, without losing the focus', async () => {
  const window = await Window.open(browser, url);
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const press = async (name: string | RegExp) => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const write = async (name: string, text: string) => {
    await tabTo(page, name);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };
  await window.go('/');
  await page.getByLabel('Key').waitFor();
  await write('Key', ADMIN_KEY);
  await press('Sign in');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  await press(/^Needs attention/);
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await window.settled();
  // The list also contains findings of the daily reconciliation.
  await waitUntil('the row is found', async () => {
    await page.keyboard.press('j');
    return (await focused(page)) === UNRESOLVED;
  });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: UNRESOLVED }).waitFor();

  await press('Assign');
  await dialog.waitFor();
  await write('Assignee', 'Nora');
  await press('Assign');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Assign');
  await page.getByRole('region', { name: 'Open item' }).getByText('Nora').waitFor();

  await press('Resolve');
  await dialog.waitFor();
  expect(await dialog.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true);
  await tabTo(page, 'Outcome');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await dialog.getByText('€30.00 is recorded as not collected', { exact: false }).waitFor();
  await write('Evidence', 'it was the other program');
  await press('Resolve as failed');
  await dialog.waitFor({ state: 'detached' });
  await waitUntil('the cycle has failed', async () => (await firstCycle(unresolved.id))?.status === 'failed');
  await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
  await leave(window);
});

/** A refund request that never arrived, while the service cannot be asked about it. */
async function loseRefund(): Promise<{ readonly item: string; readonly paymentId: string }> {
  const order = {
    plan: 'SINGLE',
    amount: { value: 6_000, currency: 'EUR' },
    returnURL: 'https://shop.example/thanks',
    billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
  };
  const { body } = await world.admin.post<{ paymentId: PaymentId }>('/v1/payments', order);
  const { paymentId } = body;
  world.sandbox.payer(paymentId).approve('approves');
  await world.admin.post(`/v1/payments/${paymentId}/consent-check`);
  await waitUntil('it is captured', async () => (await paymentOf(paymentId)).status === 'captured');
  const { faults } = world.sandbox;
  const path = `/${paymentId}/refunds$`;
  const { faultId } = faults.add({ kind: 'swallowed', match: { method: 'POST', path } });
  const refund = { amount: { value: 2_500, currency: 'EUR' } };
  const ordered = world.admin.post(`/v1/payments/${paymentId}/refunds`, refund, 'lost-refund');
  await waitUntil('it is lost', () => faults.list().some((each) => each.faultId === faultId && each.taken === 1));
  faults.add({ kind: 'error_before_commit', times: 10_000, match: { method: 'GET', path } });
  await ordered;
  const found = async () => {
    const { items } = (await world.admin.get<{ items: { item: string; paymentId: string }[] }>(UNRESOLVED_REFUNDS))
      .body;
    return items.find((each) => each.paymentId === paymentId)?.item;
  };
  await waitUntil('it waits for an operator', async () => (await found()) !== undefined);
  return { item: (await found())!, paymentId };
}

const UNRESOLVED_REFUNDS = '/v1/attention?kind=refund_unresolved';

async function paymentOf(paymentId: string) {
  return (await world.admin.get<{ status: string; refunds: { status: string }[] }>(`/v1/payments/${paymentId}`)).body;
}

test('a refund with an unknown outcome is resolved on its attention item', async () => {
  const { item, paymentId } = await loseRefund();
  const window = await signedIn(`/attention/${item}?kind=refund_unresolved`);
  const dialog = window.page.getByRole('dialog');
  await window.page.getByRole('button', { name: 'Resolve', exact: true }).click();
  expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
  await dialog.getByLabel('Outcome').selectOption('successful');
  await dialog.getByLabel(/^Payment service’s ID/).waitFor();
  await dialog.getByLabel('Outcome').selectOption('failed');
  await dialog.getByText('The refund of €25.00 is recorded as never made', { exact: false }).waitFor();
  await dialog.getByLabel(/^Evidence/).fill('the payment service provider has none');
  expect(await window.violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
  await dialog.waitFor({ state: 'detached' });
  await window.page.getByRole('button', { name: 'Resolve', exact: true }).waitFor({ state: 'detached' });
  expect((await paymentOf(paymentId)).refunds).toMatchObject([{ status: 'failed' }]);
  await leave(window);
});

import type { Browser } from 'playwright-core';
import { leave, openBrowser, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { at, attempt, cycle } from './lives';

/** What the console says before a refund is made, and after it was made. */

const ADVICE = 'The service reports that this money was reversed already: refund nothing.';
const WARNING = 'The service is late: the refund will be sent again.';

const byDebit = cycle(2, { attempts: [attempt('successful', { captureId: 'cap_a' })] });
const byLink = cycle(1, { paymentLink: { paymentId: 'pay_link', state: 'paid', createdAt: at(2) } });

let browser: Browser;
let api: CannedApi;

beforeAll(async () => {
  const cycles = { items: [byDebit, byLink], nextCursor: null };
  const transactions = { items: [], nextCursor: null };
  const answers = { ...mondayOf(2), '/v1/subscriptions/sub_0/cycles': cycles, '/v1/transactions': transactions };
  [browser, api] = await Promise.all([openBrowser(), openCannedApi(answers)]);
});

afterAll(async () => {
  await (browser as Browser | undefined)?.close();
  api.close();
});

test.each([
  [2, 'subscriptionId=sub_0'],
  [1, 'paymentId=pay_link'],
])('a refund of cycle %d asks whether the debit was reversed, and shows the warnings of its answer', async (n, of) => {
  const window = await Window.openPage(browser, api.url, '/subscriptions/sub_0');
  const { page } = window;
  const reversed = { transactionId: 'tra_a', captureId: 'cap_a', advice: ADVICE };
  await page.route('**/v1/transactions?*', (route) =>
    route.fulfill({ json: { items: route.request().url().includes(of) ? [reversed] : [], nextCursor: null } }),
  );
  await page.route('**/refunds', (route) => route.fulfill({ json: { refundId: 'ref_a', warnings: [WARNING] } }));
  const dialog = page.getByRole('dialog', { name: `Refund cycle ${n}` });
  await page
    .locator('.cycle-head', { hasText: `cycle ${n},` })
    .getByRole('button', { name: 'Refund', exact: true })
    .click();
  await dialog.getByText(ADVICE).waitFor();
  await dialog.getByLabel('Reason').fill('asked for by the payer');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByText(WARNING).waitFor();
  await leave(window);
});

import type { Browser } from 'playwright-core';
import { adoptedText, mayBeAdopted } from '../../src/console/views/attention/about';
import { previousInQuestion } from '../../src/console/views/attention/offers';
import { leave, openBrowser, Window } from './browser';
import { type CannedApi, mondayOf, openCannedApi } from './canned-api';
import { item } from './items';
import { at, attempt, cycle } from './lives';

/** How the console asks which of two cycles was paid by a debit that another system made (rule 40). */

const adopted = item({
  item: 'adopted',
  kind: 'contradiction',
  title: 'The payment service contradicts itself',
  ledger: { state: 'missed', at: at(1) },
  service: { state: 'listed', at: at(7) },
});

test.each([
  ['about an adopted debit', {}, 0],
  ['about an adopted debit after a failed cycle', { ledger: { state: 'failed' } }, 0],
  ['about a debit listed after a refusal', { ledger: { state: 'rejected_retryable' } }, null],
  ['about a second debit', { service: { state: 'successful' } }, null],
  ['without evidence', { ledger: null, service: null }, null],
  ['of another kind', { kind: 'unresolved' }, null],
] as const)('an item %s asks which of two cycles was paid only if its debit is an adopted one', (_, more, previous) => {
  expect(previousInQuestion({ ...adopted, ...more })).toBe(previous);
});

describe('an attention item about a debit that the ledger lacked when the two sides were compared', () => {
  const unknown = item({ kind: 'debit_unknown', service: { state: 'successful', at: at(7), id: 'cap_a' } });
  const paid = (captureId: string) => cycle(1, { attempts: [attempt('successful', { captureId, adopted: true })] });

  test('says not to refund the debit once a cycle has adopted it', () => {
    expect(mayBeAdopted(unknown)).toBe(true);
    expect(adoptedText(unknown, [cycle(0), paid('cap_a')])).toBe(
      'Since this was found, the ledger has recorded it as the payment of cycle 1, now collected. Do not refund it as a second debit. Close the item with this reason.',
    );
  });

  test('says nothing about an adoption as long as no cycle has adopted the debit', () => {
    expect(adoptedText(unknown, [cycle(0), paid('cap_b')])).toBeNull();
    expect(adoptedText({ service: null }, [cycle(0)])).toBeNull();
    expect(mayBeAdopted({ ...unknown, kind: 'debit_missing' })).toBe(false);
    expect(mayBeAdopted({ ...unknown, service: null })).toBe(false);
  });
});

describe('the dialog', () => {
  let browser: Browser;
  let api: CannedApi;

  beforeAll(async () => {
    const items = { items: [adopted], nextCursor: null };
    const answers = { ...mondayOf(2), '/v1/attention': items, '/v1/subscriptions/sub_a/cycles/1/resolve': {} };
    [browser, api] = await Promise.all([openBrowser(), openCannedApi(answers)]);
  });

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    api.close();
  });

  test('the dialog can resolve an adopted debit as that of the previous cycle, which it sends to the API as paidCycle', async () => {
    const window = await Window.openPage(browser, api.url, '/attention/adopted');
    const { page } = window;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await dialog.getByLabel('Outcome').selectOption({ label: 'failed: the debit paid cycle 0' });
    await dialog.getByText('€19.99 is recorded for cycle 0', { exact: false }).waitFor();
    await dialog.getByLabel('Evidence').fill('asked the old provider');
    await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(api.writes).toEqual([
      {
        call: 'POST /v1/subscriptions/sub_a/cycles/1/resolve',
        body: { outcome: 'failed', evidence: 'asked the old provider', paidCycle: 0 },
      },
    ]);
    await leave(window);
  });
});

import { DAY, toIso } from '../../src/domain/time';
import { SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import { waitUntil } from '../support/wait-until';
import { ask, askJson, bodyOf } from './ask';
import { temporalText } from './canary';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { OPENED_AT, type Stage } from './stage';

const ID = 'security-erased';
const { address, email, reference } = SPELLED_PAYER;
const LONGEST = 120_000;

/** A payer who is written about in every spelling, cancelled and erased: the name is in no place that anybody can read. */
export async function checkErasure(stage: Stage): Promise<readonly Check[]> {
  await writeAbout(stage);
  const erased = () =>
    askJson(stage.url, stage.keys.admin, 'POST', `/v1/payers/${reference}/erase`, { reason: 'asked' });
  let last = '';
  await waitUntil(
    'the payer is erased',
    async () => {
      const { status, text } = await erased();
      last = text;
      return status === 200;
    },
    LONGEST,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last}`);
  });
  const places: readonly (readonly [string, string])[] = [
    ['the ledger', await ledgerText(stage)],
    ['lists', await listsText(stage)],
    ['logs', stage.logged()],
    ['Temporal', await temporalText(stage.stack)],
  ];
  return places.map(([place, text]) => {
    const found = SPELLINGS.filter((spelling) => text.includes(spelling));
    return noneOf(
      `erasure: the payer is not in ${place}`,
      found,
      `${SPELLINGS.length} spellings, ${text.length} characters`,
    );
  });
}

async function writeAbout({ url, keys }: Stage): Promise<void> {
  const first = toIso(OPENED_AT + 30 * DAY);
  const order = {
    ...{ subscriptionId: ID, amount: { value: 1999, currency: 'EUR' }, repetition: 'MONTHLY' },
    ...{ startAt: first, firstPaymentAt: first, returnURL: 'https://shop.example/return' },
    billingAddress: { ...address, email: 'wallet+approves+auto@example.test' },
    payer: { email, reference },
  };
  const post = (path: string, body: unknown) => bodyOf(askJson(url, keys.operator, 'POST', path, body));
  await post('/v1/subscriptions', order);
  await waitUntil('it is active', async () => {
    const shown = await bodyOf<{ status: string }>(
      ask(url, { method: 'GET', path: `/v1/subscriptions/${ID}`, key: keys.viewer }),
    );
    return shown.status === 'active';
  });
  for (const [n, spelling] of SPELLINGS.entries())
    await post(`/v1/subscriptions/${ID}/${n % 2 === 0 ? 'pause' : 'resume'}`, { reason: `for ${spelling}` });
  await post(`/v1/subscriptions/${ID}/cancel`, { reason: `${address.name} of ${address.city}` });
}

/** Every row of every table. */
async function ledgerText({ db }: Stage): Promise<string> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

const LISTS = ['subscriptions', 'payments', 'transactions', 'notices', 'attention', 'audit', 'events'];

async function listsText({ url, keys }: Stage): Promise<string> {
  const paths = [
    ...LISTS.map((list) => `/v1/${list}?limit=200`),
    `/v1/subscriptions/${ID}`,
    `/v1/subscriptions/${ID}/events`,
  ];
  const texts = paths.map(async (path) => (await ask(url, { method: 'GET', path, key: keys.admin })).text);
  return (await Promise.all(texts)).join('\n');
}

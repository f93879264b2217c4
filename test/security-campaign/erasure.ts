import { DAY, toIso } from '../../src/domain/time';
import { OTHER_NAMES, SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import type { Check } from '../support/campaign';
import { waitUntil } from '../support/wait-until';
import { ask, askJson, bodyOf } from './ask';
import { noneOf } from './check';
import { OPENED_AT, type Stage } from './stage';

const ID = 'security-erased';
const { address, email, reference } = SPELLED_PAYER;
const TERMS = [address.name, address.street, address.city, email, reference];

/** All that is written about a payer goes with an erasure, in whatever spelling; what names others stays. */
export async function checkErasure(stage: Stage): Promise<readonly Check[]> {
  await writeEverywhere(stage);
  const before = await tablesThatName(stage);
  await cancel(stage);
  const { url, keys } = stage;
  const erased = await askJson(url, keys.admin, 'POST', `/v1/payers/${reference}/erase`, {
    reason: 'asked for by letter',
  });
  const left = await tablesThatName(stage);
  const audit = (await ask(url, { method: 'GET', path: `/v1/subscriptions/${ID}/events?limit=200`, key: keys.admin }))
    .text;
  const lost = OTHER_NAMES.filter((each) => !audit.includes(each));
  return [
    {
      name: 'erasure: nothing names the payer, in no column of any table',
      holds: before.length > 2 && erased.status === 200 && left.length === 0,
      found: `${before.length} tables before, ${erased.status}, then ${left.join(', ') || 'none'}`,
    },
    noneOf('erasure: what names others stays', lost, `${OTHER_NAMES.length} texts`),
  ];
}

/** Each spelling as the reason of a pause or a resumption. */
async function writeEverywhere({ url, keys }: Stage): Promise<void> {
  const first = toIso(OPENED_AT + 30 * DAY);
  await bodyOf(
    askJson(url, keys.admin, 'POST', '/v1/subscriptions', {
      ...{ subscriptionId: ID, amount: { value: 1999, currency: 'EUR' }, repetition: 'MONTHLY' },
      ...{ startAt: first, firstPaymentAt: first, returnURL: 'https://shop.example/return' },
      billingAddress: { ...address, email: 'wallet+approves+auto@example.test' },
      payer: { email, reference },
      metadata: { buyer: address.name },
    }),
  );
  await untilIs(url, keys.admin, 'active');
  for (const [n, spelling] of [...SPELLINGS, ...OTHER_NAMES].entries()) {
    const verb = n % 2 === 0 ? 'pause' : 'resume';
    const reason = OTHER_NAMES.includes(spelling) ? spelling : `for ${spelling.replaceAll('\n', ' ')}`;
    await bodyOf(askJson(url, keys.operator, 'POST', `/v1/subscriptions/${ID}/${verb}`, { reason }));
  }
}

async function cancel({ url, keys }: Stage): Promise<void> {
  const reason = `${address.name} of ${address.city} asked for it`;
  await bodyOf(askJson(url, keys.admin, 'POST', `/v1/subscriptions/${ID}/cancel`, { reason }));
  await untilIs(url, keys.admin, 'cancelled');
}

async function untilIs(url: string, key: string, wanted: string): Promise<void> {
  await waitUntil(`${ID} is ${wanted}`, async () => {
    const { status } = await bodyOf<{ status: string }>(
      ask(url, { method: 'GET', path: `/v1/subscriptions/${ID}`, key }),
    );
    return status === wanted;
  });
}

/** Those with a row that names the payer in any column, by the ledger's own search or in a spelling as it was written. */
async function tablesThatName({ db }: Stage): Promise<readonly string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await db.query(
      `select from ${name} t
       where names_any(t::text, $1) or exists (
         select from unnest($2::text[]) as spelling where position(spelling in t::text) > 0
       ) limit 1`,
      [TERMS, SPELLINGS],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

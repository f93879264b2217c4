import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange, chainAuditLog, verifyAuditLog } from '../../src/ledger';
import { orderPaymentFailedNotice } from '../ledger/ledger-fixture';
import { SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

const ID = 'sub_spelled' as SubscriptionId;
const { address, email, reference } = SPELLED_PAYER;

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

async function write(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown): Promise<unknown> {
  const answer = await admin.call(method, `/v1/${path}`, { body, idempotencyKey: randomUUID() });
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
  return answer.body === '' ? null : answer.json();
}

/** Each spelling as the reason of a pause or a resumption, and in turn in every other text of the API. */
async function writeEverywhere(): Promise<void> {
  await write('POST', 'subscriptions', {
    ...order({ subscriptionId: ID, billingAddress: address, payer: { email: 'former@voliere.example', reference } }),
    metadata: { order: '4711', buyer: 'Zoë Lüdenscheidt' },
  });
  await applyChange(admin.db, {
    ...{ subscriptionId: ID, key: 'active', at: NOW, actor: 'dueday', events: [] },
    subscription: { status: 'active', attention: ['notice_undeliverable:0'] },
  });
  await write('PATCH', `subscriptions/${ID}/payer`, { email });
  const { items } = (await admin.call('GET', '/v1/attention')).json<{ items: { item: string }[] }>();
  const item = items[0]?.item ?? '';
  const { noticeId } = await orderPaymentFailedNotice(admin.db, {
    ...{ subscriptionId: ID, cycle: 0, attempt: 0, data: {}, createdAt: NOW },
  });
  for (const [n, spelling] of [...SPELLINGS, 'former@voliere.example'].entries()) {
    const words = spelling.replaceAll('\n', ' ');
    await write('POST', `subscriptions/${ID}/${n % 2 === 0 ? 'pause' : 'resume'}`, { reason: `for ${words}` });
    await write('POST', `attention/${item}/note`, { note: `call ${words}` });
    await write('POST', `attention/${item}/assign`, { assignee: words });
    await write('POST', 'halt', { reason: `${words} was here` });
    await write('DELETE', 'halt', { reason: `${words} has left` });
    await holdFor(words);
  }
  await write('POST', 'webhook-endpoints', {
    ...{ url: 'https://shop.example/', types: ['cycle.*'], description: `asked for by ${address.name}` },
  });
  await runJob();
  await write('POST', `subscriptions/${ID}/cancel`, { reason: `${address.name} of ${address.city}` });
  admin.clock.business += HOUR;
  await write('POST', `notices/${noticeId}/told`, {
    ...{ channel: 'phone', toldAt: toIso(NOW + 1000), evidence: `spoke to ${address.name}` },
  });
  await write('POST', `subscriptions/${ID}/acknowledge`, { reason: `${address.name} knows` });
}

/** Of others, with a filter and reasons that name the payer. */
async function holdFor(words: string): Promise<void> {
  const filter = { q: words.slice(0, 100), metadata: { buyer: words.slice(0, 100) } };
  const until = toIso(NOW + 24 * HOUR);
  const { holdId } = (await write('POST', 'holds', { filter, until, reason: `for ${words}` })) as { holdId: string };
  await write('DELETE', `holds/${holdId}`, { reason: `${words} has paid` });
}

/** A job with one call for the payer, which is over. */
async function runJob(): Promise<void> {
  const bulk = { action: 'pause', parameters: { reason: `for ${address.name}` }, filter: { q: 'Lüdenscheidt' } };
  const { token } = (await write('POST', 'bulk', { ...bulk, dryRun: true })) as { token: string };
  const { jobId } = (await write('POST', 'bulk', { token })) as { jobId: string };
  await write('DELETE', `jobs/${jobId}`, undefined);
}

/** As an operator would: nothing of the payer is under way any more. */
async function end(): Promise<void> {
  await applyChange(admin.db, {
    ...{ subscriptionId: ID, key: 'end', at: NOW, actor: 'dueday', events: [] },
    subscription: { status: 'cancelled', nextDueAt: null, attention: [], dunning: false },
  });
  await admin.db.query(
    `update notices set state = 'delivered', delivered_at = now(), delivered_real_at = now(), channel = 'webhook',
       evidence = '{"httpStatus": 204}' where state <> 'delivered'`,
  );
  await admin.db.query(`update webhook_endpoints set enabled = false, disabled_reason = 'asked_for'`);
}

/** Of what the payer is called, in one spelling. */
const WORDS = ['lüdenscheidt', 'ludenscheidt', 'luedenscheidt', 'görlitz', 'gorlitz', 'goerlitz', 'voliere'];

const TERMS = [address.name, address.street, address.city, email, reference];

/** What of a text names the payer, by the simplest of searches and by that of the ledger. */
async function named(text: string): Promise<readonly string[]> {
  const { rows } = await admin.db.query<{ named: boolean }>('select names_any($1, $2) as named', [text, TERMS]);
  return [
    ...WORDS.filter((word) => text.toLowerCase().normalize('NFC').includes(word)),
    ...SPELLINGS.filter((each) => text.includes(each)),
    ...(rows[0]?.named === true ? ['by name'] : []),
  ];
}

/** Those with a row that names the payer in any column. */
async function tablesThatName(): Promise<readonly string[]> {
  const { rows: tables } = await admin.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found = tables.map(async ({ name }) => {
    const { rows } = await admin.db.query(
      `select from ${name} t
       where names_any(t::text, $1) or exists (
         select from unnest($2::text[]) as word where position(word in normalize(lower(t::text), nfc)) > 0
       ) or exists (select from unnest($3::text[]) as spelling where position(spelling in t::text) > 0)
       limit 1`,
      [TERMS, WORDS, SPELLINGS],
    );
    return rows.length > 0 ? [name] : [];
  });
  return (await Promise.all(found)).flat().toSorted();
}

test('a payer is erased from all texts, however the name is spelled', async () => {
  await writeEverywhere();
  await end();
  await chainAuditLog(admin.db);
  expect(await tablesThatName()).toEqual(
    expect.arrayContaining(['attention_items', 'events', 'holds', 'jobs', 'notices', 'payers', 'subscriptions']),
  );
  const answer = await admin.call('POST', `/v1/payers/${reference}/erase`, { body: { reason: 'asked for by letter' } });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  expect(await tablesThatName()).toEqual([]);
  await chainAuditLog(admin.db);
  expect((await verifyAuditLog(admin.db, null, () => undefined)).faults).toBe(0);
});

test.each(['viewer', 'operator', 'admin'] as const)(
  'a payer who was erased is in no list and no export for a %s',
  async (role) => {
    const lists = ['subscriptions', 'payments', 'transactions', 'notices', 'attention', 'audit?limit=200', 'events'];
    const of = ['', '/cycles', '/schedule', '/events'].map((what) => `subscriptions/${ID}${what}`);
    const more = role === 'admin' ? ['keys', 'webhook-endpoints', 'approvals'] : [];
    for (const path of [...lists, ...of, ...more]) {
      const { statusCode, body } = await admin.call('GET', `/v1/${path}`, { role });
      expect([path, statusCode, await named(body)]).toEqual([path, 200, []]);
    }
    const csv = await admin.call('GET', '/v1/transactions', { role, headers: { accept: 'text/csv' } });
    expect([csv.statusCode, await named(csv.body)]).toEqual([200, []]);
  },
);

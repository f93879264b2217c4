import { chainAuditLog, verifyAuditLog } from '../../src/ledger';
import { SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { allTables } from './payer-traces';
import { endEverything, SPELLED_ID, writeEverywhere } from './spelled-traces';

const { address, email, reference } = SPELLED_PAYER;

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

/** Parts of the payer's names, in one spelling each. */
const WORDS = ['lüdenscheidt', 'ludenscheidt', 'luedenscheidt', 'görlitz', 'gorlitz', 'goerlitz', 'voliere'];

const TERMS = [address.name, address.street, address.city, email, reference];

/** The words and terms of the payer that a text contains, by a plain search and by the search of the ledger. */
async function named(text: string): Promise<readonly string[]> {
  const { rows } = await admin.db.query<{ named: boolean }>('select names_any($1, $2) as named', [text, TERMS]);
  return [
    ...WORDS.filter((word) => text.toLowerCase().normalize('NFC').includes(word)),
    ...SPELLINGS.filter((each) => text.includes(each)),
    ...(rows[0]?.named === true ? ['by name'] : []),
  ];
}

/** The tables that have a row which names the payer in any column. */
async function tablesThatName(): Promise<readonly string[]> {
  const found = (await allTables(admin.db)).map(async (name) => {
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
  await writeEverywhere(admin);
  await endEverything(admin);
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
    const of = ['', '/cycles', '/schedule', '/events'].map((what) => `subscriptions/${SPELLED_ID}${what}`);
    const more = role === 'admin' ? ['keys', 'webhook-endpoints', 'approvals'] : [];
    for (const path of [...lists, ...of, ...more]) {
      const { statusCode, body } = await admin.call('GET', `/v1/${path}`, { role });
      expect([path, statusCode, await named(body)]).toEqual([path, 200, []]);
    }
    const csv = await admin.call('GET', '/v1/transactions', { role, headers: { accept: 'text/csv' } });
    expect([csv.statusCode, await named(csv.body)]).toEqual([200, []]);
  },
);

import { randomUUID } from 'node:crypto';
import { HOUR } from '../../src/domain/time';
import {
  beginIdempotent,
  erasePayer,
  finishIdempotent,
  getCycle,
  getSubscription,
  listSubscriptions,
  readDraft,
  insertDraft,
} from '../../src/ledger';
import { draft, NOW, REAL_NOW, sendOf, settle, started, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();

const PERSONAL = {
  payer: { email: 'erase.me@example.org', reference: 'ref-erase' },
  billingAddress: { name: 'Erika Muster', street: 'Heimweg 5', postalCode: '80331', city: 'München', country: 'DE' },
  shippingAddress: { name: 'Erik Muster', street: 'Lieferweg 6', postalCode: '80332', city: 'München', country: 'DE' },
};

/** Everything in the database, as text. */
async function wholeDatabase(): Promise<string> {
  const tables = await ledger.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = [];
  for (const { name } of tables.rows) {
    const { rows } = await ledger.pool.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

test('erasing leaves no personal data in any table, and every row about money', async () => {
  const given = await subscribe(ledger.pool, PERSONAL);
  const { subscriptionId } = given;
  await settle(ledger.pool, await started(ledger.pool, sendOf(given)), 'successful');
  const run = { apiKeyId: 'key', key: 'create-1', runId: randomUUID(), startedRealAt: REAL_NOW };
  await beginIdempotent(ledger.pool, {
    ...run,
    methodPath: 'POST /v1/subscriptions',
    bodyHash: Buffer.from('x'),
    diedBeforeReal: 0,
  });
  const body = { subscriptionId, payer: PERSONAL.payer, status: 'pending_consent' };
  await finishIdempotent(ledger.pool, run, { status: 201, body, headers: {} });
  const [before, cycle] = [
    await getSubscription(ledger.pool, subscriptionId),
    await getCycle(ledger.pool, subscriptionId, 0),
  ];
  expect(await wholeDatabase()).toMatch(/erase\.me/);

  expect(await erasePayer(ledger.pool, given.payerId, NOW)).toBe(true);

  expect(await wholeDatabase()).not.toMatch(/erase\.me|ref-erase|Muster|Heimweg|Lieferweg|\b8033[12]\b/);
  expect(await getCycle(ledger.pool, subscriptionId, 0)).toEqual(cycle);
  expect(await getSubscription(ledger.pool, subscriptionId)).toEqual({
    ...before,
    payer: { payerId: given.payerId, name: null, email: null, reference: null },
  });
});

test('another payer is left alone', async () => {
  const [gone, stays] = [await subscribe(ledger.pool, PERSONAL), await subscribe(ledger.pool)];
  await erasePayer(ledger.pool, gone.payerId, NOW);
  expect((await getSubscription(ledger.pool, stays.subscriptionId))?.payer.name).toBe('Ada Example');
});

test('an erased payer is not found by what was erased', async () => {
  const given = await subscribe(ledger.pool, PERSONAL);
  await erasePayer(ledger.pool, given.payerId, NOW);
  expect((await listSubscriptions(ledger.pool, { q: 'ref-erase' }, { limit: 5, cursor: null })).items).toEqual([]);
});

test('erasing again keeps the first instant', async () => {
  const { payerId } = await subscribe(ledger.pool, PERSONAL);
  await erasePayer(ledger.pool, payerId, NOW);
  expect(await erasePayer(ledger.pool, payerId, NOW + HOUR)).toBe(true);
  const { rows } = await ledger.pool.query('select erased_at from payers where payer_id = $1', [payerId]);
  expect(rows).toEqual([{ erased_at: NOW }]);
});

test('says so where there is no such payer', async () => {
  expect(await erasePayer(ledger.pool, randomUUID(), NOW)).toBe(false);
});

test('a draft whose payer is erased asks for no consent any more', async () => {
  const wanted = draft(PERSONAL);
  const inserted = await insertDraft(ledger.pool, wanted, REAL_NOW);
  await erasePayer(ledger.pool, inserted.kind === 'inserted' ? inserted.payerId : '', NOW);
  expect(await readDraft(ledger.pool, wanted.subscriptionId)).toBeNull();
});

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import {
  answerDraft,
  blankPayers,
  insertDraft,
  insertPaymentDraft,
  listPayments,
  listSubscriptions,
  openConsent,
  takeDraftOutcome,
  type SubscriptionFilter,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { askConsent, draft, NOW, REAL_NOW, useLedger, waitForLock } from './ledger-fixture';
import { askedPayment, paymentDraft } from './payment-fixture';

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const FIRST = { limit: 200, cursor: null };
const ADDRESS = { street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

async function search(filter: SubscriptionFilter): Promise<string[]> {
  return (await listSubscriptions(ledger.pool, filter, FIRST)).items.map(({ subscriptionId }) => subscriptionId);
}

async function wordsHeld(): Promise<string> {
  const { rows } = await ledger.pool.query<{ words: string }>(
    'select words::text from subscription_words union all select words::text from payment_words',
  );
  return rows.map(({ words }) => words).join(' ');
}

function someone(name: string, email: string | null, reference: string | null) {
  return { billingAddress: { ...ADDRESS, name }, payer: { email, reference } };
}

describe('listSubscriptions', () => {
  const subscriptionId = 'shop-7_Gold' as SubscriptionId;
  beforeEach(async () => {
    await askConsent(ledger.pool, {
      subscriptionId,
      ...someone('Änne Müller-Özdemir', 'anne.m@Example.org', 'Kunde 42/B'),
    });
    await askConsent(ledger.pool, { subscriptionId: 'other' as SubscriptionId, ...someone('Bo Weiß', null, null) });
  });

  test.each([
    ['the beginning of the id', 'SHOP-7_g'],
    ['a word of the id', 'gold'],
    ['the beginning of the payment id', 'pay-shop'],
    ['a word of the payment id, and what follows it', 'shop-7'],
    ['a name, in any case', 'ÄNNE'],
    ['an umlaut made of two characters', 'Mu\u0308ller'],
    ['the second part of a name', 'özd'],
    ['both parts of a name', 'müller-ö'],
    ['words in any order', 'özdemir änne'],
    ['an e-mail', 'anne.m@example.org'],
    ['the domain of an e-mail', 'example.org'],
    ['a word with a sign before it', '@example'],
    ['a reference', 'kunde 42/b'],
    ['words of several fields', 'gold 42 änne'],
    ['words with signs beside them', `änne % ' & | ! :* \\ ()`],
  ])('a search finds a subscription by %s', async (_name, q) => {
    expect(await search({ q })).toEqual([subscriptionId]);
  });

  test.each([
    ['the middle of a word', 'nne'],
    ['an umlaut left out', 'Anne Muller'],
    ['words of which one belongs to another', 'änne weiß'],
    ['nothing but signs', `% _ ' \\ :* & | ! <-> ()`],
    ['a blank', ' \u00a0 '],
    ['NUL', '\0'],
    ['a query in the syntax of the index', `'gold' | 'bo'`],
    ['a wildcard', 'go*'],
    ['a pattern', 'g_ld'],
  ])('a search finds nothing by %s', async (_name, q) => {
    expect(await search({ q })).toEqual([]);
  });

  test('a search with a filter finds only subscriptions that match the filter', async () => {
    expect(await search({ q: 'gold', status: 'pending_consent' })).toEqual([subscriptionId]);
    expect(await search({ q: 'gold', status: 'active' })).toEqual([]);
  });
});

test('any text is found by the beginning of each of its words', async () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from('abzAZ09äÖßéñ山ж')), minLength: 1, maxLength: 8 });
  const sign = fc.constantFrom(...Array.from(`'"\\%_&|!:*()<>-.@/+,;~#$–…`));
  const chunk = fc.array(fc.tuple(sign, word), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      async (chunks, ...at) => {
        const text = chunks.map((parts) => parts.map(([signed, said]) => signed + said).join('')).join(' ');
        const parts = chunks[at[0] % chunks.length]!;
        const from = at[1] % parts.length;
        const rest = parts
          .slice(from)
          .map(([signed, said]) => signed + said)
          .join('')
          .slice(1);
        const q = rest.slice(0, 1 + (at[2] % rest.length));
        // The upper case of ß has two characters.
        const loud = q.includes('ß') ? q : q.toUpperCase();
        const { rows } = await ledger.pool.query('select words_of($1) @@ to_prefix_query($2) as hit', [text, loud]);
        expect(rows).toEqual([{ hit: true }]);
      },
    ),
    { numRuns: 200 },
  );
});

test("any text can be searched for, and can be a payer's name", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
      await listSubscriptions(ledger.pool, { q: text }, FIRST);
      await ledger.pool.query('select words_of($1)', [text.replaceAll('\0', '')]);
    }),
    { numRuns: 200 },
  );
});

const COUNT = 1_300;
/** Rare names are those of the five oldest subscriptions; common names are those of all others except every third. */
const nameOf = (n: number) => (n < 5 ? `Rare-${n}` : n % 3 === 0 ? `Other-${n}` : `Common-${n}`);

async function fill(): Promise<void> {
  await ledger.pool.query(
    `insert into payers (payer_id, name)
       select lpad(to_hex(n), 32, '0')::uuid, names[n + 1] from generate_series(0, $1::int - 1) n, (select $2::text[] as names) x`,
    [COUNT, Array.from({ length: COUNT }, (_, n) => nameOf(n))],
  );
  await ledger.pool.query(
    `insert into subscriptions (
         subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
         on_exhausted, status, created_at, drafted_real_at, retry_policy, spread
       )
       select 'n-' || lpad(n::text, 5, '0'), lpad(to_hex(n), 32, '0')::uuid, 'p' || n, 'w', 'MONTHLY', 1, 1, now(), now(), 'continue',
         case when n % 2 = 0 then 'active' else 'paused' end, $2::timestamptz + n / 10 * interval '1 minute', now(),
         '{}', 0
       from generate_series(0, $1::int - 1) n`,
    [COUNT, new Date(NOW - COUNT * MINUTE).toISOString()],
  );
}

async function everyPage(filter: SubscriptionFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listSubscriptions(ledger.pool, filter, { limit, cursor });
    ids.push(...page.items.map(({ subscriptionId }) => subscriptionId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

const numbers = Array.from({ length: COUNT }, (_, n) => n).reverse();
const idsWhere = (is: (n: number) => boolean) => numbers.filter(is).map((n) => `n-${String(n).padStart(5, '0')}`);

test('a search finds more than a thousand results, and rare ones, in pages in the sequence of the list, each once', async () => {
  await fill();
  const named = (name: string) => (n: number) => nameOf(n).startsWith(name);
  expect(await everyPage({ q: 'n-' }, 200)).toEqual(idsWhere(() => true));
  expect(await everyPage({ q: 'common' }, 150)).toEqual(idsWhere(named('Common')));
  expect(await everyPage({ q: 'rare' }, 2)).toEqual(idsWhere(named('Rare')));
  expect(await everyPage({ q: 'rare', status: 'paused' }, 1)).toEqual(idsWhere((n) => n < 5 && n % 2 === 1));
  expect(await everyPage({ q: 'other-1', status: 'active' }, 7)).toEqual(
    idsWhere((n) => named('Other-1')(n) && n % 2 === 0),
  );
  expect(await everyPage({ q: 'nobody' }, 5)).toEqual([]);
});

test('search words of a payer are removed with the payer, but ids stay', async () => {
  const { payerId, subscriptionId } = await askConsent(ledger.pool, someone('Erika Muster', 'e@example.org', 'ref-9'));
  expect(await search({ q: 'erika' })).toEqual([subscriptionId]);
  await blankPayers(ledger.pool, [payerId], NOW);
  expect(await wordsHeld()).not.toMatch(/erika|muster|example|ref/);
  expect(await search({ q: subscriptionId })).toEqual([subscriptionId]);
});

test('search words of a payer do not return if a consent is opened while the payer is erased', async () => {
  const wanted = draft(someone('Erika Muster', null, null));
  const inserted = await insertDraft(ledger.pool, wanted, REAL_NOW);
  if (inserted.kind !== 'inserted') throw new Error(inserted.kind);
  const { subscriptionId } = wanted;
  const erasing = await ledger.pool.connect();
  await erasing.query('begin');
  await erasing.query(
    'update payers set name = null, email = null, reference = null, billing_address = null, erased_at = now() where payer_id = $1',
    [inserted.payerId],
  );
  const opening = openConsent(ledger.pool, {
    subscriptionId,
    paymentId: 'pay-1' as PaymentId,
    redirectURL: 'https://bank.example',
    draftedRealAt: wanted.draftedRealAt,
    requestedRealAt: REAL_NOW,
    at: NOW,
  });
  await waitForLock(ledger.pool);
  await erasing.query('commit');
  erasing.release();
  expect(await opening).toEqual({ other: null });
  expect(await wordsHeld()).not.toMatch(/erika/);
  expect(await search({ q: 'pay-1' })).toEqual([subscriptionId]);
});

test('search words are removed with a discarded draft', async () => {
  const wanted = draft(someone('Erika Muster', null, null));
  await insertDraft(ledger.pool, wanted, REAL_NOW);
  expect(await wordsHeld()).toMatch(/erika/);
  const { subscriptionId: key, draftedRealAt } = wanted;
  const drafted = { table: 'subscriptions', key, draftedRealAt } as const;
  await answerDraft(ledger.pool, drafted, { kind: 'unavailable', reason: 'down' });
  await takeDraftOutcome(ledger.pool, drafted);
  expect(await wordsHeld()).toBe('');
});

test('one-time payments are also found by search words: their ids, and the name of their payer until it is erased', async () => {
  const { paymentId } = await askedPayment(ledger.pool, { billingAddress: { ...ADDRESS, name: 'Jörg Käufer' } });
  await askedPayment(ledger.pool);
  await insertPaymentDraft(ledger.pool, paymentDraft({ requestId: `pay_${randomUUID()}` }), REAL_NOW);
  const ids = async (q: string, plan?: 'SINGLE') =>
    (await listPayments(ledger.pool, { q, plan }, FIRST)).items.map((each) => each.paymentId);
  expect(await ids('käuf')).toEqual([paymentId]);
  expect(await ids(paymentId.slice(0, 20))).toEqual([paymentId]);
  expect(await ids('käuf', 'SINGLE')).toEqual([]);
  expect(await ids('ada')).toHaveLength(1);
  const { rows } = await ledger.pool.query<{ payer_id: string }>(
    'select payer_id from payments where payment_id = $1',
    [paymentId],
  );
  await blankPayers(ledger.pool, [rows[0]!.payer_id], NOW);
  expect(await ids('käuf')).toEqual([]);
  expect(await wordsHeld()).not.toMatch(/jörg|käufer/);
});

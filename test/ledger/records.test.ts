import type { Money } from '../../src/domain/money';
import { type Db, readRecord, readRecords } from '../../src/ledger/sql/statements';

/** A ledger that answers these rows to every query. */
function answering(...rows: Record<string, unknown>[]): Db {
  return { query: async () => ({ rows }) } as unknown as Db;
}

const record = async (row: Record<string, unknown>) => readRecords(answering(row), 'select');

test('the row reader names fields after their columns', async () => {
  const row = { key_id: 'k', last_used_real_at: 3, return_url: 'https://shop.example', day: 1 };
  expect(await record(row)).toEqual([{ keyId: 'k', lastUsedRealAt: 3, returnURL: 'https://shop.example', day: 1 }]);
});

test('the row reader gathers columns that name a group', async () => {
  const row = { status: 'active', 'consent.redirect_url': null, 'consent.checked_at': 5, 'payer.name': null };
  expect(await record(row)).toEqual([
    { status: 'active', consent: { redirectURL: null, checkedAt: 5 }, payer: { name: null } },
  ]);
});

test('the row reader wraps money, and nothing else', async () => {
  const row = { amount: 1999, consent_amount: 1, 'asked.amount': 2, ledger_amount: null, amounts: 3 };
  expect(await record(row)).toEqual([
    {
      amount: { value: 1999, currency: 'EUR' },
      consentAmount: { value: 1, currency: 'EUR' },
      asked: { amount: { value: 2, currency: 'EUR' } },
      ledgerAmount: null,
      amounts: 3,
    },
  ]);
});

test.each(['1999', 19.99, Number.MAX_SAFE_INTEGER + 1])('the row reader refuses %p as cents', async (amount) => {
  await expect(record({ amount })).rejects.toThrow('the column amount holds');
});

test('the row reader leaves what a column of JSON holds as it is', async () => {
  const pending_change = { new_name: { amount: 3 } };
  expect(await record({ pending_change })).toEqual([{ pendingChange: pending_change }]);
});

test('the row reader returns the first record, or null if there is none', async () => {
  expect(await readRecord<{ n: number }>(answering({ n: 1 }, { n: 2 }), 'select')).toEqual({ n: 1 });
  expect(await readRecord(answering(), 'select')).toBeNull();
});

test('reading rows into a record type that declares money as a number, or under another name, does not compile', () => {
  // @ts-expect-error an amount is read as Money
  void readRecords<{ amount: number }>(answering(), 'select');
  // @ts-expect-error the reader would leave it a number
  void readRecords<{ fee: Money | null }>(answering(), 'select');
  void readRecords<{ amount: Money; feeAmount: Money | null; paymentId: string }>(answering(), 'select');
});

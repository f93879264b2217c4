import { getSubscription } from '../../src/ledger';
import { importFile, type LineAnswer, openImport } from '../support/import-call';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { mandate, ndjson } from './mandate';

let admin: AdminUnderTest;
let url: string;

beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => admin.stop());

const HEADER = [
  'subscriptionId,paymentId,amount.value,amount.currency,repetition,startAt,firstPaymentAt,endAt',
  'billingAddress.name,billingAddress.street,billingAddress.postalCode,billingAddress.city,billingAddress.country',
  'payer.reference,metadata.shop.order',
].join(',');

/** One valid record. */
const recordOf = (id: string, changes: Readonly<Record<string, string>> = {}) => {
  const cells: Record<string, string> = {
    subscriptionId: id,
    paymentId: `pay_${id}`,
    'amount.value': '1999',
    'amount.currency': 'EUR',
    repetition: 'MONTHLY',
    startAt: '2026-07-31T12:00:00Z',
    firstPaymentAt: '2026-07-31T12:00:00Z',
    endAt: '',
    'billingAddress.name': 'Ada Byron',
    'billingAddress.street': '"Ring 1, ""Hof"""',
    'billingAddress.postalCode': '10115',
    'billingAddress.city': 'Berlin',
    'billingAddress.country': 'DE',
    'payer.reference': `00${id}`,
    'metadata.shop.order': id,
    ...changes,
  };
  return HEADER.split(',')
    .map((name) => cells[name])
    .join(',');
};

const send = (text: string | Buffer, type = 'text/csv', piece = Infinity) =>
  importFile(url, admin.keys.admin, text, { 'content-type': type }, piece);
const faultsOf = (answer: LineAnswer | undefined) =>
  answer?.problem?.errors?.map(({ path, message }) => `${path}: ${message}`);

test('a CSV record becomes an import line with the same fields: dots in column names mean nested fields, and empty cells are omitted', async () => {
  const answers = await send(`${HEADER}\r\n${recordOf('a')}\r\n${recordOf('b')}\r\n`, 'Text/CSV; charset=utf-8');
  expect(answers).toEqual([
    { line: 2, subscriptionId: 'a' },
    { line: 3, subscriptionId: 'b' },
  ]);
  expect(await getSubscription(admin.db, 'a' as never)).toMatchObject({
    paymentId: 'pay_a',
    amount: { value: 1999, currency: 'EUR' },
    endAt: null,
    metadata: { 'shop.order': 'a' },
    payer: { name: 'Ada Byron', reference: '00a' },
  });
  const { rows } = await admin.db.query<{ street: string }>(
    `select billing_address ->> 'street' as street from payers join subscriptions using (payer_id) where subscription_id = 'a'`,
  );
  expect(rows).toEqual([{ street: 'Ring 1, "Hof"' }]);
});

test('a CSV record imports the same mandate as the NDJSON line with the same fields', async () => {
  await send(`${HEADER}\n${recordOf('same')}\n`);
  const line = mandate({ subscriptionId: 'same', paymentId: 'pay_same' });
  expect(await importFile(url, admin.keys.admin, ndjson(line))).toEqual([
    { line: 1, subscriptionId: 'same', duplicate: true },
  ]);
});

test('a quoted line feed belongs to its cell, and later records are numbered by their first line', async () => {
  const records = [recordOf('c', { 'billingAddress.street': '"Ring 1\nHof"' }), recordOf('d')];
  const answers = await send(`${HEADER}\n${records.join('\n')}`);
  expect(answers.map(({ line }) => line)).toEqual([2, 4]);
  expect(faultsOf(answers[0])?.[0]).toContain('billingAddress.street');
  expect(answers[1]?.subscriptionId).toBe('d');
});

test('a CSV file has the same records however it is chunked', async () => {
  const text = `\ufeff${HEADER}\r\n${recordOf('e')}\r\n${recordOf('f')}`;
  expect((await send(text, 'text/csv', 1)).map(({ subscriptionId }) => subscriptionId)).toEqual(['e', 'f']);
});

test('an invalid record is answered with its field and value shape, and does not affect others', async () => {
  const records = [
    recordOf('g', { 'amount.value': '19.99' }),
    `${recordOf('h')},more`,
    recordOf('i', { 'billingAddress.street': 'Ring "1"' }),
    recordOf('j'),
    recordOf('o', { 'billingAddress.street': 'O"Neil street' }),
    recordOf('p'),
    recordOf('q', { 'billingAddress.street': '"Ring 1" Hof' }),
    recordOf('r'),
  ];
  const answers = await send(`${HEADER}\n${records.join('\n')}\n`);
  expect(answers.map(({ subscriptionId }) => subscriptionId)).toEqual([
    ...[undefined, undefined, undefined, 'j'],
    ...[undefined, 'p', undefined, 'r'],
  ]);
  expect(faultsOf(answers[0])).toEqual([expect.stringMatching(/^amount.value: expected/)]);
  expect(faultsOf(answers[1])).toEqual([': expected 15 cells, as in the header; got 16']);
  for (const at of [2, 4, 6]) expect(faultsOf(answers[at])?.[0]).toContain('got a quote elsewhere');
});

test('an unknown column is a fault of each record', async () => {
  const [answer] = await send(`${HEADER},colour\n${recordOf('k')},red\n`);
  expect(faultsOf(answer)?.[0]).toMatch(/^colour: unknown field/);
});

test.each([
  ['names a column twice', 'paymentId,paymentId', 'got paymentId twice'],
  ['leaves a column without a name', 'paymentId,,amount', 'got none for column 2'],
  ['names a field and its own fields', 'amount,amount.value', 'expected amount as one column or as its fields'],
  ['names __proto__', '__proto__.a', 'a column must not be named __proto__'],
  ['has a quote that is not closed', 'paymentId,"amount', 'an unclosed one'],
  [
    'has too many columns',
    Array.from({ length: 1_001 }, (_, at) => `c${at}`).join(','),
    'at most 1000 columns; got 1001',
  ],
])('a header that %s is rejected, and nothing after it is imported', async (_name, header, message) => {
  const answers = await send(`${header}\n${recordOf('never')}\n${recordOf('never')}\n`);
  expect(answers).toHaveLength(1);
  expect(faultsOf(answers[0])?.[0]).toContain(message);
});

test.each(['constructor.prototype.stained', 'payer.constructor.prototype.stained', 'toString.stained'])(
  'a column %s changes no object of the process',
  async (column) => {
    const [answer] = await send(`${HEADER},${column}\n${recordOf('stain')},1\n`);
    const [top = ''] = column.split('.').filter((part) => part !== 'payer');
    expect(faultsOf(answer)).toEqual([expect.stringContaining(`${top}: unknown field`)]);
    expect('stained' in {}).toBe(false);
    expect('stained' in (Reflect.get(Object.prototype, 'toString') as object)).toBe(false);
  },
);

test('a CSV record with empty cells for the payer is a mandate without details of its payer', async () => {
  expect(await send(`${HEADER}\n${recordOf('unnamed', { 'payer.reference': '' })}\n`)).toEqual([
    { line: 2, subscriptionId: 'unnamed' },
  ]);
});

test.each([
  ['text that PostgreSQL cannot store', '{"a":"\\ud800"}', 'metadata.a: expected text without'],
  ['a field named __proto__', '{"__proto__":"a"}', 'metadata: a field must not be named __proto__'],
  ['a field twice', '{"a":"1","a":"2"}', 'metadata.a: duplicate field'],
  ['text that is not JSON', '{"a"', 'metadata: expected JSON'],
])('a JSON cell with %s is refused, naming its column', async (_what, cell, message) => {
  const header = HEADER.replace('metadata.shop.order', 'metadata');
  const record = recordOf('json', { 'metadata.shop.order': `"${cell.replaceAll('"', '""')}"` });
  expect(faultsOf((await send(`${header}\n${record}\n`))[0])).toEqual([expect.stringContaining(message)]);
});

test('a CSV file without records gets no answers', async () => {
  expect(await send('')).toEqual([]);
  expect(await send(`${HEADER}\n`)).toEqual([]);
});

test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
  'a file of type %s is refused with 415, and nothing of it is imported',
  async (type) => {
    const call = openImport(url, admin.keys.admin, { 'content-type': type });
    call.write(ndjson(mandate({ subscriptionId: 'other-type' })));
    call.end();
    expect((await call.response).statusCode).toBe(415);
    const [problem] = (await call.rest()) as unknown[];
    expect(problem).toMatchObject({
      code: 'unsupported_media_type',
      detail: `Content-Type: expected application/x-ndjson or text/csv; got ${type}.`,
    });
    expect(await getSubscription(admin.db, 'other-type' as never)).toBeNull();
  },
);

import { EXAMPLES } from '../../src/admin/examples';
import { csvLine } from '../../src/domain/csv';
import { TRANSACTION_COLUMNS } from '../../src/admin/reports/transaction-schema';
import { describeAdminApi } from '../client/description';
import { createValidator } from '../support/validator';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { callsIn, type Described, type OpenApiDocument, type Operation } from './openapi-document';

/** The OpenAPI description has examples of the requests and responses of every operation. */

let description: OpenApiDocument;
let calls: readonly Operation[];
let operations: readonly Operation[];

beforeAll(async () => {
  description = (await describeAdminApi()) as OpenApiDocument;
  calls = callsIn(description.paths);
  operations = [...calls, ...callsIn(description.webhooks)];
});

/** All request bodies and successful responses of an operation, by location. */
function contentsOf({ operationId, requestBody, responses }: Operation): readonly (readonly [string, Described])[] {
  const places = [
    ['request', requestBody?.content ?? {}] as const,
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      /^20\d$/.test(status) ? [[status, content] as const] : [],
    ),
  ];
  return places.flatMap(([place, content]) =>
    Object.entries(content).map(([type, each]) => [`${operationId} ${place} ${type}`, each] as const),
  );
}

test('every operation has a unique name and a summary', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary = '' }) => summary === '').map(({ operationId }) => operationId)).toEqual([]);
});

test('every operation has a successful response', () => {
  const answers = (operation: Operation) => contentsOf(operation).some(([place]) => /^\S+ 20\d /.test(place));
  expect(calls.filter((operation) => !answers(operation)).map(({ operationId }) => operationId)).toEqual([]);
});

test('every request body and every response has an example', () => {
  const contents = operations.flatMap(contentsOf);
  expect(contents.length).toBeGreaterThan(130);
  expect(contents.filter(([, { example }]) => example === undefined).map(([place]) => place)).toEqual([]);
});

test('every example belongs to an existing body or response', () => {
  const shown = calls.flatMap((operation) => contentsOf(operation).map(([, { example }]) => example)).length;
  expect(Object.values(EXAMPLES).flatMap(Object.values)).toHaveLength(shown);
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(calls.map(({ operationId }) => operationId).toSorted());
});

test('every example matches its schema', () => {
  const wrongBy = createValidator(description.components.schemas);
  for (const [place, { schema, example }] of operations.flatMap(contentsOf)) {
    expect([place, wrongBy(schema, example)]).toEqual([place, null]);
  }
});

test('the CSV example has the actual columns', () => {
  const [header, line = ''] = (EXAMPLES['listTransactions']?.['text/csv'] as string).split('\r\n');
  expect(`${header}\r\n`).toBe(csvLine(TRANSACTION_COLUMNS));
  // Splitting at commas works because the metadata cell has only one pair, so that it contains no comma.
  expect(line.split(',')).toHaveLength(TRANSACTION_COLUMNS.length);
});

test('every pattern is portable, and texts can be generated from it', () => {
  const patterns = patternsIn(description);
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\[pP]\{|\(\?<|\\u\{|\\k/.test(pattern))).toEqual([]);
  // A pattern must be valid with and without the flag u, because some readers use it and others do not.
  for (const pattern of patterns) for (const flags of ['', 'u']) new RegExp(pattern, flags);
});

/** All patterns of the document, each once. */
function patternsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'pattern' in node && typeof node.pattern === 'string' ? [node.pattern] : [];
  return [...new Set([...own, ...Object.values(node).flatMap(patternsIn)])];
}

describe('the OpenAPI description', () => {
  let admin: AdminUnderTest;
  beforeAll(async () => {
    admin = await startAdmin();
    // The day before the story of the examples begins.
    admin.clock.business = Date.UTC(2027, 0, 30, 12);
  });
  afterAll(() => admin.stop());

  const IDS: Readonly<Record<string, string>> = {
    subscriptions: 'coffee-7',
    payments: 'pay_1b2f9a44-20c7-4f0e-8a35-9d1e6a7b3c52',
    notices: 'msg_0123456789abcdef0123456789abcdef',
    events: 'evt_0123456789abcdef0123456789abcdef',
    keys: '8b1f6c2a-3d4e-4f50-9a6b-7c8d9e0f1a2b',
    'webhook-endpoints': 'whe_7c3d5e9f1a2b4c6d8e0f123456789abc',
  };

  test('the example of a request body is never rejected as invalid', async () => {
    for (const [path, methods] of Object.entries(description.paths)) {
      const [, , subject = ''] = path.split('/');
      const url = path
        .replace('{id}', IDS[subject] ?? '')
        .replace('{n}', '1')
        .replace('{item}', 'att_5e8d2c1b0a9f7e6d5c4b3a29')
        .replace('{reference}', 'customer-7');
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        const [sent] = Object.entries(requestBody?.content ?? {});
        if (sent === undefined) continue;
        const answer = await admin.call(method.toUpperCase() as 'POST', url, {
          body: sent[1].example,
          headers: { 'content-type': sent[0] },
          idempotencyKey: operationId,
        });
        expect([operationId, answer.body]).toEqual([operationId, expect.not.stringContaining('invalid_request')]);
        expect([operationId, [400, 415, 422, 500].includes(answer.statusCode)]).toEqual([operationId, false]);
      }
    }
  });
});

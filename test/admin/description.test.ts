import { describeAdminApi } from '../client/description';
import { type Call, callsIn, type OpenApiDocument, type Schema } from './openapi-document';

/** Clients are generated from `/openapi.json`. If a rule below is broken, a generator fails or makes a bad client. */

let description: OpenApiDocument;
let calls: readonly Call[];
let webhooks: readonly Call[];

beforeAll(async () => {
  description = (await describeAdminApi()) as OpenApiDocument;
  calls = callsIn(description.paths);
  webhooks = callsIn(description.webhooks);
});

const idsOf = (operations: readonly Call[]) => operations.map(({ operationId }) => operationId).toSorted();

/** The calls that take a header; only those that require it if `required`. */
function taking(header: string, required = false): readonly string[] {
  return idsOf(
    calls.filter(({ parameters = [] }) =>
      parameters.some((each) => each.in === 'header' && each.name === header && (!required || each.required === true)),
    ),
  );
}

/** The calls and the statuses of their answers that have a header. */
function answering(header: string): readonly string[] {
  return calls
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { headers = {} }]) =>
        header in headers ? [`${operationId} ${status}`] : [],
      ),
    )
    .toSorted();
}

/** Every schema within a node of the document, inner ones too. */
function schemasIn(node: unknown): readonly Schema[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(schemasIn)];
}

const SENTENCE = /^[A-Z][^\n]*\w[^\n]*\.$/;

test('the description of the API names the server by a path, a contact and a licence', () => {
  expect(description.servers).toEqual([{ url: '/' }]);
  expect(description.info.contact).toHaveProperty('name');
  expect(description.info.license).toEqual({ name: expect.any(String), identifier: expect.any(String) });
});

test('the description of the API describes every tag in a sentence, and has no unused tags', () => {
  const used = new Set([...calls, ...webhooks].flatMap(({ tags }) => tags));
  expect(description.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  expect(description.tags.filter((tag) => !SENTENCE.test(tag.description))).toEqual([]);
});

test('the description of the API has webhooks under a separate tag', () => {
  expect(new Set(webhooks.flatMap(({ tags }) => tags))).toEqual(new Set(['webhooks']));
  expect(calls.filter(({ tags }) => tags.includes('webhooks'))).toEqual([]);
});

test('the description of the API has operationIds that work as method names', () => {
  const ids = [...idsOf(calls), ...idsOf(webhooks)];
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
});

test('the description of the API describes every response in a sentence', () => {
  const answers = [...calls, ...webhooks].flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, answer]) => [operationId, status, answer.description] as const),
  );
  expect(answers.length).toBeGreaterThan(200);
  expect(answers.filter(([, , text]) => !SENTENCE.test(text))).toEqual([]);
});

test('the description of the API describes every named schema in a sentence', () => {
  const schemas = Object.entries(description.components.schemas);
  expect(schemas.filter(([, schema]) => !SENTENCE.test(schema.description ?? '')).map(([name]) => name)).toEqual([]);
});

test('the description of the API describes every request header', () => {
  const headers = calls.flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === 'header'));
  expect(headers.filter((each) => !SENTENCE.test(each.description ?? ''))).toEqual([]);
});

test('a named schema of the description is referenced by something', () => {
  const text = JSON.stringify(description);
  const names = Object.keys(description.components.schemas);
  expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
});

test('a named schema of the description has a name that no language confuses with another', () => {
  const names = Object.keys(description.components.schemas);
  const plain = (name: string) => name.replaceAll(/[\W_]/g, '').toLowerCase();
  // What generators add to the name of a schema: for constructors, builders, and types of requests and responses.
  const habits = (name: string) =>
    ['New', 'Nullable', 'Api', 'Model']
      .map((before) => `${before}${name}`)
      .concat(
        ['s', 'Input', 'Output', 'In', 'Out', 'Request', 'Response', 'Builder', 'Dto'].map(
          (after) => `${name}${after}`,
        ),
      )
      .map(plain);
  expect(new Set(names.map(plain)).size).toBe(names.length);
  const taken = new Set(names.flatMap(habits));
  expect(names.filter((name) => taken.has(plain(name)))).toEqual([]);
});

test('a named schema of the description has the same form in requests and responses', () => {
  expect(Object.keys(description.components.schemas).filter((name) => /(Input|Output|In|Out)$/.test(name))).toEqual([]);
});

const isInteger = ({ type }: Schema) => [type].flat().includes('integer');

test('an integer of the description says int64 if it can pass 2^31', () => {
  const integers = schemasIn(description).filter(isInteger);
  expect(integers.length).toBeGreaterThan(100);
  const large = integers.filter((schema) => !('enum' in schema) && (schema.maximum ?? Infinity) >= 2 ** 31);
  expect(large.filter(({ format }) => format !== 'int64')).toEqual([]);
  expect(description.components.schemas['Money']).toMatchObject({ properties: { value: { format: 'int64' } } });
});

test('an integer of the description is an integer even if it has only one value', () => {
  const enums = schemasIn(description).filter(
    (schema): schema is Schema & { enum: readonly unknown[] } => 'enum' in schema && Array.isArray(schema.enum),
  );
  const numbers = enums.filter((schema) => schema.enum.some((value) => typeof value === 'number'));
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.filter((schema) => schema.type !== 'integer')).toEqual([]);
});

test('no schema with fields has additionalProperties, which Java clients would turn into a map', () => {
  const objects = schemasIn(description).filter((schema) => 'properties' in schema && 'type' in schema);
  expect(objects.length).toBeGreaterThan(100);
  expect(objects.filter((schema) => 'additionalProperties' in schema)).toEqual([]);
});

test('a body of the description is not required if all its fields may be omitted', () => {
  const optional = calls.filter(({ requestBody }) => requestBody?.required === false);
  expect(idsOf(optional)).toEqual(
    [
      'cancelSubscription',
      'checkConsent',
      'checkPayment',
      'liftHalt',
      'liftHold',
      'pauseSubscription',
      'releasePayment',
      'resendNotice',
      'resumeSubscription',
      'revokeKey',
      'rotateKey',
      'rotateWebhookSecret',
      'skipCycle',
      'testWebhookEndpoint',
    ].toSorted(),
  );
});

test('a body of the description is never nullable', () => {
  const schemas = calls.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  );
  expect(schemas.filter(({ type, anyOf }) => anyOf !== undefined || [type].flat().includes('null'))).toEqual([]);
});

test('headers of the description require an Idempotency-Key for refunds and captures, and allow one for all other POSTs except a sign-in and an import', () => {
  expect(taking('Idempotency-Key', true)).toEqual(['capturePayment', 'refundCycle', 'refundPayment']);
  const posts = calls.filter(({ method }) => method === 'post');
  // Each sign-in opens a new session, and the response to an import, which may be of any length, is not stored.
  const others = idsOf(posts).filter((id) => !['openSession', 'importSubscriptions'].includes(id));
  expect(taking('Idempotency-Key')).toEqual(others);
});

test('headers of the description have Dueday-Approval if a second person may have to approve', () => {
  expect(taking('Dueday-Approval')).toEqual(idsOf(calls.filter((call) => call['x-approvable'] === true)));
  expect(taking('Dueday-Approval')).toContain('refundCycle');
});

test('headers of the description have X-CSRF-Token for every write that a session may make', () => {
  const writes = calls.filter((call) => call.method !== 'get' && call.operationId !== 'openSession');
  expect(taking('X-CSRF-Token')).toEqual(idsOf(writes));
});

test('headers of the description have Last-Event-ID for the stream', () => {
  expect(taking('Last-Event-ID')).toEqual(['streamEvents']);
});

test('headers of the description have Location in responses that name what was created or started', () => {
  expect(answering('Location')).toEqual([
    'createKey 201',
    'createPayment 201',
    'createPaymentLink 201',
    'createSubscription 201',
    'createWebhookEndpoint 201',
    'orderReconciliation 202',
    'replayEvents 202',
    'rotateKey 201',
    'runBulk 202',
  ]);
});

test('headers of the description have X-Request-Id in every response, and Retry-After in every error response', () => {
  const all = calls.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => [operationId, status] as const),
  );
  expect(answering('X-Request-Id')).toEqual(all.map(([id, status]) => `${id} ${status}`).toSorted());
  const refusing = all.filter(([, status]) => /^[45]/.test(status));
  expect(answering('Retry-After')).toEqual(refusing.map(([id, status]) => `${id} ${status}`).toSorted());
});

test('headers of the description have Idempotent-Replay in successful responses to calls that accept an Idempotency-Key', () => {
  const kept = calls.filter(({ operationId }) => taking('Idempotency-Key').includes(operationId));
  const statuses = kept.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => status.startsWith('2'))
      .map((status) => `${operationId} ${status}`),
  );
  expect(answering('Idempotent-Replay')).toEqual(statuses.toSorted());
});

test('headers of the description have an ETag in every JSON response to an authenticated GET, and 304 for a current one', () => {
  const reads = calls.filter((call) => call.method === 'get' && call['x-role'] !== undefined);
  expect(taking('If-None-Match')).toEqual(
    idsOf(reads).filter((id) => !['streamEvents', 'exportSubscriptions'].includes(id)),
  );
  const tagged = taking('If-None-Match').flatMap((id) => [`${id} 200`, `${id} 304`]);
  expect(answering('ETag')).toEqual(tagged.toSorted());
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createPool, type Pool } from '../../src/ledger';
import { PERSON } from '../activities/activity-world';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { makeDocuments, PICTURE_FILE, TRACE_FILE, type TraceDocuments } from './documents';
import type { ReceivedSpan } from './otlp-receiver';

/** The trace of one cycle, as a collector receives it over HTTP: refused, the payer notified, collected by the retry. */

let database: TestDatabase;
let ledger: Pool;
let made: TraceDocuments;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createPool({ databaseUrl: database.url });
  made = await makeDocuments(ledger);
});
afterAll(async () => {
  await ledger.end();
  await database.drop();
});

const named = (name: string) => made.spans.filter((span) => span.name === name);
const parentOf = ({ parentSpanId }: ReceivedSpan) => made.spans.find(({ spanId }) => spanId === parentSpanId);

/** The activity that a span is part of. */
function activityOf(span: ReceivedSpan): ReceivedSpan {
  const parent = parentOf(span);
  return parent === undefined ? span : activityOf(parent);
}

test('the docs have the trace and the picture that `npm run trace` generates', () => {
  expect(made.json).toBe(readFileSync(TRACE_FILE, 'utf8'));
  expect(made.picture).toBe(readFileSync(PICTURE_FILE, 'utf8'));
});

test('attempt, notice and retry are one trace, whose id follows from subscription and cycle', () => {
  const digest = createHash('sha256').update('subscription/gym-membership/0').digest('hex');
  const [inTrace, others] = [true, false].map((isIn) =>
    made.spans.filter(({ traceId }) => (traceId === digest.slice(0, 32)) === isIn),
  );
  const runs = inTrace!.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(
    runs.map(({ name, attributes }) => [name, attributes['dueday.result'] ?? attributes['dueday.outcome']]),
  ).toEqual([
    ['RunActivity:collectPayment', 'rejected'],
    ['deliver notice', 'delivered'],
    ['RunActivity:collectPayment', 'pending'],
    ['RunActivity:collectPayment', 'pending'],
    ['RunActivity:collectPayment', 'collected'],
  ]);
  expect(runs.map(({ attributes }) => attributes['dueday.run_of_activity'])).toEqual([1, undefined, 1, 2, 3]);
  expect(others).toEqual([]);
});

test('a span has its subscription, its cycle, its attempt, and the process that exported it', () => {
  const about = { 'dueday.subscription_id': 'gym-membership', 'dueday.cycle': 0 };
  const [first] = named('RunActivity:collectPayment');
  expect(first?.attributes).toMatchObject({ ...about, 'dueday.attempt': 0 });
  expect(first?.resource).toMatchObject({
    'service.name': 'dueday',
    'service.version': '0.0.0',
    'service.instance.id': 'the test',
    'dueday.role': 'worker',
  });
});

test('each call to the service is a span, with its operation, its status, and no path', () => {
  const posts = named('initiate');
  expect(posts.map(({ attributes }) => attributes)).toEqual(
    posts.map(() => ({
      'http.request.method': 'POST',
      'server.address': expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      'http.response.status_code': expect.any(Number),
    })),
  );
  expect(posts.map((post) => activityOf(post).attributes['dueday.attempt'])).toEqual([0, 1]);
  for (const operation of ['get_consent', 'list_authorizations', 'access_token'])
    expect(named(operation).length).toBeGreaterThan(0);
});

/** The statement that commits the row `sending`: it is a transaction by itself. */
const BEGIN = 'select begin_send';

test('each statement of the ledger is a span, named by what it does to which table', () => {
  const statements = made.spans.filter(({ attributes }) => 'db.system.name' in attributes);
  const started = statements.filter(({ name }) => name === BEGIN);
  expect(started.map((span) => activityOf(span).attributes['dueday.attempt'])).toEqual([0, 1]);
  for (const { attributes, name } of statements) {
    expect(Object.keys(attributes).toSorted()).toEqual([
      'db.query.summary',
      'db.response.returned_rows',
      'db.system.name',
    ]);
    expect(name).toMatch(/^[a-z]+( [a-z_.]+)?$/);
  }
});

test('the row `sending` is committed before the POST leaves', () => {
  const [post] = named('initiate');
  const siblings = made.spans.filter(({ parentSpanId }) => parentSpanId === post?.parentSpanId);
  const names = siblings.map(({ name }) => name);
  expect(names.indexOf(BEGIN)).toBeGreaterThan(0);
  expect(names.indexOf('initiate')).toBeGreaterThan(names.indexOf(BEGIN));
});

test('the delivery of the notice is a span, with its type, its channel and its outcome', () => {
  expect(named('deliver notice').map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({
      'dueday.notice_type': 'payment.failed',
      'dueday.channel': 'webhook',
      'dueday.outcome': 'delivered',
    }),
  ]);
});

test('no span has personal data, a secret or a value of a statement', () => {
  expect(made.text).toContain('gym-membership');
  const { name, street, postalCode, city, email } = PERSON;
  const secrets = [
    'client-secret-of-the-test',
    'api-key-of-the-test',
    'customer-0815',
    'whsec_',
    'Bearer',
    'shop.example',
  ];
  const found = [name, street, postalCode, city, email, ...secrets].filter((each) => made.text.includes(each));
  expect(found).toEqual([]);
});

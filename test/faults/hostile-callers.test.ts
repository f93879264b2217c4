import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import { address, order } from '../admin/order';
import { HOSTILE_BODIES } from './hostile-bodies';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const send = (body: string | Buffer, contentType = 'application/json') =>
  admin.call('POST', '/v1/subscriptions', { body, headers: { 'content-type': contentType } });

describe('POST /v1/subscriptions', () => {
  afterEach(() => expect(admin.workflows.created).toHaveLength(0));

  test.each(HOSTILE_BODIES)('fault 28: an invalid body is refused: %s', async (_what, body, status, code) => {
    const answer = await send(body);
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  test('fault 28: a body of exactly 1 MiB is read and validated', async () => {
    const answer = await send(`"${'x'.repeat(1024 * 1024 - 2)}"`);
    expect(answer.json().errors).toEqual([{ path: '', message: 'expected an object; got text of 1048574 characters' }]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'nonsense'])(
    'fault 28: a body of type %s is refused',
    async (contentType) => {
      const answer = await send('{}', contentType);
      expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  test('fault 28: no body changes a prototype', () => {
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });
});

const HOSTILE = `Robert'); drop table payers;-- <script>alert(1)</script> \\\\ % _ 👩‍👩‍👧 ﷽`;
/** A request for a subscription with every possible field except `replaces`, which must name an existing subscription. */
const whole = (subscriptionId: string) =>
  order({
    subscriptionId,
    endAt: '2028-01-01T00:00:00Z',
    onExhausted: 'pause',
    payer: { email: 'payer@post.example', reference: 'customer 1' },
    shippingAddress: address(),
  });
const FIELDS = [...pathsOf(whole('sub_hostile')), ['replaces']];
const countStored = async () => (await admin.db.query('select from subscriptions')).rowCount ?? 0;

test('fault 28: SQL and HTML are tried in every field of a new subscription', () => {
  expect(FIELDS.length).toBeGreaterThan(20);
});

test.each(FIELDS.map((path, index) => [path.join('.'), path, index] as const))(
  'fault 28: SQL and HTML in %s are refused and not echoed, or are stored as plain text',
  async (_name, path, index) => {
    const before = await countStored();
    const answer = await send(JSON.stringify(changed(whole(`sub_hostile_${index}`), path, HOSTILE)));
    expect([201, 400]).toContain(answer.statusCode);
    expect(await countStored()).toBe(before + (answer.statusCode === 201 ? 1 : 0));
    if (answer.statusCode === 400) expect(answer.body).not.toContain('alert(');
  },
);

test('fault 28: SQL and HTML in free text are stored and found unchanged', async () => {
  const text = `${HOSTILE} once`;
  const answer = await send(
    JSON.stringify(order({ payer: { reference: text }, billingAddress: address({ name: text }) })),
  );
  expect(answer.json().payer.reference).toBe(text);
  const found = await admin.call('GET', `/v1/subscriptions?q=${encodeURIComponent(text)}`);
  expect(found.json().items).toHaveLength(1);
});

/** The path of every value that is not an object. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
}

function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: changed(fields[name], rest, to) };
}

test('fault 28: ten thousand guessed keys are refused, and valid keys keep working', async () => {
  const app = await admin.another({ limits: { failedKeysPerMinute: 20 } });
  const attempt = (n: number) =>
    admin.call('GET', '/v1/subscriptions', { key: `dd_${String(n).padStart(43, 'x')}`, on: app });
  expect((await admin.call('GET', '/v1/subscriptions', { role: 'viewer', on: app })).statusCode).toBe(200);
  const statuses = new Map<number, number>();
  for (let n = 0; n < 10_000; n += 1) {
    // Without pauses the injected requests would block the event loop, because they never reach the ledger; that counts as overload.
    await new Promise((resolve) => setImmediate(resolve));
    const { statusCode } = await attempt(n);
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 401: 20, 429: 9980 });
  const limited = await attempt(0);
  expect(limited.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(limited.headers['retry-after']).toBe('60');
  expect((await admin.call('GET', '/v1/subscriptions', { role: 'viewer', on: app })).statusCode).toBe(200);
  // A valid key that was not used before is accepted at once, despite wrong keys from the same address.
  expect((await admin.call('GET', '/v1/subscriptions', { role: 'admin', on: app })).statusCode).toBe(200);
  await app.close();
});

import type { Socket } from 'node:net';
import { DAY, HOUR } from '../../src/domain/time';
import { getSubscription, listEvents, readState } from '../../src/ledger';
import { euros } from '../../src/domain/money';
import { importFile, type LineAnswer, openImport } from '../support/import-call';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, NOW, PRODUCTION, SANDBOX, startAdmin } from './admin-under-test';
import { granted } from './fake-mandates';
import { mandate, ndjson } from './mandate';
import { address, order } from './order';

let admin: AdminUnderTest;
let url: string;

beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

const send = (...lines: (Record<string, unknown> | string)[]) => importFile(url, admin.keys.admin, ndjson(...lines));
const faultsOf = (answer: LineAnswer | undefined) =>
  answer?.problem?.errors?.map(({ path, message }) => `${path}: ${message}`);
const pathsOf = (answer: LineAnswer | undefined) => answer?.problem?.errors?.map(({ path }) => path);
const many = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => mandate({ paymentId: `pay_${from + index}` }));
const inLedger = async (id: string | undefined) => getSubscription(admin.db, id as never);

async function countSubscriptions(): Promise<number> {
  return (await admin.db.query<{ n: number }>('select count(*) as n from subscriptions')).rows[0]!.n;
}

test('a valid line of an import is answered with its subscription, which is collected from the next due date on', async () => {
  const [answer] = await send(mandate({ subscriptionId: 'old-17', onExhausted: 'pause' }));
  expect(answer).toEqual({ line: 1, subscriptionId: 'old-17' });
  expect(await inLedger('old-17')).toMatchObject({
    status: 'active',
    paymentId: 'pay_1',
    onExhausted: 'pause',
    nextDueAt: NOW,
    payer: { name: 'Ada Byron', email: 'ada@example.com' },
  });
  const { items } = await listEvents(admin.db, {}, { limit: 5, cursor: null });
  expect(items.find(({ type }) => type === 'subscription.imported')?.actor).toBe('admin of the shop');
});

test('a valid line of an import without an id gets one derived from its payment', async () => {
  const [first, second] = await send(mandate(), mandate({ paymentId: 'pay_2' }));
  expect(first?.subscriptionId).toMatch(/^sub_[0-9a-f]{32}$/);
  expect(second?.subscriptionId).not.toBe(first?.subscriptionId);
});

test.each([
  ['is absent collects from now on', undefined, NOW],
  ['is past collects from now on', '2026-08-01T00:00:00Z', NOW],
  ['is in the future collects from that time on', '2027-03-01T00:00:00Z', Date.parse('2027-03-01T00:00:00Z')],
])('a valid line of an import whose collectFrom %s', async (_name, collectFrom, effective) => {
  const [answer] = await send(mandate({ collectFrom }));
  const { rows } = await admin.db.query('select collect_from from subscriptions where subscription_id = $1', [
    answer?.subscriptionId,
  ]);
  expect(rows).toEqual([{ collect_from: effective }]);
});

test('a valid line of an import is stored with the consent and collections that the service reports', async () => {
  admin.mandates.onConsent = (paymentId) => {
    const consent = granted(paymentId);
    return consent.kind === 'accepted' ? { ...consent, value: { ...consent.value, amount: euros(1500) } } : consent;
  };
  const [answer] = await send(mandate({ lastIncreaseAt: '2027-01-31T12:00:00.000Z' }));
  expect(await inLedger(answer?.subscriptionId)).toMatchObject({
    consentAmount: euros(1500),
    amount: euros(1999),
    lastIncreaseAt: NOW,
  });
  expect(await readState(admin.db, answer!.subscriptionId as never, NOW)).toMatchObject({ collectedOnce: true });
});

test('a valid line of an import has an audit entry with actor and key', async () => {
  await send(mandate());
  const { items } = await listEvents(admin.db, { type: 'subscription.imported' }, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ actor: 'admin of the shop', keyId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});

test('a valid line of an import is imported without Temporal, and its workflow starts later', async () => {
  const [answer] = await send(mandate());
  const { rows } = await admin.db.query('select subscription_id from workflow_starts');
  expect(rows).toEqual([{ subscription_id: answer?.subscriptionId }]);
});

test('a valid line of an import has a warning if endAt cuts its last window', async () => {
  const [answer] = await send(mandate({ endAt: '2027-02-01T12:00:00Z' }));
  expect(answer).toMatchObject({ subscriptionId: expect.any(String), warnings: [expect.stringContaining('120 h')] });
});

test('an invalid line of an import is answered with all faults, and does not affect others', async () => {
  const bad = mandate({
    amount: { value: 1.5, currency: 'USD' },
    repetition: 'DAILY',
    paymentId: 'has space',
    returnURL: 'x',
    lastIncreaseAt: new Date(NOW + 1).toISOString(),
    billingAddress: address({ country: 'Germany' }),
  });
  const [first, second, third] = await send(mandate(), bad, mandate({ paymentId: 'pay_3' }));
  expect([first, third]).toEqual([
    { line: 1, subscriptionId: expect.any(String) },
    { line: 3, subscriptionId: expect.any(String) },
  ]);
  expect(second).toMatchObject({
    line: 2,
    problem: { type: 'urn:dueday:problem:invalid_request', status: 400, code: 'invalid_request' },
  });
  const paths = ['amount.currency', 'amount.value', 'billingAddress.country', 'lastIncreaseAt', 'paymentId'];
  expect(pathsOf(second)?.toSorted()).toEqual([...paths, 'repetition', 'returnURL']);
  expect(faultsOf(second)).toContain('returnURL: unknown field');
  expect(JSON.stringify(second)).not.toMatch(/Germany|has space/);
});

test.each([
  ['not JSON', '{"amount":', 'expected JSON; got 10 bytes that are not valid JSON'],
  ['a list', '[]', 'expected an object; got a list of 0 items'],
  ['a number', '17', 'expected an object; got 17'],
  ['nested too deeply', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'expected at most 20 levels of nesting; got more'],
  ['an object with the field __proto__', '{"__proto__":1}', 'a field must not be named __proto__'],
])('a line of an import that is %s is rejected', async (_name, line, message) => {
  const [answer] = await send(line);
  expect(faultsOf(answer)?.[0]).toBe(`: ${message}`);
});

test('a line of an import that is not UTF-8 is rejected', async () => {
  const lines = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n')]);
  const [answer, next] = await importFile(
    url,
    admin.keys.admin,
    Buffer.concat([lines, Buffer.from(ndjson(mandate()))]),
  );
  expect(faultsOf(answer)).toEqual([': expected UTF-8; got invalid bytes']);
  expect(next?.subscriptionId).toBeDefined();
});

test('a line of an import that is one byte too long is rejected, one at the limit is not', async () => {
  const padded = (length: number) => {
    const line = JSON.stringify(mandate({ subscriptionId: `long_${length}`, paymentId: `pay_${length}` }));
    return `${' '.repeat(length - Buffer.byteLength(line))}${line}`;
  };
  const answers = await send(padded(65_536), padded(65_537), padded(500_000), mandate({ paymentId: 'after' }));
  expect(answers.map(({ problem }) => problem?.code)).toEqual([
    ...[undefined, 'payload_too_large', 'payload_too_large', undefined],
  ]);
  expect(answers[1]?.problem?.detail).toContain('65537');
});

test.each([
  ['an end on the next due date', { endAt: '2027-01-31T12:00:00.000Z' }, ['endAt']],
  ['an end a millisecond later', { endAt: '2027-01-31T12:00:00.001Z' }, []],
  ['an end before the first payment', { endAt: '2026-07-01T00:00:00Z' }, ['endAt']],
  ['a first payment before the start', { startAt: '2026-08-01T00:00:00Z' }, ['firstPaymentAt']],
  ['nothing due from collectFrom on', { collectFrom: '9999-12-31T13:00:00Z' }, ['collectFrom']],
  ['a next due date whose window has no end', { collectFrom: '9999-12-31T11:00:00Z' }, ['collectFrom']],
  ['a first payment whose window has no end', { firstPaymentAt: '9999-12-27T00:00:00.000Z' }, ['firstPaymentAt']],
  ['a last increase now', { lastIncreaseAt: '2027-01-31T12:00:00.000Z' }, []],
  ['a last increase in the future', { lastIncreaseAt: '2027-01-31T12:00:00.001Z' }, ['lastIncreaseAt']],
  ['an amount at the cap', { amount: cents(50_000), consentAmount: cents(1999) }, []],
  ['an amount a cent above the cap', { amount: cents(50_001), consentAmount: cents(1999) }, ['amount']],
  ['an unknown subscription to replace', { replaces: 'nobody' }, ['replaces']],
])('a line of an import with %s (%j) has faults in the fields %j', async (_name, changes, paths) => {
  const [answer] = await send(mandate(changes));
  expect(pathsOf(answer) ?? []).toEqual(paths);
});

test('an invalid line of an import is answered with faults of rules and schema together', async () => {
  const [answer] = await send(mandate({ repetition: 7, lastIncreaseAt: '2028-01-01T00:00:00Z', replaces: 'nobody' }));
  expect(pathsOf(answer)?.toSorted()).toEqual(['lastIncreaseAt', 'repetition', 'replaces']);
});

function cents(value: number) {
  return { value, currency: 'EUR' };
}

const NO_MANDATE = {
  kind: 'rejected',
  failure: { retryable: false, detail: 'NOT_FOUND', description: 'no such payment', httpStatus: 404 },
} as const;
const UNREADABLE = { kind: 'unknown', reason: 'an HTML page' } as const;

test.each<[string, (paymentId: string) => ReturnType<typeof granted>, string]>([
  ['refuses a payment that it does not know', () => NO_MANDATE, 'invalid_request'],
  ['cannot be read', () => UNREADABLE, 'payment_service_unavailable'],
  [
    'answers with 429',
    () => ({ kind: 'not_sent', reason: '429', retryAfterMs: 60_000 }),
    'payment_service_unavailable',
  ],
])('if the service %s, only that line of the import has a problem', async (_name, answer, code) => {
  const on = await admin.another({ limits: { mandatesMs: 100 } });
  const at = await on.listen({ port: 0, host: '127.0.0.1' });
  admin.mandates.onConsent = (paymentId) => (paymentId === 'pay_1' ? answer(paymentId) : granted(paymentId));
  const [first, second] = await importFile(at, admin.keys.admin, ndjson(...many(2)));
  expect(first?.problem?.code).toBe(code);
  expect(second?.subscriptionId).toBeDefined();
  expect(await countSubscriptions()).toBe(1);
  await on.close();
});

test.each(['pending', 'failed', 'cancelled'] as const)('an import whose consent is %s is rejected', async (status) => {
  admin.mandates.onConsent = (paymentId) => {
    const consent = granted(paymentId);
    return consent.kind === 'accepted' ? { ...consent, value: { ...consent.value, status } } : consent;
  };
  const [answer] = await send(mandate());
  expect(faultsOf(answer)).toEqual([`paymentId: expected a successful consent; got one that is ${status}`]);
});

test('a mandate is rejected while its list of authorizations is incomplete, because one may already have collected', async () => {
  admin.mandates.onList = () => ({ kind: 'accepted', value: [], incomplete: 'hasMore is true' });
  const [answer] = await send(mandate());
  expect(faultsOf(answer)?.[0]).toContain('hasMore is true');
  expect(await countSubscriptions()).toBe(0);
});

test('an import asks the service again until its answer is readable', async () => {
  admin.mandates.onConsent = (paymentId) => (admin.mandates.asked.length === 1 ? UNREADABLE : granted(paymentId));
  expect((await send(mandate()))[0]?.subscriptionId).toBeDefined();
  expect(admin.mandates.asked).toEqual(['pay_1', 'pay_1']);
});

test('an imported mandate with a different amount is rejected if nothing has been collected yet', async () => {
  const [answer] = await send(mandate({ amount: cents(1500), firstPaymentAt: '2027-01-31T12:00:00.000Z' }));
  expect(faultsOf(answer)).toEqual([expect.stringMatching(/^amount: expected 19.99 EUR/)]);
});

test('an internal error is a problem of its line of an import, and reveals nothing', async () => {
  admin.mandates.onConsent = () => {
    throw new Error('internal secret');
  };
  const [answer] = await send(mandate());
  expect(answer?.problem).toMatchObject({ code: 'internal', status: 500 });
  expect(JSON.stringify(answer)).not.toContain('secret');
});

test('a line that PostgreSQL rejects does not affect others of its batch', async () => {
  await admin.db.query(`alter table subscriptions add constraint no_pay_2 check (payment_id <> 'pay_2')`);
  const answers = await send(...many(3));
  await admin.db.query('alter table subscriptions drop constraint no_pay_2');
  expect(answers.map(({ problem }) => problem?.code)).toEqual([undefined, 'internal', undefined]);
  expect(await countSubscriptions()).toBe(2);
});

test('three concurrent files with the same mandates get the same answers, and each mandate is stored once', async () => {
  const lines = many(250);
  const all = await Promise.all([send(...lines), send(...lines.toReversed()), send(...lines)]);
  const idsIn = (answers: readonly LineAnswer[]) => answers.map(({ subscriptionId }) => subscriptionId);
  expect(idsIn(all[2])).toEqual(idsIn(all[0]));
  expect(idsIn(all[1])).toEqual(idsIn(all[0]).toReversed());
  expect(await countSubscriptions()).toBe(250);
});

/** The same answers, as for a file whose accepted lines were imported before. */
const repeated = (answers: readonly LineAnswer[]) =>
  answers.map((each) => (each.problem === undefined ? { ...each, duplicate: true } : each));

test('a repeated import file adds nothing, and gets the same answers with the accepted lines marked as duplicates', async () => {
  const lines = [...many(40), mandate({ subscriptionId: 'mine', paymentId: 'pay_x' }), 'no JSON'];
  const first = await send(...lines);
  const [count, asked] = [await countSubscriptions(), admin.mandates.asked.length];
  admin.clock.business += 3 * HOUR;
  expect(await send(...lines)).toEqual(repeated(first));
  expect(await countSubscriptions()).toBe(count);
  expect(admin.mandates.asked).toHaveLength(asked);
});

test('a repeated import file gets the same answers even after its endAt has passed and the replaced subscription has ended', async () => {
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'old' }) });
  const turnOld = (status: string) =>
    admin.db.query(`update subscriptions set status = $1 where subscription_id = 'old'`, [status]);
  await turnOld('active');
  const replacing = { replaces: 'old' };
  const ending = { endAt: '2027-03-20T00:00:00Z' };
  const lines = [mandate(replacing), mandate({ ...ending, paymentId: 'pay_2' })];
  const first = await send(...lines);
  expect(first.map(({ subscriptionId }) => subscriptionId)).toEqual([expect.any(String), expect.any(String)]);
  await turnOld('cancelled');
  admin.clock.business += 60 * DAY;
  expect(await send(...lines)).toEqual(repeated(first));
  expect(admin.mandates.asked).toHaveLength(2);
  const others = [mandate({ ...replacing, paymentId: 'pay_3' }), mandate({ ...ending, paymentId: 'pay_4' })];
  expect((await send(...others)).map(pathsOf)).toEqual([['replaces'], ['endAt']]);
});

test('an import that would replace a subscription a second time is answered with 409, which names the first replacement', async () => {
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'old' }) });
  await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'old'`);
  const replacing = { replaces: 'old' };
  const answers = await send(mandate(replacing), mandate({ ...replacing, paymentId: 'pay_2' }));
  const taken = answers.find(({ problem }) => problem === undefined);
  const refused = answers.find(({ problem }) => problem !== undefined);
  const { subscriptionId } = taken!;
  expect(refused!.problem).toMatchObject({ code: 'state_conflict', status: 409, replacement: { subscriptionId } });
});

test('an import rejects an id of another payment, and a payment of another subscription', async () => {
  await send(mandate({ subscriptionId: 'mine' }));
  const answers = await send(mandate({ subscriptionId: 'mine', paymentId: 'pay_2' }), mandate());
  expect(answers.map(({ problem }) => [problem?.code, problem?.detail])).toEqual([
    ['state_conflict', 'The id mine is already in use.'],
    ['state_conflict', 'The payment belongs to subscription mine.'],
  ]);
  expect(await countSubscriptions()).toBe(1);
});

test('an import of a mandate whose subscription was created through the API is answered with this subscription', async () => {
  const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'born-here' }) });
  const { paymentId } = created.json<{ paymentId: string }>();
  const [same] = await send(mandate({ subscriptionId: 'born-here', paymentId }));
  expect(same).toMatchObject({ subscriptionId: 'born-here' });
  expect(admin.mandates.asked).toEqual([]);
});

test('a file with the same mandate on many lines imports it once', async () => {
  const answers = await send(...Array.from({ length: 30 }, () => mandate()));
  expect(new Set(answers.map(({ subscriptionId }) => subscriptionId)).size).toBe(1);
  expect(admin.mandates.asked).toHaveLength(1);
});

test('a file with one payment under two ids imports the first', async () => {
  const answers = await send(mandate({ subscriptionId: 'a' }), mandate({ subscriptionId: 'b' }));
  expect(answers.map(({ problem }) => problem?.code)).toEqual([undefined, 'state_conflict']);
});

test('the stream of an import answers each line as soon as it is processed, while the file is still being sent', async () => {
  const call = openImport(url, admin.keys.admin);
  for (const line of many(3)) {
    call.write(ndjson(line));
    expect(await call.next()).toMatchObject({ subscriptionId: expect.any(String) });
  }
  call.end();
  expect(await call.next()).toBeNull();
});

test('the stream of an import answers in the order of the lines, whichever is ready first', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const done: string[] = [];
  admin.mandates.onConsent = async (paymentId) => {
    if (paymentId === 'pay_1') await held;
    done.push(paymentId);
    return granted(paymentId);
  };
  const call = openImport(url, admin.keys.admin);
  call.write(ndjson(...many(5)));
  call.end();
  await waitUntil('four later lines are done', () => done.length === 4);
  release();
  expect((await call.rest()).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  expect(done.at(-1)).toBe('pay_1');
});

test('the stream of an import counts blank lines, and accepts CRLF, a byte order mark and a missing last line feed', async () => {
  const [first, second, third] = many(3).map((line) => JSON.stringify(line));
  const answers = await importFile(url, admin.keys.admin, `\ufeff${first}\r\n\r\n \t\n${second}\r\n\n${third}`);
  expect(answers.map(({ line, problem }) => [line, problem])).toEqual([
    [1, undefined],
    [4, undefined],
    [6, undefined],
  ]);
});

test('the stream of an import has the same lines however it is chunked', async () => {
  const bytes = Buffer.from(ndjson(...many(3)));
  const call = openImport(url, admin.keys.admin);
  for (const byte of bytes.subarray(0, 700)) call.write(Buffer.from([byte]));
  call.write(bytes.subarray(700));
  call.end();
  expect((await call.rest()).map(({ subscriptionId }) => subscriptionId !== undefined)).toEqual([true, true, true]);
});

test('the stream of an import accepts a file above the body limit', async () => {
  const call = openImport(url, admin.keys.admin);
  const long = `${JSON.stringify({ a: 'x'.repeat(60_000) })}\n`;
  for (let line = 0; line < 40; line += 1) call.write(long);
  call.write(ndjson(mandate()));
  call.end();
  const answers = await call.rest();
  expect(answers).toHaveLength(41);
  expect(answers.at(-1)).toMatchObject({ line: 41, subscriptionId: expect.any(String) });
});

test('the stream of an import without lines returns no answers', async () => {
  expect(await importFile(url, admin.keys.admin, '')).toEqual([]);
  const answer = await admin.call('POST', '/v1/subscriptions/import');
  expect([answer.statusCode, answer.body]).toEqual([200, '']);
});

test('the stream of an import checks at most two batches of 16 mandates concurrently, and does not delay other files', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  admin.mandates.onConsent = async (paymentId) => {
    await held;
    return granted(paymentId);
  };
  const call = openImport(url, admin.keys.admin);
  call.write(ndjson(...many(400)));
  call.end();
  await waitUntil('32 are asked about', () => admin.mandates.asked.length === 32);
  // The service is asked about a mandate of another file that starts later, before a thirty-third mandate of the first file.
  const later = openImport(url, admin.keys.admin);
  later.write(ndjson(mandate({ paymentId: 'pay_later' })));
  later.end();
  const seen = () => admin.mandates.asked;
  await waitUntil('the later one is asked about', () => seen().includes('pay_later'));
  expect(seen()).toHaveLength(33);
  release();
  expect(await call.rest()).toHaveLength(400);
  expect(await later.rest()).toHaveLength(1);
});

test('the stream of an import stops reading while the answers are not received, and continues when they are', async () => {
  const call = openImport(url, admin.keys.admin);
  const response = await headOf(call);
  response.pause();
  // The answers are more than the buffers between client and server hold.
  const line = `${JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field_${index}`, 1])))}\n`;
  const block = Buffer.from(line.repeat(200));
  let sent = 0;
  while (sent < 400 && (await isTaken(call, block))) sent += 1;
  expect(sent).toBeLessThan(400);
  call.end();
  response.resume();
  const answers = await call.rest();
  expect(answers).toHaveLength(200 * (sent + 1));
});

test('the stream of an import ends when the client disconnects, and half a line is not imported', async () => {
  const seen = () => admin.mandates.asked;
  const served: Socket[] = [];
  admin.app.server.once('connection', (socket: Socket) => served.push(socket));
  const call = openImport(url, admin.keys.admin);
  call.write(ndjson(mandate()));
  expect(await call.next()).toMatchObject({ line: 1 });
  call.write(JSON.stringify(mandate({ paymentId: 'pay_2' })));
  const isThere = () => served[0]?.bytesRead === call.request.socket?.bytesWritten;
  await waitUntil('half a line is there', isThere);
  call.request.destroy();
  await expect(call.rest()).rejects.toThrow();
  await waitUntil('the connection is closed', async () => (await connections()) === 0);
  expect(seen()).toEqual(['pay_1']);
});

test('the stream of an import ends when the program stops, after the answers in progress', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  admin.mandates.onConsent = async (paymentId) => {
    await held;
    return granted(paymentId);
  };
  const on = await admin.another();
  const call = openImport(await on.listen({ port: 0, host: '127.0.0.1' }), admin.keys.admin);
  call.write(ndjson(...many(2)));
  await waitUntil('both are under way', () => admin.mandates.asked.length === 2);
  const closed = on.close();
  release();
  expect(await call.next()).toMatchObject({ line: 1, subscriptionId: expect.any(String) });
  expect(await call.next()).toMatchObject({ line: 2, subscriptionId: expect.any(String) });
  await expect(call.next()).rejects.toThrow();
  await closed;
});

/** Sends lines until the answer has started. @returns the response, whose head comes with the first answer */
async function headOf(call: ReturnType<typeof openImport>) {
  call.write('1\n');
  expect(await call.next()).toMatchObject({ line: 1 });
  call.write('1\n');
  expect(await call.next()).toMatchObject({ line: 2 });
  return call.response;
}

/** Sends the block. @returns false if the server has not read it after a second */
async function isTaken(call: ReturnType<typeof openImport>, block: Buffer): Promise<boolean> {
  if (call.request.write(block)) return true;
  return Promise.race([
    new Promise<boolean>((resolve) => call.request.once('drain', () => resolve(true))),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000)),
  ]);
}

async function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    admin.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

test.each(['viewer', 'operator'] as const)('imports are forbidden to a %s', async (role) => {
  const call = openImport(url, admin.keys[role]);
  call.end();
  expect((await call.response).statusCode).toBe(403);
  expect(admin.mandates.asked).toEqual([]);
});

test('imports are refused in production until subscriptions are released', async () => {
  const policy = PRODUCTION;
  const on = await admin.another({ policy });
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await admin.call('POST', '/v1/subscriptions/import', { on, headers, body: ndjson(mandate()) });
  expect(answer.statusCode).toBe(409);
  await on.close();
});

test('an import needs no Idempotency-Key, and ignores one', async () => {
  const call = openImport(url, admin.keys.admin, { 'idempotency-key': 'again' });
  call.write(ndjson(mandate()));
  call.end();
  expect(await call.rest()).toHaveLength(1);
  const again = openImport(url, admin.keys.admin, { 'idempotency-key': 'again' });
  again.write(ndjson(mandate({ paymentId: 'pay_2' })));
  again.end();
  expect(await again.rest()).toEqual([{ line: 1, subscriptionId: expect.any(String) }]);
});

test('an import is described in the OpenAPI document, line by line', async () => {
  const { paths } = (await admin.call('GET', '/openapi.json')).json<{ paths: Record<string, never> }>();
  expect(paths['/v1/subscriptions/import']).toMatchObject({
    post: {
      requestBody: {
        content: {
          'application/x-ndjson': {
            schema: { type: 'string', contentSchema: { $ref: expect.stringContaining('ImportLine') } },
          },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      responses: { 200: { content: { 'application/x-ndjson': {} } } },
    },
  });
});

test('imported amounts in a capped category are at most 50 EUR', async () => {
  const policy = { ...SANDBOX, merchantCategoryCode: '4111' };
  const on = await admin.another({ policy });
  const body = ndjson(mandate({ amount: cents(5000) }), mandate({ amount: cents(5001), paymentId: 'pay_2' }));
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await admin.call('POST', '/v1/subscriptions/import', { on, headers, body });
  expect(
    answer.body
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as LineAnswer).problem?.code),
  ).toEqual([...[undefined, 'invalid_request']]);
  await on.close();
});

test('an import a year after the first payment keeps the calendar of the mandate', async () => {
  admin.clock.business = NOW + 400 * DAY;
  const [answer] = await send(mandate());
  expect((await inLedger(answer?.subscriptionId))?.nextDueAt).toBe(Date.parse('2028-03-31T12:00:00.000Z'));
});

import { createHash, randomUUID } from 'node:crypto';
import { MINUTE } from '../../src/domain/time';
import {
  abandonIdempotent,
  beginIdempotent,
  findKeyByHash,
  finishIdempotent,
  IDEMPOTENCY_LIFE,
  type IdempotentRequest,
  insertKey,
  listKeys,
  type NewKey,
  purgeIdempotent,
  releaseIdempotent,
  recordKeyUse,
  renewIdempotent,
  revokeKey,
} from '../../src/ledger';
import { REAL_NOW, useLedger } from './ledger-fixture';

const ledger = useLedger();

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function newKey(changes: Partial<NewKey> = {}): NewKey {
  const keyId = randomUUID();
  return {
    keyId,
    name: `till ${keyId}`,
    role: 'operator',
    hash: hash(keyId),
    prefix: 'dd_abcdef',
    holder: null,
    scopes: [],
    refundPerDayAmount: null,
    changePerCallAmount: null,
    expiresRealAt: null,
    createdRealAt: REAL_NOW,
    createdBy: null,
    ...changes,
  };
}

test('API keys are found by their hash, which is never returned', async () => {
  const key = newKey();
  await insertKey(ledger.pool, key);
  const found = await findKeyByHash(ledger.pool, key.hash, REAL_NOW);
  const { createdBy, ...stored } = key;
  const unused = { revokedRealAt: null, lastUsedRealAt: null, replaces: null, isBootstrap: false };
  expect({ ...found, hash: key.hash }).toEqual({ ...stored, firstKeyId: key.keyId, ...unused });
  expect(createdBy).toBeNull();
  expect(found).not.toHaveProperty('hash');
  expect(await findKeyByHash(ledger.pool, hash('another'), REAL_NOW)).toBeNull();
});

test('revoked API keys are not found, but remain in the list', async () => {
  const key = newKey();
  await insertKey(ledger.pool, key);
  expect(await revokeKey(ledger.pool, key.keyId, REAL_NOW + 1)).toMatchObject({ revokedRealAt: REAL_NOW + 1 });
  expect(await revokeKey(ledger.pool, key.keyId, REAL_NOW + 2)).toMatchObject({ revokedRealAt: REAL_NOW + 1 });
  expect(await findKeyByHash(ledger.pool, key.hash, REAL_NOW)).toBeNull();
  expect((await listKeys(ledger.pool)).map(({ keyId }) => keyId)).toContain(key.keyId);
  expect(await revokeKey(ledger.pool, randomUUID(), REAL_NOW)).toBeNull();
});

test('API keys are listed oldest first', async () => {
  const [newer, older] = [newKey({ createdRealAt: 2000 }), newKey({ createdRealAt: 1000 })];
  for (const key of [newer, older]) await insertKey(ledger.pool, key);
  const [first, second] = await listKeys(ledger.pool);
  expect([first?.keyId, second?.keyId]).toEqual([older.keyId, newer.keyId]);
});

test('an API key has a unique hash of 32 bytes and a known role', async () => {
  const key = newKey();
  await insertKey(ledger.pool, key);
  await expect(insertKey(ledger.pool, newKey({ hash: key.hash }))).rejects.toThrow('api_keys_hash_key');
  await expect(insertKey(ledger.pool, newKey({ hash: Buffer.alloc(31) }))).rejects.toThrow('api_keys_hash_check');
  await expect(insertKey(ledger.pool, newKey({ role: 'root' as never }))).rejects.toThrow('api_keys_role_check');
});

test('names of API keys are unique regardless of case', async () => {
  expect(await insertKey(ledger.pool, newKey({ name: 'new till' }))).toBe(true);
  expect(await insertKey(ledger.pool, newKey({ name: 'New Till' }))).toBe(false);
});

test('API keys record their use once a minute, without a statement in between', async () => {
  const key = newKey();
  await insertKey(ledger.pool, key);
  const find = async () => (await findKeyByHash(ledger.pool, key.hash, REAL_NOW))!;
  const statements = jest.spyOn(ledger.pool, 'query');
  const used = [];
  for (const at of [0, MINUTE - 1, MINUTE]) {
    const found = await find();
    statements.mockClear();
    await recordKeyUse(ledger.pool, found, REAL_NOW + at);
    used.push([statements.mock.calls.length, (await find()).lastUsedRealAt]);
  }
  statements.mockRestore();
  expect(used).toEqual([
    [1, REAL_NOW],
    [0, REAL_NOW],
    [1, REAL_NOW + MINUTE],
  ]);
});

const answer = { status: 201, body: { z: 1, a: ['x', null] }, headers: { location: '/v1/subscriptions/1' } };

function request(changes: Partial<IdempotentRequest> = {}): IdempotentRequest {
  return {
    apiKeyId: 'key-1',
    key: randomUUID(),
    runId: randomUUID(),
    startedRealAt: REAL_NOW,
    methodPath: 'POST /v1/subscriptions',
    fingerprint: hash('body'),
    ...changes,
  };
}

test('the first request with an idempotency key starts; a repeated one learns that the first is running, and later gets the same answer, with the fields in the same order', async () => {
  const first = request();
  expect(await beginIdempotent(ledger.pool, first)).toMatchObject({ kind: 'started' });
  expect(await beginIdempotent(ledger.pool, first)).toEqual({ kind: 'running' });
  expect(await finishIdempotent(ledger.pool, first, answer)).toBe(true);
  const again = await beginIdempotent(ledger.pool, { ...first, startedRealAt: REAL_NOW + 1 });
  expect(again).toEqual({ kind: 'answered', answer });
  expect(JSON.stringify(again)).toContain('{"z":1,"a":["x",null]}');
});

test.each(['text', 17, null, [1], true])('an idempotency key stores the answer %j', async (body) => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await finishIdempotent(ledger.pool, first, { ...answer, body });
  expect(await beginIdempotent(ledger.pool, first)).toMatchObject({ kind: 'answered', answer: { body } });
});

test('only one of ten concurrent requests with the same idempotency key starts', async () => {
  const same = request();
  const all = await Promise.all(Array.from({ length: 10 }, () => beginIdempotent(ledger.pool, same)));
  expect(all.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  expect(all.filter(({ kind }) => kind === 'running')).toHaveLength(9);
});

test('a different request with the same idempotency key is a reuse, during the first request and after it', async () => {
  const other = { fingerprint: hash('other body') };
  const first = request();
  await beginIdempotent(ledger.pool, first);
  expect(await beginIdempotent(ledger.pool, { ...first, ...other })).toEqual({ kind: 'reused' });
  await finishIdempotent(ledger.pool, first, answer);
  expect(await beginIdempotent(ledger.pool, { ...first, ...other })).toEqual({ kind: 'reused' });
});

test('idempotency keys are separate for each API key', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  expect(await beginIdempotent(ledger.pool, { ...first, apiKeyId: 'key-2' })).toMatchObject({ kind: 'started' });
});

test('an abandoned idempotency key is free for another request', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await abandonIdempotent(ledger.pool, first);
  expect(await beginIdempotent(ledger.pool, { ...first, fingerprint: hash('other') })).toMatchObject({
    kind: 'started',
  });
});

test('an idempotency key that is released after an error can be used again by the same request within 24 hours, and by another one after that', async () => {
  const first = request();
  const later = (ms: number, changes: object = {}) => ({
    ...first,
    runId: randomUUID(),
    startedRealAt: REAL_NOW + ms,
    ...changes,
  });
  await beginIdempotent(ledger.pool, first);
  await releaseIdempotent(ledger.pool, first);
  expect(await renewIdempotent(ledger.pool, [first])).toBe(0);
  const second = later(IDEMPOTENCY_LIFE - 1);
  expect(await beginIdempotent(ledger.pool, second)).toEqual({ kind: 'started', startedRealAt: REAL_NOW });
  await releaseIdempotent(ledger.pool, second);
  const third = later(IDEMPOTENCY_LIFE + 1, { fingerprint: hash('other') });
  expect(await beginIdempotent(ledger.pool, third)).toEqual({ kind: 'started', startedRealAt: third.startedRealAt });
});

test('the answer to a request that repeats one that ended in an error is kept for 24 hours from its own start', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await releaseIdempotent(ledger.pool, first);
  const second = { ...again(first), startedRealAt: REAL_NOW + IDEMPOTENCY_LIFE - 1 };
  await beginIdempotent(ledger.pool, second);
  await finishIdempotent(ledger.pool, second, answer);
  const third = { ...again(second), startedRealAt: REAL_NOW + 2 * IDEMPOTENCY_LIFE - 2 };
  expect((await beginIdempotent(ledger.pool, third)).kind).toBe('answered');
});

test('an idempotency key whose answer is stored cannot be abandoned', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await finishIdempotent(ledger.pool, first, answer);
  await abandonIdempotent(ledger.pool, first);
  expect((await beginIdempotent(ledger.pool, first)).kind).toBe('answered');
});

test.each([
  [IDEMPOTENCY_LIFE - 1, 'answered'],
  [IDEMPOTENCY_LIFE, 'started'],
])('%d ms after the first request with an idempotency key a repeated one is %s', async (age, kind) => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await finishIdempotent(ledger.pool, first, answer);
  expect((await beginIdempotent(ledger.pool, { ...first, startedRealAt: REAL_NOW + age })).kind).toBe(kind);
});

/** Sets the lease of a run to have expired this many ms ago, or, if negative, to expire in the future. */
const leaseEnded = (run: IdempotentRequest, msAgo: number) =>
  ledger.pool.query(
    `update idempotency_keys set leased_until = clock_timestamp() - make_interval(secs => $2) where key = $1`,
    [run.key, msAgo / 1000],
  );
const again = (run: IdempotentRequest) => ({ ...run, runId: randomUUID(), startedRealAt: run.startedRealAt + 1 });

test('a request that repeats an idempotency key takes over the first run only once the lease of that run has expired', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await leaseEnded(first, -60_000);
  expect((await beginIdempotent(ledger.pool, again(first))).kind).toBe('running');
  await leaseEnded(first, 0);
  expect((await beginIdempotent(ledger.pool, { ...again(first), fingerprint: hash('other') })).kind).toBe('reused');
  expect((await beginIdempotent(ledger.pool, again(first))).kind).toBe('started');
  expect((await beginIdempotent(ledger.pool, again(first))).kind).toBe('running');
});

test('a renewal extends the leases of all idempotent requests by ten seconds in one statement, except those taken over', async () => {
  const [held, late, lost] = [request(), request(), request()];
  for (const each of [held, late, lost]) await beginIdempotent(ledger.pool, each);
  await leaseEnded(held, -100);
  await leaseEnded(late, 1_000);
  await leaseEnded(lost, 1_000);
  const winner = again(lost);
  await beginIdempotent(ledger.pool, winner);
  await leaseEnded(winner, -2_000);
  expect(await renewIdempotent(ledger.pool, [held, late, lost])).toBe(2);
  const { rows } = await ledger.pool.query<{ key: string }>(
    `select key from idempotency_keys
       where key = any ($1) and leased_until - clock_timestamp() between interval '5 s' and interval '10 s'`,
    [[held, late, lost].map(({ key }) => key)],
  );
  expect(rows.map(({ key }) => key).sort()).toEqual([held.key, late.key].sort());
});

test('an idempotent request that was taken over can neither store an answer nor free its key', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await leaseEnded(first, 1);
  const later = again(first);
  await beginIdempotent(ledger.pool, later);
  expect(await finishIdempotent(ledger.pool, first, answer)).toBe(false);
  await abandonIdempotent(ledger.pool, first);
  expect(await finishIdempotent(ledger.pool, later, { ...answer, status: 200 })).toBe(true);
  expect(await finishIdempotent(ledger.pool, first, answer)).toBe(false);
  expect(await beginIdempotent(ledger.pool, again(first))).toMatchObject({ answer: { status: 200 } });
});

test('an idempotent request with an expired lease still stores its answer if no other has taken it over', async () => {
  const first = request();
  await beginIdempotent(ledger.pool, first);
  await leaseEnded(first, 60_000);
  expect(await finishIdempotent(ledger.pool, first, answer)).toBe(true);
});

test('a purge deletes only idempotency keys that are older than the given instant', async () => {
  const [old, edge] = [request({ startedRealAt: 999 }), request({ startedRealAt: 1000 })];
  for (const each of [old, edge]) await beginIdempotent(ledger.pool, each);
  expect(await purgeIdempotent(ledger.pool, 1000)).toBe(1);
  expect(await purgeIdempotent(ledger.pool, 1001)).toBe(1);
});

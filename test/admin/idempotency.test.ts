import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { insertDraft } from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterEach(() => {
  admin.workflows.onCreate = (draft) => admin.workflows.open(draft);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const create = (idempotencyKey: string, changes: Record<string, unknown> = {}, role: 'admin' | 'operator' = 'admin') =>
  admin.call('POST', '/v1/subscriptions', { role, idempotencyKey, body: order(changes) });

async function answerConsent(subscriptionId: string, answer: 'successful' | 'failed'): Promise<void> {
  const status = answer === 'successful' ? 'active' : 'consent_failed';
  await admin.db.query('update subscriptions set status = $2, consent_status = $3 where subscription_id = $1', [
    subscriptionId,
    status,
    answer,
  ]);
}

test('a replayed creation returns the current subscription, without the redirect address that its payer has used', async () => {
  const subscriptionId = 'sub_agreed';
  const first = await create('agreed', { subscriptionId });
  expect(first.json().consent).toHaveProperty('redirectURL');
  await answerConsent(subscriptionId, 'successful');
  const again = await create('agreed', { subscriptionId });
  expect([again.statusCode, again.headers['idempotent-replay']]).toEqual([201, 'true']);
  expect(again.headers.location).toBe(`/v1/subscriptions/${subscriptionId}`);
  expect(again.json()).toMatchObject({ subscriptionId, status: 'active', consent: { status: 'successful' } });
  expect(again.json().consent).not.toHaveProperty('redirectURL');
});

test('a replayed creation shows a failed consent, and a new request with the same subscription id is refused with the advice to use a new id', async () => {
  const subscriptionId = 'sub_declined';
  await create('declined', { subscriptionId });
  await answerConsent(subscriptionId, 'failed');
  const again = await create('declined', { subscriptionId });
  expect(again.json()).toMatchObject({ subscriptionId, status: 'consent_failed' });
  const next = await create('declined-next', { subscriptionId });
  expect(next.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect(next.json().detail).toContain('Use a new subscriptionId.');
});

test('a creation with the id of an open or active subscription is answered that the id is in use, and reveals nothing more', async () => {
  await create('open', { subscriptionId: 'sub_open' });
  const { detail } = (await create('open-next', { subscriptionId: 'sub_open' })).json();
  expect(detail).toBe('The id sub_open is already in use.');
});

test('the same Idempotency-Key with the same body returns the first response again, and creates nothing', async () => {
  const first = await create('a');
  const before = admin.workflows.created.length;
  const again = await create('a');
  expect(again.statusCode).toBe(201);
  expect(again.body).toBe(first.body);
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(again.headers.location).toBe(first.headers.location);
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
  expect(first.headers).not.toHaveProperty('idempotent-replay');
  expect(admin.workflows.created).toHaveLength(before);
});

test('the same Idempotency-Key returns the first response again even if the first payment is in the past by then', async () => {
  const first = await create('late');
  admin.clock.business += 3_600_000;
  expect((await create('late')).body).toBe(first.body);
  expect((await create('later')).statusCode).toBe(400);
});

test('the same Idempotency-Key recognizes a body whose fields are in another order', async () => {
  const first = await create('order');
  const turned = Object.fromEntries(Object.entries(order()).reverse());
  const again = await admin.call('POST', '/v1/subscriptions', { idempotencyKey: 'order', body: turned });
  expect(again.body).toBe(first.body);
});

test('the same Idempotency-Key recognizes a body whose instants are written differently', async () => {
  const given = order();
  const idempotencyKey = 'spelled-otherwise';
  const first = await admin.call('POST', '/v1/subscriptions', { body: given, idempotencyKey });
  const respelled = { ...given, firstPaymentAt: String(given['firstPaymentAt']).replace(/(\.\d+)?Z$/, '+00:00') };
  const second = await admin.call('POST', '/v1/subscriptions', { body: respelled, idempotencyKey });
  expect([second.statusCode, second.json().subscriptionId]).toEqual([201, first.json().subscriptionId]);
  expect(second.headers['idempotent-replay']).toBe('true');
});

test('fault 24: the same Idempotency-Key with another body is answered with 422', async () => {
  await create('b');
  const other = await create('b', { amount: { value: 2000, currency: 'EUR' } });
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('the same Idempotency-Key with the same body on another path is answered with 422', async () => {
  await create('c', { subscriptionId: 'sub_c' });
  const other = await admin.call('POST', '/v1/subscriptions/sub_c/pause', { idempotencyKey: 'c', body: order() });
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('the same Idempotency-Key is answered with 409 while the first request is running, and creates one subscription', async () => {
  let finish = (): void => undefined;
  admin.workflows.onCreate = async (draft) => {
    await new Promise<void>((resolve) => (finish = resolve));
    return admin.workflows.open(draft);
  };
  const before = admin.workflows.created.length;
  const first = create('d');
  while (admin.workflows.created.length === before) await new Promise((resolve) => setImmediate(resolve));
  const meanwhile = await create('d');
  expect(meanwhile.json()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
  expect((await create('d', { repetition: 'YEARLY' })).json()).toMatchObject({ status: 422 });
  finish();
  expect((await first).statusCode).toBe(201);
  expect((await create('d')).headers['idempotent-replay']).toBe('true');
  expect(admin.workflows.created).toHaveLength(before + 1);
});

test('fault 24: the same Idempotency-Key sent ten times at once creates one subscription', async () => {
  const before = admin.workflows.created.length;
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('e')));
  for (const { statusCode } of answers) expect([201, 409]).toContain(statusCode);
  expect(answers.some(({ statusCode }) => statusCode === 201)).toBe(true);
  expect(admin.workflows.created).toHaveLength(before + 1);
});

test('an Idempotency-Key of another API key is a different key', async () => {
  const mine = await create('f', {}, 'admin');
  const theirs = await create('f', {}, 'operator');
  expect(theirs.statusCode).toBe(201);
  expect(theirs.json().subscriptionId).not.toBe(mine.json().subscriptionId);
});

test('an Idempotency-Key stores no rejection: the corrected request is carried out under the same key, and its response is stored', async () => {
  const refused = await create('g', { amount: { value: 0, currency: 'EUR' } });
  expect(refused.statusCode).toBe(400);
  const repeated = await create('g', { amount: { value: 0, currency: 'EUR' } });
  expect([repeated.statusCode, repeated.headers['idempotent-replay']]).toEqual([400, undefined]);
  const corrected = await create('g');
  expect([corrected.statusCode, corrected.headers['idempotent-replay']]).toEqual([201, undefined]);
  expect((await create('g')).headers['idempotent-replay']).toBe('true');
  expect((await create('g', { repetition: 'YEARLY' })).json()).toMatchObject({ code: 'idempotency_key_reused' });
});

test('an Idempotency-Key stores no conflict: a refused pause is carried out once the subscription allows it', async () => {
  const subscriptionId = 'sub_conflict';
  await create('g-conflict', { subscriptionId });
  const pause = () =>
    admin.call('POST', `/v1/subscriptions/${subscriptionId}/pause`, { idempotencyKey: 'g-pause', body: {} });
  const refused = await pause();
  expect(refused.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  await answerConsent(subscriptionId, 'successful');
  expect((await pause()).json()).toMatchObject({ status: 'paused' });
});

test('an Idempotency-Key stores no 5xx: the request may be repeated', async () => {
  admin.workflows.onCreate = async () => ({ kind: 'unavailable', reason: 'down' });
  expect((await create('h')).statusCode).toBe(502);
  admin.workflows.onCreate = (draft) => admin.workflows.open(draft);
  const again = await create('h');
  expect(again.statusCode).toBe(201);
  expect(again.headers).not.toHaveProperty('idempotent-replay');
});

test('a creation repeated with its Idempotency-Key finds the subscription that an unanswered request has created, instead of creating a second', async () => {
  admin.workflows.onCreate = async (draft) => {
    await insertDraft(admin.db, draft, 0);
    return { kind: 'not_ready' };
  };
  const unanswered = await create('i');
  expect(unanswered.statusCode).toBe(503);
  const before = admin.workflows.created.length;
  const subscriptionId = admin.workflows.created.at(-1)!.draft.subscriptionId;
  await admin.workflows.requested(subscriptionId);
  const again = await create('i');
  expect(again.statusCode).toBe(201);
  expect(again.json().subscriptionId).toBe(subscriptionId);
  expect(admin.workflows.created).toHaveLength(before);
});

test('an Idempotency-Key expires after 24 hours of real time, and not a millisecond earlier', async () => {
  const body = order({ subscriptionId: 'sub_day' });
  const send = () => admin.call('POST', '/v1/subscriptions', { idempotencyKey: 'j', body });
  await send();
  admin.clock.real += 24 * 3_600_000 - 1;
  expect((await send()).headers['idempotent-replay']).toBe('true');
  admin.clock.real += 1;
  expect((await send()).json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test.each([
  ['empty', ''],
  ['256 characters long', 'k'.repeat(256)],
  ['with a space', 'a b'],
  ['not ASCII', 'schlüssel'],
])('an Idempotency-Key that is %s is refused', async (_what, key) => {
  const answer = await admin.call('POST', '/v1/subscriptions', {
    body: order(),
    headers: { 'idempotency-key': key },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toMatchObject([{ path: 'Idempotency-Key' }]);
});

test('an Idempotency-Key may have 255 characters', async () => {
  expect((await create('k'.repeat(255))).statusCode).toBe(201);
});

test('a new API key is returned again to its creator, and cannot be read in the ledger', async () => {
  const send = () => admin.call('POST', '/v1/keys', { idempotencyKey: 'key', body: { name: 'till', role: 'viewer' } });
  const first = await send();
  const again = await send();
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(again.body).toBe(first.body);
  const { rows } = await admin.db.query(`select row_to_json(i)::text as row from idempotency_keys i where key = 'key'`);
  expect(rows).toHaveLength(1);
  expect(rows[0].row).not.toContain(first.json().key);
});

test('a response that cannot be stored is still returned', async () => {
  admin.workflows.onCreate = async (draft) => {
    await admin.db.query(`delete from idempotency_keys where key = 'lost'`);
    return admin.workflows.open(draft);
  };
  expect((await create('lost')).statusCode).toBe(201);
});

test('stored responses older than 24 hours are removed when the API starts, newer ones remain', async () => {
  await create('old');
  admin.clock.real += 1;
  await create('young');
  admin.clock.real += 24 * 3_600_000;
  const app = await admin.another();
  await app.ready();
  const kept = async () => {
    const { rows } = await admin.db.query(`select key from idempotency_keys where key in ('old', 'young')`);
    return rows.map(({ key }: { key: string }) => key);
  };
  await waitUntil('the old answer is removed', async () => (await kept()).length < 2);
  expect(await kept()).toEqual(['young']);
  await app.close();
});

import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { applyChange, type Role, type Scope } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';
import { ledgerDown } from './fake-subscriptions';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.workflows.steered.splice(0);
  admin.workflows.onSteer = () => ({ kind: 'done' });
  admin.clock.business = NOW;
});
/** A job that is still running would change subscriptions of the next test. */
afterEach(() =>
  waitUntil('no job is under way', async () => {
    const { rowCount } = await admin.db.query(`select from jobs where state = 'running'`);
    return rowCount === 0;
  }),
);
afterAll(() => admin.stop());

const bulk = (body: Record<string, unknown>, role: Role = 'admin') => admin.call('POST', '/v1/bulk', { role, body });
const NORTH = { metadata: { shop: 'north' } };

async function create(...ids: string[]): Promise<void> {
  for (const subscriptionId of ids) {
    const metadata = { shop: subscriptionId.endsWith('x') ? 'south' : 'north' };
    await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, metadata }) });
    await admin.db.query(`update subscriptions set status = 'active' where subscription_id = $1`, [subscriptionId]);
  }
}

async function tokenOf(body: Record<string, unknown>): Promise<string> {
  const answer = await bulk({ ...body, dryRun: true });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ token: string }>().token;
}

interface Job {
  state: string;
  done: number;
  items: { state: string }[];
}

interface Entries {
  items: { type: string; actor: string; data: unknown }[];
}

const eventsOf = (answer: { json: () => unknown }) => (answer.json() as Entries).items;

interface Keys {
  items: { keyId: string; name: string }[];
}

/** The job at this address, or, at the address of its results, the result of each call. */
const jobOf = async (location: string) => (await admin.call('GET', location, { role: 'viewer' })).json<Job>();

async function waitForEnd(location: string): Promise<Job> {
  await waitUntil('the job is over', async () => (await jobOf(location)).state !== 'running');
  return jobOf(location);
}

async function run(body: Record<string, unknown>): Promise<string> {
  const answer = await bulk({ token: await tokenOf(body) });
  if (answer.statusCode !== 202) throw new Error(answer.body);
  return String(answer.headers['location']);
}

const steered = () => admin.workflows.steered.map(({ id }) => id).sort();

test('a dry run of a bulk call shows number, statuses, total amount, subscriptions and payers, and changes nothing', async () => {
  await create('sub_a', 'sub_b', 'sub_x');
  await admin.db.query(`update subscriptions set status = 'paused' where subscription_id = 'sub_b'`);
  await admin.db.query(
    `update payers p set name = 'payer of ' || subscription_id from subscriptions s where s.payer_id = p.payer_id`,
  );
  const answer = await bulk({ action: 'pause', filter: NORTH, dryRun: true }, 'operator');
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      action: 'pause',
      total: 2,
      counts: { active: 1, paused: 1 },
      amount: { value: 3998, currency: 'EUR' },
      items: ['sub_b', 'sub_a'].map((subscriptionId): unknown =>
        expect.objectContaining({
          subscriptionId,
          payer: expect.objectContaining({ name: `payer of ${subscriptionId}` }),
        }),
      ),
      token: expect.stringMatching(/^bulk_/),
      tokenValidUntil: new Date(admin.clock.real + 15 * MINUTE).toISOString(),
    },
  ]);
  expect(steered()).toEqual([]);
});

test('a dry run of a change of amount shows what the subscriptions would collect', async () => {
  await create('sub_a', 'sub_b');
  const parameters = { amount: { value: 1500, currency: 'EUR' } };
  const answer = await bulk({ action: 'amount-change', parameters, filter: NORTH, dryRun: true });
  expect(answer.json()).toMatchObject({ amount: { value: 3998 }, amountAfter: { value: 3000 } });
});

test('a dry run of a bulk call counts subscriptions that have ended, and adds no amount for them', async () => {
  await create('sub_a', 'sub_b');
  await admin.db.query(`update subscriptions set status = 'cancelled' where subscription_id = 'sub_b'`);
  const parameters = { amount: { value: 1500, currency: 'EUR' } };
  const answer = await bulk({ action: 'amount-change', parameters, filter: NORTH, dryRun: true });
  const counts = { active: 1, cancelled: 1 };
  expect(answer.json()).toMatchObject({ total: 2, counts, amount: { value: 1999 }, amountAfter: { value: 1500 } });
});

test('a dry run of a bulk call shows only the first 20 subscriptions', async () => {
  await create(...Array.from({ length: 21 }, (_, n) => `sub_${n}`));
  const answer = await bulk({ action: 'pause', filter: NORTH, dryRun: true });
  expect(answer.json()).toMatchObject({ total: 21, amount: { value: 21 * 1999 } });
  expect(eachItems(answer, 'subscriptionId')).toHaveLength(20);
});

test('a dry run of a bulk call takes as many ids as a filter may have, and no more', async () => {
  await create('sub_0');
  const ids = Array.from({ length: 1_001 }, (_, n) => `sub_${n}`);
  const select = (subscriptionIds: readonly string[]) =>
    bulk({
      ...{ action: 'pause', parameters: { until: '2027-03-01T12:00:00Z', reason: 'a strike' } },
      ...{ filter: { ...NORTH, status: 'active', repetition: 'MONTHLY', subscriptionIds }, dryRun: true },
    });
  expect((await select(ids.slice(1))).json()).toMatchObject({ total: 0 });
  expect((await select(ids.slice(0, 1_000))).json()).toMatchObject({ total: 1 });
  expect(faultsOf(await select(ids))).toMatchObject([{ path: 'filter.subscriptionIds' }]);
});

test.each([
  ['an empty filter', { action: 'pause', filter: {}, dryRun: true }, 'filter'],
  ['a filter of no metadata', { action: 'pause', filter: { metadata: {} }, dryRun: true }, 'filter'],
  ['no filter', { action: 'pause', dryRun: true }, 'filter'],
  ['no action', { filter: NORTH, dryRun: true }, 'action'],
  ['an unknown action', { action: 'delete', filter: NORTH, dryRun: true }, 'action'],
  ['an unknown field of the filter', { action: 'pause', filter: { shop: 'x' }, dryRun: true }, 'filter.shop'],
  [
    'a reversed period',
    { action: 'pause', filter: { dueFrom: '2027-02-02T00:00:00Z', dueTo: '2027-02-01T00:00:00Z' }, dryRun: true },
    'filter.dueTo',
  ],
  ['neither a token nor a dry run', { action: 'pause', filter: NORTH }, 'token'],
  ['a token in a dry run', { action: 'pause', filter: NORTH, dryRun: true, token: `bulk_${'a'.repeat(43)}` }, 'token'],
  ['an unknown token', { token: `bulk_${'a'.repeat(43)}` }, 'token'],
  ['no reason for a retry', { action: 'retry', filter: NORTH, dryRun: true }, 'parameters.reason'],
  [
    'a pause that ends in the past',
    { action: 'pause', parameters: { until: '2027-01-31T12:00:00Z' }, filter: NORTH, dryRun: true },
    'parameters.until',
  ],
  [
    'a retry in the past',
    { action: 'retry', parameters: { at: '2027-01-31T12:00:00Z', reason: 'payday' }, filter: NORTH, dryRun: true },
    'parameters.at',
  ],
  [
    'a parameter that the individual call lacks',
    { action: 'resume', parameters: { until: 'x' }, filter: NORTH, dryRun: true },
    'parameters.until',
  ],
])('a bulk job rejects %s', async (_name, body, path) => {
  const answer = await bulk(body);
  expect([answer.statusCode, faultsOf(answer).map((fault) => fault.path)]).toEqual([400, [path]]);
});

test('a bulk job needs the role of the individual call', async () => {
  await create('sub_a');
  expect((await bulk({ action: 'pause', filter: NORTH, dryRun: true }, 'viewer')).statusCode).toBe(403);
  expect((await bulk({ action: 'cancel', filter: NORTH, dryRun: true }, 'operator')).json()).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('admin'),
  });
});

test.each<[string, Scope, string[]]>([
  [
    'steers',
    'subscriptions:steer',
    ['pause', 'resume', 'cancel', 'retry', 'consent-check', 'acknowledge', 'amount-change'],
  ],
  ['acknowledges subscriptions that need attention', 'attention', ['acknowledge']],
  ['creates', 'subscriptions:create', ['consent-check']],
  ['does nothing to subscriptions', 'audit', []],
])(
  'a key with the bulk scope that also %s may run bulk jobs of its individual calls',
  async (_name, scope, actions) => {
    const key = await keyOf('bulk', scope);
    const isDryRun = async ([action, parameters]: (typeof EACH_ACTION)[number]) =>
      (await admin.call('POST', '/v1/bulk', { key, body: { action, parameters, filter: NORTH, dryRun: true } }))
        .statusCode === 200;
    const allowed = await Promise.all(EACH_ACTION.map(isDryRun));
    expect(EACH_ACTION.filter((_, n) => allowed[n]).map(([action]) => action)).toEqual(actions);
  },
);

const EACH_ACTION = [
  ['pause', {}],
  ['resume', {}],
  ['cancel', {}],
  ['retry', { reason: 'the bank is up again' }],
  ['consent-check', {}],
  ['acknowledge', { reason: 'seen' }],
  ['amount-change', { amount: { value: 1500, currency: 'EUR' } }],
] as const;

async function keyOf(...scopes: Scope[]): Promise<string> {
  const answer = await admin.call('POST', '/v1/keys', { body: { name: scopes.join(' '), role: 'admin', scopes } });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<{ key: string }>().key;
}

test('a job started with the token of its dry run makes the individual call for each subscription on behalf of the caller', async () => {
  await create('sub_a', 'sub_b', 'sub_x');
  const answer = await bulk({
    token: await tokenOf({ action: 'resume', parameters: { reason: 'open again' }, filter: NORTH }),
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    202,
    { kind: 'bulk', state: 'running', action: 'resume', total: 2, orderedBy: 'admin of the shop' },
  ]);
  const job = await waitForEnd(String(answer.headers['location']));
  expect(job).toMatchObject({ state: 'finished', done: 2, total: 2, refused: 0 });
  const keys = await admin.call('GET', '/v1/keys');
  const keyId = keys.json<Keys>().items.find(({ name }) => name === 'admin of the shop')?.keyId;
  expect(admin.workflows.steered.map(({ what, request }) => [what, request])).toEqual(
    [1, 2].map(() => [
      'resume',
      { actor: 'admin of the shop', keyId, requestId: expect.any(String), reason: 'open again' },
    ]),
  );
  expect(steered()).toEqual(['sub_a', 'sub_b']);
  const audit = await admin.call('GET', '/v1/audit?type=bulk.started', { role: 'viewer' });
  const expected = { actor: 'admin of the shop', keyId, data: { action: 'resume', total: 2 } };
  expect(audit.json().items[0]).toMatchObject(expected);
});

test('a call of a job that is refused does not stop the other calls, and its result says why', async () => {
  await create('sub_a', 'sub_b', 'sub_c');
  admin.workflows.onSteer = (id: SubscriptionId) =>
    id === 'sub_b' ? { kind: 'refused', code: 'state_conflict', message: 'it is not paused' } : { kind: 'done' };
  const location = await run({ action: 'resume', filter: NORTH });
  expect(await waitForEnd(location)).toMatchObject({ state: 'finished', done: 3, refused: 1 });
  const { items } = await jobOf(`${location}/results`);
  expect(items).toEqual([
    { subscriptionId: 'sub_c', state: 'done', at: '2027-01-31T12:00:00.000Z' },
    {
      subscriptionId: 'sub_b',
      state: 'refused',
      at: '2027-01-31T12:00:00.000Z',
      problem: expect.objectContaining({ status: 409, code: 'state_conflict', detail: 'it is not paused' }),
    },
    { subscriptionId: 'sub_a', state: 'done', at: '2027-01-31T12:00:00.000Z' },
  ]);
  expect((await jobOf(`${location}/results?state=refused`)).items).toEqual([items[1]]);
  expect((await jobOf(`${location}/results?state=done&limit=1`)).items).toEqual([items[0]]);
  const auditLog = await admin.call('GET', '/v1/subscriptions/sub_b/events', { role: 'viewer' });
  expect(auditLog.json().items[0]).toMatchObject({ type: 'request.refused', actor: 'admin of the shop' });
});

test('the token of a dry run starts one job, and is refused afterwards', async () => {
  await create('sub_a');
  const token = await tokenOf({ action: 'resume', filter: NORTH });
  const jobId = (await bulk({ token })).json().jobId;
  const again = await bulk({ token });
  expect(again.json()).toMatchObject({ status: 409, code: 'token_used', jobId });
  await waitForEnd(`/v1/jobs/${jobId}`);
  expect(steered()).toEqual(['sub_a']);
});

test('a job is not started if the selection has changed, and the response says how', async () => {
  await create('sub_a', 'sub_b', 'sub_c');
  const token = await tokenOf({ action: 'resume', filter: NORTH });
  await create('sub_d');
  await admin.call('PATCH', '/v1/subscriptions/sub_a', { body: { metadata: {} } });
  await applyChange(admin.db, {
    subscriptionId: 'sub_b' as SubscriptionId,
    key: 'k',
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { status: 'paused' },
  });
  const answer = await bulk({ token });
  expect(answer.json()).toMatchObject({
    status: 409,
    code: 'selection_changed',
    added: { count: 1, subscriptionIds: ['sub_d'] },
    removed: { count: 1, subscriptionIds: ['sub_a'] },
    changed: {
      count: 1,
      subscriptions: [{ subscriptionId: 'sub_b', was: { status: 'active' }, is: { status: 'paused' } }],
    },
  });
  expect(steered()).toEqual([]);
});

test.each([
  ['is refused 15 minutes later', 15 * MINUTE, 409],
  ['starts its job a millisecond less than 15 minutes later', 15 * MINUTE - 1, 202],
])('the token of a dry run %s', async (_name, ms, status) => {
  await create('sub_a');
  const token = await tokenOf({ action: 'resume', filter: NORTH });
  admin.clock.real += ms;
  expect((await bulk({ token })).statusCode).toBe(status);
});

test('a job is not started with the token of another key', async () => {
  await create('sub_a');
  const token = await tokenOf({ action: 'resume', filter: NORTH });
  expect((await bulk({ token }, 'operator')).statusCode).toBe(400);
});

test('fields sent with the token of a dry run must be those of the dry run', async () => {
  await create('sub_a');
  const asked = { action: 'resume', parameters: { reason: 'a' }, filter: NORTH };
  const token = await tokenOf(asked);
  const other = await bulk({ ...asked, action: 'pause', parameters: { reason: 'b' }, token });
  expect(faultsOf(other).map(({ path }) => path)).toEqual(['action', 'parameters']);
  expect((await bulk({ ...asked, token })).statusCode).toBe(202);
});

test('a retry of a bulk job applies to the cycle that waits for a retry, and is refused if no cycle does', async () => {
  await create('sub_a', 'sub_b');
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, retries_left, retry_until, next_attempt_at)
       values ('sub_a', 3, now(), now() + interval '5 days', 1999, 'dunning', 2, now() + interval '3 days', now())`,
  );
  const location = await run({ action: 'retry', parameters: { reason: 'payday' }, filter: NORTH });
  expect(await waitForEnd(location)).toMatchObject({ done: 2, refused: 1 });
  expect(admin.workflows.steered).toMatchObject([
    { what: 'retry', id: 'sub_a', request: { cycle: 3, reason: 'payday', retryAt: null } },
  ]);
  admin.workflows.steered.splice(0);
  const parameters = { at: '2027-02-01T09:00:00Z', reason: 'payday' };
  await waitForEnd(await run({ action: 'retry', parameters, filter: NORTH }));
  const retryAt = Date.parse(parameters.at);
  expect(admin.workflows.steered).toMatchObject([{ what: 'retry', id: 'sub_a', request: { cycle: 3, retryAt } }]);
});

test.each([
  ['resume', { until: 'x' }, 'parameters.until', 'unknown field'],
  ['retry', {}, 'parameters.reason', expect.stringMatching(/^expected /)],
  ['pause', { until: 'soon' }, 'parameters.until', expect.stringMatching(/^expected /)],
])('stored parameters of %s that are no longer valid are refused at once', async (action, stored, path, message) => {
  await create('sub_a');
  const token = await tokenOf({ action, parameters: { reason: 'open again' }, filter: NORTH });
  await admin.db.query('update jobs set work = jsonb_set(work, $1, $2)', ['{parameters}', stored]);
  const location = String((await bulk({ token })).headers['location']);
  expect(await waitForEnd(location)).toMatchObject({ state: 'finished', done: 1, refused: 1 });
  expect((await jobOf(`${location}/results`)).items).toMatchObject([
    { state: 'refused', problem: { status: 400, code: 'invalid_request', errors: [{ path, message }] } },
  ]);
  const { rows } = await admin.db.query('select tries from job_items');
  expect(rows).toEqual([{ tries: 1 }]);
  expect(steered()).toEqual([]);
});

test('the audit entry of a refused retry names its cycle, and nothing is written if no cycle waits for a retry', async () => {
  await create('sub_retried', 'sub_waiting');
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, retries_left, retry_until, next_attempt_at)
       values ('sub_retried', 3, now(), now() + interval '5 days', 1999, 'dunning', 2, now() + interval '3 days', now())`,
  );
  admin.workflows.onSteer = () => ({
    kind: 'refused',
    code: 'retry_not_allowed',
    message: 'the payer is not notified',
  });
  await waitForEnd(await run({ action: 'retry', parameters: { reason: 'payday' }, filter: NORTH }));
  const refusalsOf = async (id: string) =>
    eventsOf(await admin.call('GET', `/v1/subscriptions/${id}/events`)).filter(
      ({ type }) => type === 'request.refused',
    );
  expect(await refusalsOf('sub_retried')).toMatchObject([
    { data: { request: 'retry', cycle: 3, code: 'retry_not_allowed' }, actor: 'admin of the shop' },
  ]);
  expect(await refusalsOf('sub_waiting')).toEqual([]);
});

test('a stopped job is not continued', async () => {
  await create('sub_a', 'sub_b');
  admin.workflows.onSteer = ledgerDown;
  const location = await run({ action: 'resume', filter: NORTH });
  await waitUntil('both were tried', () => admin.workflows.steered.length >= 2);
  expect((await jobOf(location)).done).toBe(0);
  const stopped = await admin.call('DELETE', location, { role: 'operator' });
  expect(stopped.json()).toMatchObject({ state: 'stopped', done: 0 });
  expect((await jobOf(`${location}/results`)).items.map((item) => item.state)).toEqual(['not_done', 'not_done']);
  expect((await admin.call('DELETE', location)).json()).toMatchObject({ state: 'stopped' });
});

/** Restores the state of calls whose process died before it recorded their results. */
async function forget(): Promise<void> {
  await admin.db.query(`update job_items set state = 'waiting', done_at = null, leased_until = null`);
  // Last, because a poll would finish a job without waiting calls.
  await admin.db.query(`update jobs set state = 'running', ended_real_at = null`);
}

const requestIds = () =>
  admin.workflows.steered.map(({ request }) => ('requestId' in request ? request.requestId : undefined));

test('a call of a job that is repeated has the same request id, by which the ledger carries it out only once', async () => {
  await create('sub_a', 'sub_b');
  const location = await run({ action: 'resume', filter: NORTH });
  await waitForEnd(location);
  await forget();
  expect(await waitForEnd(location)).toMatchObject({ state: 'finished', done: 2, refused: 0 });
  expect(steered()).toEqual(['sub_a', 'sub_a', 'sub_b', 'sub_b']);
  expect(new Set(requestIds()).size).toBe(2);
});

test('a retry of a job that is repeated counts as done if it was carried out before, although no cycle waits for a retry any more', async () => {
  await create('sub_a');
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, retries_left, retry_until, next_attempt_at)
       values ('sub_a', 3, now(), now() + interval '5 days', 1999, 'dunning', 2, now() + interval '3 days', now())`,
  );
  const location = await run({ action: 'retry', parameters: { reason: 'payday' }, filter: NORTH });
  await waitForEnd(location);
  await admin.db.query(`insert into changes (subscription_id, change_key, at) values ('sub_a', $1, now())`, [
    `steered/retry/${requestIds()[0]}`,
  ]);
  await admin.db.query(`update cycles set status = 'collecting', next_attempt_at = null`);
  await forget();
  expect(await waitForEnd(location)).toMatchObject({ state: 'finished', done: 1, refused: 0 });
  expect(requestIds()).toHaveLength(1);
});

test('a call of a job that is repeated because the API was not ready makes the same request, even on the next day', async () => {
  await create('sub_a');
  admin.workflows.onSteer = () => {
    admin.clock.real += DAY;
    return admin.workflows.steered.length < 2 ? ledgerDown() : { kind: 'done' };
  };
  const location = await run({ action: 'resume', filter: NORTH });
  await waitUntil('it was made again', async () => {
    await admin.db.query('update job_items set leased_until = null');
    return admin.workflows.steered.length === 2;
  });
  expect(await waitForEnd(location)).toMatchObject({ done: 1, refused: 0 });
  expect(requestIds()).toEqual([expect.any(String), requestIds()[0]]);
});

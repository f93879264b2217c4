import type { LightMyRequestResponse } from 'fastify';
import { issueKey, type WantedKey } from '../../src/admin/access/key-ring';
import type { SubscriptionId } from '../../src/domain/ids';
import type { ChangeOutcome } from '../../src/temporal';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import { applyChange, listEvents, listKeys, type Role } from '../../src/ledger';
import { sendOf, settle, startDebit, subscribe } from '../ledger/ledger-fixture';
import { createCollected, type Collected } from '../ledger/refund-fixture';
import {
  type AdminUnderTest,
  BOOTSTRAP_KEY,
  type CallOptions,
  faultPaths,
  NOW,
  PRODUCTION,
  SANDBOX,
  startAdmin,
} from './admin-under-test';
import { ledgerDown } from './fake-subscriptions';
import { order } from './order';
import { createAuthorized, createBooked, BOTH_FLAGS, eur, pathOf } from './payment-order';

/** A policy with an amount of 10.00 EUR, above which a second person must approve. */
const GUARDED = { ...SANDBOX, approvalAboveCents: 1000 };
const TOO_MUCH = eur(1001);
const LITTLE = eur(1000);

let admin: AdminUnderTest;
let shop: Collected;
let ada: string;
let grace: string;
let tom: string;
let lin: string;
let nobody: string;

async function keyOf(
  on: AdminUnderTest,
  name: string,
  role: Role,
  holder: string | null,
  more: Partial<WantedKey> = {},
) {
  const act = { actor: 'test', reason: null, at: NOW, realAt: on.clock.real };
  const issued = await issueKey(on.db, { name, role, holder, ...more }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return issued.key;
}

beforeAll(async () => {
  admin = await startAdmin({ policy: GUARDED });
  ada = await keyOf(admin, 'ada', 'admin', 'Ada Byron');
  grace = await keyOf(admin, 'grace', 'admin', 'Grace Hopper', { scopes: ['approvals'] });
  tom = await keyOf(admin, 'till', 'operator', 'Tom Kilburn');
  lin = await keyOf(admin, 'lin', 'admin', 'Lin Clark');
  nobody = await keyOf(admin, 'backend', 'admin', null);
});
beforeEach(async () => {
  shop = await createCollected(admin.db);
  admin.workflows.steered.splice(0);
  admin.refunds.ran.splice(0);
  admin.refunds.onRun = () => ({ kind: 'running' });
  admin.payments.ran.splice(0);
});
afterAll(() => admin.stop());

let count = 0;
const fresh = () => `key-${(count += 1)}`;

interface Wanted extends CallOptions {
  approval?: string;
}

const post = (url: string, { approval, headers = {}, ...rest }: Wanted) =>
  admin.call('POST', url, {
    ...rest,
    headers: { ...headers, ...(approval === undefined ? {} : { 'dueday-approval': approval }) },
  });

const refundPath = () => `/v1/subscriptions/${shop.subscriptionId}/cycles/0/refunds`;
const refund = (options: Wanted = {}) =>
  post(refundPath(), { key: tom, idempotencyKey: fresh(), body: { amount: TOO_MUCH }, ...options });

const capture = (paymentId: string, options: Wanted = {}) =>
  post(`${pathOf(paymentId)}/captures`, {
    ...{ key: tom, idempotencyKey: fresh(), body: { amount: TOO_MUCH } },
    ...options,
  });

/** Creates a cycle that waits for an operator. @returns the cycle, and the path of the call that resolves it */
async function createUnresolved() {
  const send = sendOf(await subscribe(admin.db));
  const ref = await startDebit(admin.db, send);
  await settle(admin.db, ref, 'unresolved');
  const { subscriptionId, cycle, dueAt, collectBy, amount } = send;
  await applyChange(admin.db, {
    ...{ subscriptionId, key: 'unresolved', at: NOW, actor: 'test', events: [] },
    cycle: { cycle, dueAt, collectBy, amount, status: 'unresolved' },
  });
  return { send, ref, path: `/v1/subscriptions/${send.subscriptionId}/cycles/0/resolve` };
}

const WORD = { outcome: 'failed', evidence: 'bank statement' } as const;

interface Shown {
  approvalId: string;
  state: string;
}

/** The id of the approval that the response names. */
function requiredBy(answer: LightMyRequestResponse): string {
  const problem = answer.json<{ code: string; approvalId: string }>();
  if (problem.code !== 'approval_required') throw new Error(answer.body);
  return problem.approvalId;
}

const decide = (verb: 'approve' | 'reject', approvalId: string, key: string, options: Wanted = {}) =>
  post(`/v1/approvals/${approvalId}/${verb}`, { key, body: { reason: 'seen the goods' }, ...options });

async function approve(answer: LightMyRequestResponse): Promise<string> {
  const approvalId = requiredBy(answer);
  const decided = await decide('approve', approvalId, grace);
  if (decided.statusCode !== 200) throw new Error(decided.body);
  return approvalId;
}

const codeOf = (answer: LightMyRequestResponse) =>
  answer.statusCode < 300 ? answer.statusCode : answer.json<{ code: string }>().code;

async function auditEntriesOf(approvalId: string) {
  const { items } = await listEvents(admin.db, {}, { limit: 200, cursor: null });
  return items.filter(({ data }) => data['approvalId'] === approvalId).toReversed();
}

const shown = async (approvalId: string) => {
  const list = await admin.call('GET', '/v1/approvals?limit=200', { key: tom });
  return list.json<{ items: Shown[] }>().items.find((each) => each.approvalId === approvalId);
};

test('a refund above the configured amount is made once another person has approved it, and the audit log has each step', async () => {
  const asked = await refund();
  const approvalId = requiredBy(asked);
  expect(asked.statusCode).toBe(409);
  expect(asked.json()).toMatchObject({ expiresAt: new Date(admin.clock.real + DAY).toISOString() });
  const call = `POST ${refundPath()}`;
  const facts = { cycle: 0, captureId: shop.captureId };
  const about = { operation: 'refundCycle', call, amount: TOO_MUCH, facts };
  expect(await shown(approvalId)).toMatchObject({
    ...{ ...about, state: 'pending', subscriptionId: shop.subscriptionId },
    ...{ requestedBy: 'till', holder: 'Tom Kilburn' },
  });
  expect(admin.refunds.ran).toEqual([]);
  const decided = await decide('approve', approvalId, grace);
  expect([decided.statusCode, decided.json()]).toMatchObject([
    200,
    { ...about, state: 'approved', decidedBy: 'grace' },
  ]);
  expect(codeOf(await refund({ approval: approvalId }))).toBe(201);
  expect(admin.refunds.ran).toHaveLength(1);
  expect(await shown(approvalId)).toMatchObject({ state: 'used', usedAt: expect.any(String) });
  const auditLog = await auditEntriesOf(approvalId);
  expect(auditLog.map(({ type, actor }) => [type, actor])).toEqual([
    ['approval.requested', 'till'],
    ['approval.approved', 'grace'],
    ['approval.used', 'till'],
  ]);
  const [asking, deciding, using] = auditLog.map(({ keyId }) => keyId);
  expect([typeof asking, typeof deciding, using]).toEqual(['string', 'string', asking]);
  expect(deciding).not.toBe(asking);
});

test('a refund of exactly the configured amount needs no approval', async () => {
  expect(codeOf(await refund({ body: { amount: LITTLE } }))).toBe(201);
});

test('a repeated refund above the configured amount waits for the same approval', async () => {
  const [one, other] = [requiredBy(await refund()), requiredBy(await refund())];
  expect(other).toBe(one);
  expect(requiredBy(await refund({ approval: one }))).toBe(one);
  await decide('approve', one, grace);
  expect(requiredBy(await refund())).toBe(one);
});

test('a refund above the configured amount, requested many times concurrently, waits for one approval', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => refund()));
  expect(new Set(answers.map(requiredBy)).size).toBe(1);
});

test('a refund above the configured amount that a rule forbids is refused at once, without asking for or consuming an approval', async () => {
  expect(codeOf(await refund({ body: { amount: eur(2000) } }))).toBe('refund_not_allowed');
  const approval = await approve(await refund());
  expect(codeOf(await refund({ body: { amount: eur(999) } }))).toBe(201);
  expect(codeOf(await refund({ approval }))).toBe('refund_not_allowed');
  expect(await shown(approval)).toMatchObject({ state: 'approved' });
  const { items } = await listEvents(admin.db, { subscriptionId: shop.subscriptionId }, { limit: 200, cursor: null });
  expect(items.filter(({ type }) => type === 'refund.refused')).toHaveLength(2);
});

test('a refund above the daily limit of the key is refused at once', async () => {
  const key = await keyOf(admin, fresh(), 'operator', 'Tom Kilburn', { refundPerDayAmount: LITTLE });
  expect(codeOf(await refund({ key }))).toBe('limit_exceeded');
});

test('a refund above the configured amount is refused during a halt without consuming an approval', async () => {
  const approval = await approve(await refund());
  await admin.call('POST', '/v1/halt', { body: { reason: 'drill' } });
  expect(codeOf(await refund({ approval }))).toBe('halted');
  await admin.call('DELETE', '/v1/halt');
  expect(codeOf(await refund({ approval }))).toBe(201);
});

test('an approval permits one request, however many are sent concurrently', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const approval = await approve(await capture(paymentId));
  const answers = await Promise.all(Array.from({ length: 6 }, () => capture(paymentId, { approval })));
  expect(answers.map(codeOf).toSorted()).toEqual([201, ...Array<string>(5).fill('approval_used')]);
  expect(admin.payments.ran).toHaveLength(1);
});

test.each<[string, () => Wanted]>([
  ['another amount', () => ({ body: { amount: eur(1002) } })],
  ['another reason', () => ({ body: { amount: TOO_MUCH, reason: 'broken' } })],
  ['another key', () => ({ key: ada })],
])('an approval does not permit %s', async (_what, change) => {
  const approval = await approve(await refund());
  expect(codeOf(await refund({ approval, ...change() }))).toBe('approval_mismatch');
  expect(codeOf(await refund({ approval }))).toBe(201);
});

test('an approval does not permit another path', async () => {
  const approval = await approve(await refund());
  shop = await createCollected(admin.db);
  expect(codeOf(await refund({ approval }))).toBe('approval_mismatch');
});

test('a request with an unknown approval id is answered with approval_mismatch, and one with a malformed approval id with 400', async () => {
  const approval = '00000000-0000-4000-8000-000000000000';
  expect(codeOf(await refund({ approval }))).toBe('approval_mismatch');
  const answer = await refund({ approval: 'yes' });
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['Dueday-Approval']]);
});

test('a rejected approval permits nothing, and the same request asks for a new one', async () => {
  const approval = requiredBy(await refund());
  expect((await decide('reject', approval, grace)).json()).toMatchObject({ state: 'rejected', decidedBy: 'grace' });
  expect(codeOf(await refund({ approval }))).toBe('approval_rejected');
  expect(requiredBy(await refund())).not.toBe(approval);
  expect((await auditEntriesOf(approval)).at(-1)).toMatchObject({
    type: 'approval.rejected',
    data: { reason: 'seen the goods', requestedBy: 'till' },
  });
});

test('an approval can be rejected after it was approved, but not after it was used', async () => {
  const approval = await approve(await refund());
  expect((await decide('reject', approval, grace)).statusCode).toBe(200);
  expect(codeOf(await refund({ approval }))).toBe('approval_rejected');
  const other = await approve(await refund());
  await refund({ approval: other });
  expect(codeOf(await decide('reject', other, grace))).toBe('state_conflict');
});

test('an approval expires 24 hours after it was requested, whether or not a second person has decided', async () => {
  const startedAt = admin.clock.real;
  const undecided = requiredBy(await refund({ body: { amount: TOO_MUCH, reason: 'late' } }));
  const approval = await approve(await refund());
  admin.clock.real = startedAt + DAY - 1;
  expect(await shown(approval)).toMatchObject({ state: 'approved' });
  admin.clock.real = startedAt + DAY;
  expect(await shown(approval)).toMatchObject({ state: 'expired' });
  expect(codeOf(await refund({ approval }))).toBe('approval_expired');
  expect(codeOf(await decide('approve', undecided, grace))).toBe('state_conflict');
  expect(requiredBy(await refund())).not.toBe(approval);
});

test.each<[string, () => Promise<string>]>([
  ['the requesting key', async () => ada],
  ['another key of the same holder', () => keyOf(admin, fresh(), 'admin', 'Ada Byron')],
  ['a holder whose name differs only in case and spaces', () => keyOf(admin, fresh(), 'admin', 'ada  BYRON')],
  ['a key without a holder', async () => nobody],
])('a request cannot be approved by %s', async (_what, keyThat) => {
  const approvalId = requiredBy(await refund({ key: ada }));
  expect(codeOf(await decide('approve', approvalId, await keyThat()))).toBe('forbidden');
  expect(await shown(approvalId)).toMatchObject({ state: 'pending' });
});

const createOperatorKey = async (key: string) => {
  const body = { name: fresh(), role: 'operator', holder: 'Tom Kilburn' };
  return (await admin.call('POST', '/v1/keys', { key, body })).json<{ key: string; keyId: string }>();
};
test.each<[string, () => Promise<{ key: string }>]>([
  ['created', () => createOperatorKey(ada)],
  [
    'rotated',
    async () => {
      const { keyId } = await createOperatorKey(lin);
      return (await admin.call('POST', `/v1/keys/${keyId}/rotate`, { key: ada, body: {} })).json<{ key: string }>();
    },
  ],
])('the person who %s the requesting key cannot approve with any key, but may reject', async (_what, keyThat) => {
  const { key } = await keyThat();
  const approvalId = requiredBy(await refund({ key }));
  const other = await keyOf(admin, fresh(), 'admin', 'ada byron');
  for (const seen of [ada, other]) expect(codeOf(await decide('approve', approvalId, seen))).toBe('forbidden');
  expect(await shown(approvalId)).toMatchObject({ state: 'pending' });
  expect((await decide('approve', approvalId, grace)).statusCode).toBe(200);
  expect((await decide('reject', approvalId, ada)).statusCode).toBe(200);
});

test('the creator of the requesting key cannot approve even after another person has rotated that key', async () => {
  const { keyId } = await createOperatorKey(ada);
  const rotated = await admin.call('POST', `/v1/keys/${keyId}/rotate`, { key: lin, body: {} });
  const { key } = rotated.json<{ key: string }>();
  const approvalId = requiredBy(await refund({ key }));
  expect(codeOf(await decide('approve', approvalId, ada))).toBe('forbidden');
});

interface Made {
  readonly key: string;
  readonly keyId: string;
}
/** Creates a key through the API, with the key `by`. */
const create = async (by: string, holder: string | null, role: Role = 'admin') => {
  const body = { name: fresh(), role, ...(holder === null ? {} : { holder }) };
  const on = await admin.another({ policy: SANDBOX });
  const answer = await admin.call('POST', '/v1/keys', { key: by, body, on });
  await on.close();
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<Made>();
};
const rotate = async ({ keyId }: Made, by: string) => {
  const on = await admin.another({ policy: SANDBOX });
  const answer = await admin.call('POST', `/v1/keys/${keyId}/rotate`, { key: by, body: {}, on });
  await on.close();
  return answer.json<Made>();
};
const judged = async (asks: string, approves: string) => {
  const asked = await refund({ key: asks });
  if (codeOf(asked) !== 'approval_required') return codeOf(asked);
  return codeOf(await decide('approve', requiredBy(asked), approves));
};

test('a key created, directly or indirectly, by a key without a holder cannot request an approval', async () => {
  const first = await create(nobody, 'Ann');
  const second = await create(first.key, 'Bea');
  expect([await judged(first.key, grace), await judged(second.key, grace)]).toEqual(['forbidden', 'forbidden']);
  expect(await judged((await rotate(second, second.key)).key, grace)).toBe('forbidden');
});

test('a key created, directly or indirectly, by a key without a holder cannot approve', async () => {
  const first = await create(nobody, 'Cara');
  const second = await create(first.key, 'Dora');
  expect([await judged(tom, first.key), await judged(tom, second.key)]).toEqual(['forbidden', 'forbidden']);
});

test('the holder of a key that indirectly created the requesting key cannot approve', async () => {
  const between = await create(ada, 'Fay');
  const asks = await create(between.key, 'Gus', 'operator');
  expect([await judged(asks.key, ada), await judged(asks.key, grace)]).toEqual(['forbidden', 200]);
});

test('the holder of a key that created the approving key, directly or indirectly, cannot request that approval', async () => {
  const between = await create(ada, 'Hal');
  const approves = await create(between.key, 'Ida');
  expect([await judged(ada, approves.key), await judged(tom, approves.key)]).toEqual(['forbidden', 200]);
});

test('the person who rotated the approving key cannot request that approval', async () => {
  const approves = await rotate(await create(lin, 'Joy'), ada);
  expect([await judged(ada, approves.key), await judged(tom, approves.key)]).toEqual(['forbidden', 200]);
});

test('the creator of both keys cannot use one to approve the other', async () => {
  const [asks, approves] = [await create(ada, 'Kim', 'operator'), await create(ada, 'Lou')];
  expect([await judged(asks.key, approves.key), await judged(asks.key, grace)]).toEqual(['forbidden', 200]);
});

test.each(['\u0410da Byron', 'Zo\u00eb', 'Ada\u200b Byron', 'Ada\u00a0Byron', ''])(
  'a holder must be printable ASCII, not %j',
  async (holder) => {
    const answer = await admin.call('POST', '/v1/keys', { body: { name: fresh(), role: 'viewer', holder } });
    expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['holder']]);
  },
);

test('another holder can also approve in a session of the console', async () => {
  const approvalId = requiredBy(await refund());
  const session = await admin.call('POST', '/v1/session', { key: grace });
  const cookie = String(session.headers['set-cookie']).split(';', 1)[0]!;
  const { csrfToken } = session.json<{ csrfToken: string }>();
  const answer = await admin.app.inject({
    method: 'POST',
    url: `/v1/approvals/${approvalId}/approve`,
    headers: { cookie, origin: 'http://localhost', host: 'localhost', 'x-csrf-token': csrfToken },
    payload: { reason: 'seen' },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { state: 'approved' }]);
});

test('approving needs a reason', async () => {
  const approvalId = requiredBy(await refund());
  expect(faultPaths(await decide('approve', approvalId, grace, { body: {} }))).toEqual(['reason']);
});

test('a requester may reject their own request', async () => {
  const approvalId = requiredBy(await refund({ key: ada }));
  expect((await decide('reject', approvalId, ada)).statusCode).toBe(200);
});

test('approving an unknown approval is answered with 404', async () => {
  expect(codeOf(await decide('approve', '00000000-0000-4000-8000-000000000000', grace))).toBe('not_found');
});

test('a key without a holder cannot request an approval', async () => {
  expect(codeOf(await refund({ key: nobody }))).toBe('forbidden');
});

test('an Idempotency-Key stores the response of the approved request, not the response that required an approval', async () => {
  const idempotencyKey = fresh();
  const approval = await approve(await refund({ idempotencyKey }));
  const made = await refund({ idempotencyKey, approval });
  const again = [await refund({ idempotencyKey, approval }), await refund({ idempotencyKey })];
  expect(again.map((each) => [each.statusCode, each.headers['idempotent-replay'], each.body])).toEqual(
    Array<unknown>(2).fill([201, 'true', made.body]),
  );
  expect(admin.refunds.ran).toHaveLength(1);
  expect((await auditEntriesOf(approval)).filter(({ type }) => type === 'approval.used')).toHaveLength(1);
});

test('a used approval still permits its request after a 503 if it is repeated with the same Idempotency-Key', async () => {
  const { send, path } = await createUnresolved();
  admin.workflows.onSteer = ledgerDown;
  const idempotencyKey = fresh();
  const word = (options: Wanted = {}) => post(path, { key: ada, idempotencyKey, body: WORD, ...options });
  const approval = await approve(await word());
  expect((await word({ approval })).statusCode).toBe(503);
  expect((await word({ approval })).statusCode).toBe(503);
  expect(codeOf(await word({ approval, idempotencyKey: fresh() }))).toBe('approval_used');
  admin.workflows.onSteer = null;
  expect(codeOf(await word({ approval }))).toBe(200);
  const kept = { actor: 'ada', type: 'cycle.resolved' };
  const { items } = await listEvents(admin.db, send, { limit: 10, cursor: null });
  expect(items.filter(({ actor, type }) => actor === kept.actor && type === kept.type)).toHaveLength(1);
  await admin.db.query('delete from idempotency_keys where key = $1', [idempotencyKey]);
  expect(codeOf(await word({ approval }))).toBe(200);
});

test('a capture above the configured amount waits for approval, one of exactly that amount does not', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  expect(codeOf(await capture(paymentId, { body: { amount: LITTLE } }))).toBe(201);
  const approval = await approve(await capture(paymentId));
  const facts = { finalCapture: false };
  expect(await shown(approval)).toMatchObject({ operation: 'capturePayment', paymentId, facts });
  expect(codeOf(await capture(paymentId, { approval }))).toBe(201);
});

test('an approval shows whether its capture is final, because a final capture releases the rest', async () => {
  const body = { amount: TOO_MUCH, finalCapture: true };
  const asked = await capture(await createAuthorized(admin, BOTH_FLAGS), { body });
  expect(await shown(requiredBy(asked))).toMatchObject({ facts: { finalCapture: true } });
});

test('a capture that a rule forbids is refused at once, without asking for or consuming an approval', async () => {
  const paymentId = await createAuthorized(admin, { partialCapture: true });
  const approval = await approve(await capture(paymentId));
  expect(codeOf(await capture(paymentId, { body: { amount: LITTLE } }))).toBe(201);
  expect(codeOf(await capture(paymentId))).toBe('capture_not_allowed');
  expect(codeOf(await capture(paymentId, { approval }))).toBe('capture_not_allowed');
  expect(await shown(approval)).toMatchObject({ state: 'approved' });
});

test('a refund of a one-time payment above the configured amount waits for an approval that names the capture', async () => {
  const paymentId = await createBooked(admin, 1999);
  const refundOf = (value: number) =>
    post(`${pathOf(paymentId)}/refunds`, { key: tom, idempotencyKey: fresh(), body: { amount: eur(value) } });
  expect(codeOf(await refundOf(2000))).toBe('refund_not_allowed');
  const facts = { captureId: `booked-${paymentId}` };
  const approvalId = requiredBy(await refundOf(1001));
  expect(await shown(approvalId)).toMatchObject({ operation: 'refundPayment', paymentId, facts });
});

const CHANGED: ChangeOutcome = {
  kind: 'changed',
  change: {
    ...{ amount: euros(2999), previousAmount: euros(1999), fromCycle: 1, effectiveAt: NOW + DAY },
    ...{ kind: 'increase', countsAsIncrease: true, nextIncreaseAllowedFrom: null },
  },
};

describe('POST /v1/subscriptions/{id}/amount-changes', () => {
  beforeEach(async () => {
    await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
    await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'sub_a'`);
    admin.workflows.onChange = () => CHANGED;
  });
  const change = (value: number, options: Wanted & { dryRun?: boolean } = {}) => {
    const { dryRun, ...rest } = options;
    const body = { amount: eur(value), ...(dryRun === undefined ? {} : { dryRun }) };
    return post('/v1/subscriptions/sub_a/amount-changes', { key: tom, body, ...rest });
  };

  test.each([1999 + 1001, 1999 - 1001])('a change of amount to %i cents waits for approval', async (value) => {
    const approval = await approve(await change(value));
    expect(await shown(approval)).toMatchObject({ amount: eur(value), facts: { previousAmount: eur(1999) } });
    expect(codeOf(await change(value, { approval }))).toBe(200);
  });

  test('a change of amount that a rule forbids is refused without asking for approval', async () => {
    admin.workflows.onChange = () => ({ kind: 'refused', code: 'amount_change_not_allowed', message: 'not yet' });
    expect(codeOf(await change(9999))).toBe('amount_change_not_allowed');
    expect(admin.workflows.steered.map(({ what }) => what)).toEqual(['judgeAmount']);
  });

  test('a change of amount by no more than the configured amount needs no approval, nor does a dry run', async () => {
    expect(codeOf(await change(2999))).toBe(200);
    expect(codeOf(await change(9999, { dryRun: true }))).toBe(200);
  });
});

test('resolving a cycle with nothing unresolved is refused at once, without asking for or consuming an approval', async () => {
  const { ref, path } = await createUnresolved();
  const word = (options: Wanted = {}) => post(path, { key: ada, body: WORD, ...options });
  const approval = await approve(await word());
  await settle(admin.db, ref, 'successful');
  expect([codeOf(await word()), codeOf(await word({ approval }))]).toEqual(['state_conflict', 'state_conflict']);
  expect(await shown(approval)).toMatchObject({ state: 'approved' });
  expect(codeOf(await post(path.replace('/0/', '/7/'), { key: ada, body: WORD }))).toBe('state_conflict');
  expect(admin.workflows.steered).toEqual([]);
});

test('resolving a cycle that became unresolved before its first attempt waits for approval', async () => {
  const { subscriptionId } = await subscribe(admin.db);
  await applyChange(admin.db, {
    ...{ subscriptionId, key: 'unresolved', at: NOW, actor: 'test', events: [] },
    cycle: { cycle: 0, dueAt: NOW, collectBy: NOW + 1, amount: euros(1999), status: 'unresolved' },
  });
  const path = `/v1/subscriptions/${subscriptionId}/cycles/0/resolve`;
  expect(codeOf(await post(path, { key: ada, body: WORD }))).toBe('approval_required');
});

const SOUTH = { metadata: { shop: 'south' } };
const bulk = (body: unknown, options: Wanted = {}) => post('/v1/bulk', { key: ada, body, ...options });

test('a bulk job needs one approval, which permits one start while the approval is valid', async () => {
  await admin.call('POST', '/v1/subscriptions', {
    body: order({ subscriptionId: 'sub_south', metadata: { shop: 'south' } }),
  });
  await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'sub_south'`);
  const action = { action: 'amount-change', parameters: { amount: eur(9900) }, filter: SOUTH };
  const dryRun = await bulk({ ...action, dryRun: true });
  const { token } = dryRun.json<{ token: string }>();
  expect(dryRun.statusCode).toBe(200);
  const approval = await approve(await bulk({ token }));
  expect(await shown(approval)).toMatchObject({
    operation: 'runBulk',
    facts: { action: 'amount-change', total: 1, parameters: { amount: eur(9900) } },
  });
  admin.clock.real += DAY / 2;
  const startedJob = await bulk({ token }, { approval });
  expect([startedJob.statusCode, startedJob.json()]).toMatchObject([202, { kind: 'bulk', total: 1 }]);
  expect(codeOf(await bulk({ token }, { approval }))).toBe('token_used');
});

test('pausing, resuming, cancelling, skipping and halting need no approval', async () => {
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_p' }) });
  await applyChange(admin.db, {
    ...{ subscriptionId: 'sub_p' as SubscriptionId, key: 'due', at: NOW, actor: 'test', events: [] },
    subscription: { status: 'active' },
    cycle: { cycle: 0, dueAt: NOW, collectBy: NOW + 1, amount: euros(1999), status: 'scheduled' },
  });
  const answers = [];
  for (const verb of ['pause', 'resume', 'cycles/0/skip', 'cancel'])
    answers.push(codeOf(await post(`/v1/subscriptions/sub_p/${verb}`, { key: nobody, body: {} })));
  answers.push(codeOf(await post('/v1/halt', { key: nobody, body: { reason: 'drill' } })));
  answers.push(codeOf(await admin.call('DELETE', '/v1/halt', { key: nobody })));
  expect(answers).not.toContain('approval_required');
  expect(answers).not.toContain('forbidden');
});

test('in the sandbox nothing needs approval unless an amount is configured', async () => {
  const on = await admin.another({ policy: SANDBOX });
  expect(codeOf(await refund({ on, key: nobody }))).toBe(201);
  expect(codeOf(await post('/v1/keys', { on, key: nobody, body: { name: fresh(), role: 'admin' } }))).toBe(201);
  await on.close();
});

test('in production without a configured amount a refund needs no approval, but the resolution of a cycle does', async () => {
  const on = await admin.another({ policy: PRODUCTION });
  expect(codeOf(await refund({ on }))).toBe(201);
  const { path } = await createUnresolved();
  expect(codeOf(await post(path, { on, key: ada, body: WORD }))).toBe('approval_required');
  await on.close();
});

describe('POST /v1/keys', () => {
  let fort: AdminUnderTest;
  const make = (name: string, holder: string, key = BOOTSTRAP_KEY, approval?: string) =>
    fort.call('POST', '/v1/keys', {
      ...{ key, body: { name, holder, role: 'admin' } },
      headers: approval === undefined ? {} : { 'dueday-approval': approval },
    });
  beforeEach(async () => {
    fort = await startAdmin({ policy: PRODUCTION });
    await fort.db.query('delete from api_keys');
  });
  afterEach(() => fort.stop());

  test('the first two admin keys in production are created at once, the third only with an approval, even after one was revoked', async () => {
    const first = (await make('ada', 'Ada')).json<{ key: string; keyId: string }>();
    const second = { key: await keyOf(fort, 'grace', 'admin', 'Grace') };
    await fort.call('DELETE', `/v1/keys/${first.keyId}`, { key: second.key });
    expect(codeOf(await make('lin', 'Lin'))).toBe('forbidden');
    const asked = await make('lin', 'Lin', second.key);
    expect(codeOf(asked)).toBe('approval_required');
    const body = { name: 'till', role: 'operator', holder: 'Tom' };
    expect((await fort.call('POST', '/v1/keys', { key: second.key, body })).statusCode).toBe(201);
  });

  test('an admin key that the bootstrap key created can neither request nor give an approval', async () => {
    const { key: eves } = (await make('eve', 'Eve')).json<{ key: string }>();
    const [adas, graces] = [await keyOf(fort, 'ada', 'admin', 'Ada'), await keyOf(fort, 'grace', 'admin', 'Grace')];
    expect(codeOf(await make('lin', 'Lin', eves))).toBe('forbidden');
    const approvalId = requiredBy(await make('lin', 'Lin', adas));
    const approve = (key: string) =>
      fort.call('POST', `/v1/approvals/${approvalId}/approve`, { key, body: { reason: 'joined us' } });
    expect([codeOf(await approve(eves)), codeOf(await approve(graces))]).toEqual(['forbidden', 200]);
  });

  test('of six concurrent requests for the first admin keys in production, two succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => make(`key ${n}`, `Holder ${n}`)));
    expect(answers.map(codeOf).toSorted()).toEqual([201, 201, ...Array<string>(4).fill('forbidden')]);
  });

  test('a third admin key in production is created once another holder has approved it', async () => {
    const [adas, graces] = [await keyOf(fort, 'ada', 'admin', 'Ada'), await keyOf(fort, 'grace', 'admin', 'Grace')];
    const approvalId = requiredBy(await make('lin', 'Lin', adas));
    const approve = (key: string) =>
      fort.call('POST', `/v1/approvals/${approvalId}/approve`, { key, body: { reason: 'joined us' } });
    expect(codeOf(await approve(adas))).toBe('forbidden');
    expect((await approve(graces)).statusCode).toBe(200);
    expect((await make('lin', 'Lin', adas, approvalId)).statusCode).toBe(201);
    expect(codeOf(await make('mallory', 'Lin', adas, approvalId))).toBe('approval_mismatch');
  });

  test("the caller's own key is rotated at once, another person's only with an approval", async () => {
    const key = await keyOf(fort, 'ada', 'admin', 'Ada');
    await keyOf(fort, 'grace', 'admin', 'Grace');
    const keyIds = new Map((await listKeys(fort.db)).map(({ name, keyId }) => [name, keyId]));
    const rotate = (name: string) => fort.call('POST', `/v1/keys/${keyIds.get(name)}/rotate`, { key, body: {} });
    expect(codeOf(await rotate('grace'))).toBe('approval_required');
    expect(codeOf(await rotate('ada'))).toBe(201);
  });
});

test('approvals are listed newest first, in pages, and filtered by state', async () => {
  const made = [];
  for (const value of [1001, 1002, 1003]) {
    admin.clock.real += 1;
    made.push(requiredBy(await refund({ body: { amount: eur(value) } })));
  }
  await decide('approve', made[1]!, grace);
  const list = async (query: string) => {
    const answer = await admin.call('GET', `/v1/approvals?${query}`, { key: tom });
    return answer.json<{ items: Shown[]; nextCursor: string }>();
  };
  expect((await list('limit=3')).items.map(({ approvalId }) => approvalId)).toEqual(made.toReversed());
  expect((await list('state=approved&limit=1')).items).toMatchObject([{ approvalId: made[1], state: 'approved' }]);
  const { nextCursor } = await list('limit=2');
  expect((await list(`limit=1&cursor=${nextCursor}`)).items).toMatchObject([{ approvalId: made[0] }]);
  const notUuid = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
  expect(faultPaths(await admin.call('GET', `/v1/approvals?cursor=${notUuid}`))).toEqual(['cursor']);
});

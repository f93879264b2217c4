import type { SubscriptionId } from '../../src/domain/ids';
import type { RequestOutcome } from '../../src/temporal';
import { applyChange } from '../../src/ledger';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { ledgerDown } from './fake-subscriptions';
import { order } from './order';
import { DAY, toIso } from '../../src/domain/time';

let admin: AdminUnderTest;
let created = 0;
let id: string;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  created += 1;
  id = `sub_${created}`;
  const firstPaymentAt = '2027-02-28T12:00:00.000Z';
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: id, firstPaymentAt }) });
  await patch(`status = 'active', past_due = true`, ['unresolved:1']);
  const { workflows } = admin;
  workflows.steered.splice(0);
  workflows.notified.splice(0);
  workflows.onSteer = null;
  workflows.onNotify = () => undefined;
  workflows.onCheck = () => ({ kind: 'done' });
  workflows.onRestart = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

async function patch(assignments: string, attention?: readonly string[], subscriptionId = id): Promise<void> {
  await admin.db.query(`update subscriptions set ${assignments} where subscription_id = $1`, [subscriptionId]);
  const change = { subscriptionId: subscriptionId as SubscriptionId, key: 'patch', at: NOW, actor: 'test', events: [] };
  if (attention !== undefined) await applyChange(admin.db, { ...change, subscription: { attention } });
}
const steer = (what: string, body?: unknown) => admin.call('POST', `/v1/subscriptions/${id}/${what}`, { body });

interface AuditLog {
  items: { type: string; actor: string; data: Record<string, unknown> }[];
}

async function auditLog(): Promise<AuditLog['items']> {
  return (await admin.call('GET', `/v1/subscriptions/${id}/events`)).json<AuditLog>().items;
}

const pausedBefore = async () => void (await steer('pause'));
const SEEN = { reason: 'seen' };

const STEERS = [
  ['pause', undefined, SEEN, 200, { status: 'paused' }, 'subscription.paused'],
  ['resume', pausedBefore, SEEN, 200, { status: 'active' }, 'subscription.resumed'],
  ['cancel', undefined, SEEN, 202, { status: 'active', cancelling: true }, 'subscription.cancel_requested'],
  ['acknowledge', undefined, SEEN, 200, { standing: 'past_due' }, 'attention.acknowledged'],
] as const;

/** A notification of a workflow that is not answered until `answered` is called. Call it, or the API cannot close. */
function unansweredNotification() {
  let answered: () => void = () => undefined;
  const unanswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  return { unanswered, answered };
}

describe.each(STEERS)('%s', (path, before, body, status, shown, type) => {
  test('a steering request is in effect in the ledger when it is answered, whether or not its workflow can be notified', async () => {
    await before?.();
    admin.workflows.steered.splice(0);
    admin.workflows.notified.splice(0);
    const { unanswered, answered } = unansweredNotification();
    admin.workflows.onNotify = () => unanswered;
    const answer = await steer(path, body).finally(answered);
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { subscriptionId: id, ...shown }]);
    expect((await admin.call('GET', `/v1/subscriptions/${id}`)).json()).toMatchObject(shown);
    const request = { actor: 'admin of the shop', reason: 'seen' };
    expect(admin.workflows.steered).toMatchObject([{ what: path, id, request }]);
    expect((await auditLog())[0]).toMatchObject({ type, actor: 'admin of the shop', data: { reason: 'seen' } });
    const { rows } = await admin.db.query('select revision from subscriptions where subscription_id = $1', [id]);
    // The API's background work may notify other workflows meanwhile, and this one again.
    expect(admin.workflows.notified).toContainEqual({ id, revision: Number(rows[0].revision) });
  });

  test("a steering request is answered with 503 while the ledger cannot be reached, without the ledger's address", async () => {
    admin.workflows.onSteer = ledgerDown;
    const answer = await steer(path, body);
    expect(answer.json()).toMatchObject({ status: 503, code: 'not_ready' });
    expect(answer.body).not.toContain('10.0.0.7');
  });

  test('a steering request of an unknown subscription is not found', async () => {
    const answer = await admin.call('POST', `/v1/subscriptions/sub_nobody/${path}`, { body });
    expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(admin.workflows.steered).toEqual([]);
  });

  test('a steering request with an unknown field is refused', async () => {
    const answer = await steer(path, { ...body, colour: 'red' });
    expect(faultPaths(answer)).toEqual(['colour']);
    expect(admin.workflows.steered).toEqual([]);
  });
});

test.each([
  ['pause', () => steer('cancel')],
  ['resume', undefined],
  ['resume', () => steer('cancel')],
] as const)(
  'the request %s of a subscription whose state forbids it is a conflict, and changes nothing',
  async (path, before) => {
    await before?.();
    const [entry] = await auditLog();
    const { statusCode, body } = await admin.call('GET', `/v1/subscriptions/${id}`);
    const answer = await steer(path);
    expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
    expect(await admin.call('GET', `/v1/subscriptions/${id}`)).toMatchObject({ statusCode, body });
    const [refusal, same] = await auditLog();
    expect(refusal).toMatchObject({ type: 'request.refused', data: { request: path } });
    expect(same).toEqual(entry);
  },
);

describe.each([
  ['consent-check', undefined, 'onCheck'],
  ['restart', SEEN, 'onRestart'],
] as const)('%s', (path, body, hook) => {
  test('a steering request is answered with the subscription as the ledger has it then', async () => {
    admin.workflows[hook] = async () => {
      await patch('past_due = false', []);
      return { kind: 'done' };
    };
    const answer = await steer(path, body);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { subscriptionId: id, standing: 'good' }]);
  });

  test.each<[RequestOutcome, number, string]>([
    [{ kind: 'refused', code: 'state_conflict', message: 'not now' }, 409, 'state_conflict'],
    [{ kind: 'not_ready' }, 503, 'not_ready'],
    [{ kind: 'unavailable', reason: 'connect ECONNREFUSED 10.0.0.7:443' }, 502, 'payment_service_unavailable'],
  ])('a steering request that ends as %j is answered %i, without secrets', async (outcome, status, code) => {
    admin.workflows[hook] = () => outcome;
    const answer = await steer(path, body);
    expect(answer.json()).toMatchObject({ status, code });
    if ('message' in outcome) expect(answer.json().detail).toBe(outcome.message);
    expect(answer.body).not.toContain('10.0.0.7');
  });

  test('a steering request of an unknown subscription is not found', async () => {
    const answer = await admin.call('POST', `/v1/subscriptions/sub_nobody/${path}`, { body });
    expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('a steering request with an unknown field is refused', async () => {
    expect(faultPaths(await steer(path, { ...body, colour: 'red' }))).toEqual(['colour']);
  });
});

test('a request repeated after a 5xx is recognised, unless its path differs or a day has passed', async () => {
  admin.workflows.onSteer = ledgerDown;
  const ask = (path: string) =>
    admin.call('POST', `/v1/subscriptions/${id}/${path}`, { idempotencyKey: `again-${id}` });
  await ask('resume');
  await ask('resume');
  await ask('pause');
  admin.clock.real += DAY;
  await ask('resume');
  await steer('resume');
  const [first, again, other, later, unnamed] = admin.workflows.steered.map(({ request }) => request.requestId);
  expect(first).toEqual(expect.stringMatching(/^[0-9a-f]{32}$/));
  expect(again).toBe(first);
  expect(new Set([first, other, later]).size).toBe(3);
  expect(unnamed).toBeUndefined();
});

test('a pause whose answer was lost is carried out once, however often the request is repeated', async () => {
  const ask = () => admin.call('POST', `/v1/subscriptions/${id}/pause`, { idempotencyKey: `lost-${id}` });
  expect((await ask()).statusCode).toBe(200);
  await admin.db.query('delete from idempotency_keys where key = $1', [`lost-${id}`]);
  const again = await ask();
  expect([again.statusCode, again.json()]).toMatchObject([200, { status: 'paused' }]);
  expect((await auditLog()).filter(({ type }) => type === 'subscription.paused')).toHaveLength(1);
});

test('the repeated request for a pause is answered even after the pause has ended, and after the subscription has ended', async () => {
  const ask = (idempotencyKey: string) =>
    admin.call('POST', `/v1/subscriptions/${id}/pause`, { idempotencyKey, body: { until: toIso(NOW + 1) } });
  const forget = () => admin.db.query('delete from idempotency_keys');
  expect((await ask(`ended-${id}`)).statusCode).toBe(200);
  await forget();
  admin.clock.business = NOW + 1;
  try {
    expect((await ask(`ended-${id}`)).statusCode).toBe(200);
    expect(faultPaths(await ask(`another-${id}`))).toEqual(['until']);
  } finally {
    admin.clock.business = NOW;
  }
  await forget();
  await patch(`status = 'cancelled'`);
  expect((await ask(`ended-${id}`)).statusCode).toBe(200);
  expect((await ask(`later-${id}`)).statusCode).toBe(409);
});

describe.each(['pause', 'resume', 'cancel', 'acknowledge'])('the reason of %s', (path) => {
  test('the reason of a steering request may have several lines', async () => {
    await steer(path, { reason: 'they asked\nby phone' });
    expect(admin.workflows.steered).toMatchObject([{ request: { reason: 'they asked\nby phone' } }]);
  });

  test.each([
    ['empty', ''],
    ['blank', '  '],
    ['too long', 'r'.repeat(501)],
    ['a number', 1],
    ['of control characters', 'a\u001bb'],
  ])('the reason of a steering request is refused if it is %s', async (_what, reason) => {
    expect(faultPaths(await steer(path, { reason }))[0]).toBe('reason');
    expect(admin.workflows.steered).toEqual([]);
  });
});

test.each([undefined, {}, null])('a pause needs no body (%j)', async (body) => {
  expect((await steer('pause', body)).statusCode).toBe(200);
  expect(admin.workflows.steered).toMatchObject([{ request: { reason: null, until: null } }]);
});

test('acknowledging needs a reason', async () => {
  expect((await steer('acknowledge')).statusCode).toBe(400);
  expect(faultPaths(await steer('acknowledge', {}))).toEqual(['reason']);
});

test.each(['active', 'paused', 'cancelled'])(
  'acknowledging a subscription that is %s and needs no attention returns its state, and writes nothing',
  async (status) => {
    await patch(`status = '${status}', past_due = true`, []);
    const before = await auditLog();
    const answer = await steer('acknowledge', { reason: 'seen' });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { status, standing: 'past_due' }]);
    expect(admin.workflows.steered).toEqual([]);
    expect(await auditLog()).toEqual(before);
  },
);

test('acknowledging a subscription that another operator has acknowledged meanwhile is not a conflict', async () => {
  admin.workflows.onSteer = async () => {
    await patch('past_due = false', []);
    return { kind: 'refused', code: 'state_conflict', message: 'nothing of this subscription needs attention' };
  };
  const answer = await steer('acknowledge', { reason: 'seen' });
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { standing: 'good' }]);
});

const until = (instant: number) => steer('pause', { until: new Date(instant).toISOString() });

test('a pause until a millisecond from now is accepted', async () => {
  expect((await until(NOW + 1)).statusCode).toBe(200);
  expect(admin.workflows.steered).toMatchObject([{ request: { until: NOW + 1 } }]);
});

test.each([0, 1])('a pause until now or earlier is refused (%i ms ago)', async (ago) => {
  const answer = await until(NOW - ago);
  expect(answer.statusCode).toBe(400);
  expect(faultPaths(answer)).toEqual(['until']);
  expect(admin.workflows.steered).toEqual([]);
});

test('a pause until a day without time is refused', async () => {
  expect(faultPaths(await steer('pause', { until: '2027-03-01' }))).toEqual(['until']);
});

test('a second pause with the same end is answered with 200, and with another end it is a conflict', async () => {
  await steer('pause');
  const again = await steer('pause');
  expect([again.statusCode, again.json()]).toMatchObject([200, { status: 'paused' }]);
  const other = await steer('pause', { until: '2027-03-15T00:00:00Z' });
  expect(other.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect(other.json().detail).toBe('the subscription is paused until it is resumed; resume it first');
});

const TERMINAL = ['cancelled', 'completed', 'consent_failed'];

test.each(TERMINAL)('pausing and resuming a subscription that is %s are conflicts', async (status) => {
  await patch(`status = '${status}'`);
  for (const what of ['pause', 'resume']) {
    expect((await steer(what)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  }
  expect(admin.workflows.steered).toEqual([]);
});

test('cancelling a cancelled subscription is answered with 200, and cancelling one that ended otherwise is a conflict', async () => {
  await patch(`status = 'cancelled'`);
  expect((await steer('cancel')).statusCode).toBe(200);
  for (const status of ['completed', 'consent_failed']) {
    await patch(`status = '${status}'`);
    expect((await steer('cancel')).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  }
  expect(admin.workflows.steered).toEqual([]);
});

test.each(TERMINAL)('a consent check of a subscription that is %s returns its state', async (status) => {
  await patch(`status = '${status}'`);
  expect((await steer('consent-check')).json()).toMatchObject({ status });
});

test('a consent check of a subscription that ends meanwhile returns its state', async () => {
  admin.workflows.onCheck = async () => {
    await patch(`status = 'consent_failed'`);
    return { kind: 'not_ready' };
  };
  const answer = await steer('consent-check');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ status: 'consent_failed' });
});

test('a consent check of a subscription that ends while the service is unavailable returns its state', async () => {
  admin.workflows.onCheck = async () => {
    await patch(`status = 'cancelled'`);
    return { kind: 'unavailable', reason: 'down' };
  };
  expect((await steer('consent-check')).json()).toMatchObject({ status: 'cancelled' });
});

test('the attention item of a cancelled subscription can be acknowledged, and the audit log says by whom and why', async () => {
  await patch(`status = 'cancelled', past_due = false`, ['capture_failed:2']);
  const answer = await steer('acknowledge', { reason: 'refunded by hand' });
  expect(answer.json()).toMatchObject({ status: 'cancelled', standing: 'good' });
  expect((await auditLog())[0]).toMatchObject({
    actor: 'admin of the shop',
    type: 'attention.acknowledged',
    data: { reason: 'refunded by hand', items: ['capture_failed:2'] },
  });
  expect((await steer('acknowledge', { reason: 'again' })).statusCode).toBe(200);
});

interface Shown {
  subscriptionId: string;
  cancelling?: true;
}

test('cancelling a subscription is answered with 202 until the service has confirmed, but nothing is collected any more', async () => {
  const answer = await steer('cancel', { reason: 'moved away' });
  expect(answer.statusCode).toBe(202);
  expect(answer.json()).toMatchObject({ subscriptionId: id, status: 'active', cancelling: true });
  const { rows } = await admin.db.query('select stopped_by from subscriptions where subscription_id = $1', [id]);
  expect(rows).toEqual([{ stopped_by: 'cancel' }]);
});

test('cancelling a subscription is answered with 200 once the service has confirmed', async () => {
  // The API's background work also notifies the workflows of earlier tests.
  admin.workflows.onNotify = (notified) =>
    patch(`status = 'cancelled', cancelled_by = 'merchant'`, undefined, notified);
  const answer = await steer('cancel');
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { status: 'cancelled', cancelledBy: 'merchant' }]);
});

test('cancelling a subscription again during the cancellation is answered with 202, and is requested only once', async () => {
  await steer('cancel');
  expect((await steer('cancel')).statusCode).toBe(202);
  expect((await auditLog()).filter(({ type }) => type === 'subscription.cancel_requested')).toHaveLength(1);
});

test('cancelling a paused subscription leaves the pause until the service has confirmed', async () => {
  await steer('pause');
  expect((await steer('cancel')).json()).toMatchObject({ status: 'paused', cancelling: true });
});

test.each([
  ['nothing was requested', `stopped_by = null`, undefined],
  ['it is paused', `status = 'paused', stopped_by = 'pause'`, undefined],
  ['its consent is still pending', `status = 'pending_consent', stopped_by = 'cancel'`, true],
  ['the service has not confirmed', `stopped_by = 'cancel'`, true],
  ['the service has not confirmed, in a pause', `status = 'paused', stopped_by = 'cancel'`, true],
  ['the service has confirmed', `status = 'cancelled', cancelled_by = 'merchant', stopped_by = 'cancel'`, undefined],
  ['the consent had failed', `status = 'consent_failed', stopped_by = 'cancel'`, undefined],
])('whether a subscription is being cancelled is shown: %s', async (_when, assignments, cancelling) => {
  await patch(assignments);
  const one = await admin.call('GET', `/v1/subscriptions/${id}`);
  const list = await admin.call('GET', '/v1/subscriptions');
  expect(one.json<Shown>().cancelling).toBe(cancelling);
  const items = list.json<{ items: Shown[] }>().items.filter((each) => each.subscriptionId === id);
  expect(items.map((each) => each.cancelling)).toEqual([cancelling]);
});

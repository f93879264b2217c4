import type { SteerOutcome } from '../../src/gateway';
import { type AdminUnderTest, faultPaths, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { DAY } from '../../src/domain/time';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
});
beforeEach(async () => {
  await patch(`status = 'active', hold = null, past_due = false, attention = '{unresolved:1}', cancelled_by = null`);
  admin.gateway.steered.splice(0);
  admin.gateway.onSteer = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

const patch = (assignments: string) =>
  admin.db.query(`update subscriptions set ${assignments} where subscription_id = 'sub_a'`);
const steer = (what: string, body?: unknown) => admin.call('POST', `/v1/subscriptions/sub_a/${what}`, { body });

const STEERS = [
  ['pause', 'pause', undefined],
  ['resume', 'resume', undefined],
  ['cancel', 'cancel', undefined],
  ['consent-check', 'check_consent', undefined],
  ['acknowledge', 'acknowledge', { reason: 'seen' }],
] as const;

describe.each(STEERS)('%s', (path, what, body) => {
  test('asks the workflow, and answers the subscription as the ledger has it then', async () => {
    admin.gateway.onSteer = async () => {
      await patch(`past_due = true, attention = '{}'`);
      return { kind: 'done' };
    };
    const answer = await steer(path, body);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ subscriptionId: 'sub_a', standing: 'past_due' });
    expect(admin.gateway.steered).toMatchObject([{ what, id: 'sub_a', request: { actor: 'admin of the shop' } }]);
  });

  test.each<[string, SteerOutcome, number, string]>([
    [
      'a refusal of the workflow',
      { kind: 'refused', code: 'state_conflict', message: 'not now' },
      409,
      'state_conflict',
    ],
    [
      'a fault the workflow found',
      { kind: 'refused', code: 'invalid_request', message: 'not so' },
      400,
      'invalid_request',
    ],
    ['an ended workflow', { kind: 'finished' }, 409, 'state_conflict'],
    ['no worker', { kind: 'not_ready' }, 503, 'not_ready'],
  ])('tells of %s', async (_what, outcome, status, code) => {
    admin.gateway.onSteer = () => outcome;
    const answer = await steer(path, body);
    expect(answer.json()).toMatchObject({ status, code });
    if ('message' in outcome) expect(answer.json().detail).toBe(outcome.message);
  });

  test('of an unknown subscription is not found', async () => {
    const answer = await admin.call('POST', `/v1/subscriptions/sub_nobody/${path}`, { body });
    expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(admin.gateway.steered).toEqual([]);
  });

  test('with an unknown field is refused', async () => {
    const answer = await steer(path, { ...body, colour: 'red' });
    expect(faultPaths(answer)).toEqual(['colour']);
    expect(admin.gateway.steered).toEqual([]);
  });
});

test('a request repeated after a 5xx is known to the workflow as the same, but for a day and for another path', async () => {
  admin.gateway.onSteer = () => ({ kind: 'not_ready' });
  const ask = (path: string) => admin.call('POST', `/v1/subscriptions/sub_a/${path}`, { idempotencyKey: 'again' });
  await ask('resume');
  await ask('resume');
  await ask('pause');
  admin.clock.real += DAY;
  await ask('resume');
  await steer('resume');
  const [first, again, other, later, unnamed] = admin.gateway.steered.map(({ request }) => request.requestId);
  expect(first).toEqual(expect.stringMatching(/^[0-9a-f]{32}$/));
  expect(again).toBe(first);
  expect(new Set([first, other, later]).size).toBe(3);
  expect(unnamed).toBeUndefined();
});

describe.each(['pause', 'resume', 'cancel', 'acknowledge'])('the reason of %s', (path) => {
  test('reaches the workflow', async () => {
    await steer(path, { reason: 'they asked\nby phone' });
    expect(admin.gateway.steered).toMatchObject([{ request: { reason: 'they asked\nby phone' } }]);
  });

  test.each([
    ['empty', ''],
    ['blank', '  '],
    ['too long', 'r'.repeat(501)],
    ['a number', 1],
    ['of control characters', 'a\u001bb'],
  ])('is refused where it is %s', async (_what, reason) => {
    expect(faultPaths(await steer(path, { reason }))[0]).toBe('reason');
    expect(admin.gateway.steered).toEqual([]);
  });
});

test.each([undefined, {}, null])('a pause needs no body (%j)', async (body) => {
  expect((await steer('pause', body)).statusCode).toBe(200);
  expect(admin.gateway.steered).toMatchObject([{ request: { reason: null, until: null } }]);
});

test('acknowledging needs a reason', async () => {
  expect((await steer('acknowledge')).statusCode).toBe(400);
  expect(faultPaths(await steer('acknowledge', {}))).toEqual(['reason']);
});

describe('acknowledging where nothing needs attention', () => {
  const trail = async () => (await admin.call('GET', '/v1/subscriptions/sub_a/events')).body;

  test.each(['active', 'paused', 'cancelled'])(
    'of one that is %s answers how it stands; no workflow is asked, and nothing is written',
    async (status) => {
      await patch(`status = '${status}', past_due = true, attention = '{}'`);
      const before = await trail();
      const answer = await steer('acknowledge', { reason: 'seen' });
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { status, standing: 'past_due' }]);
      expect(admin.gateway.steered).toEqual([]);
      expect(await trail()).toBe(before);
    },
  );

  test('any more, as another person was first, is no conflict', async () => {
    admin.gateway.onSteer = async () => {
      await patch(`attention = '{}'`);
      return { kind: 'refused', code: 'state_conflict', message: 'nothing of this subscription needs attention' };
    };
    const answer = await steer('acknowledge', { reason: 'seen' });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { standing: 'good' }]);
  });
});

describe('a pause until', () => {
  const until = (instant: number) => steer('pause', { until: new Date(instant).toISOString() });

  test('a millisecond ahead is taken', async () => {
    expect((await until(NOW + 1)).statusCode).toBe(200);
    expect(admin.gateway.steered).toMatchObject([{ request: { until: NOW + 1 } }]);
  });

  test.each([0, 1])('now or earlier is refused (%i ms ago)', async (ago) => {
    const answer = await until(NOW - ago);
    expect(answer.statusCode).toBe(400);
    expect(faultPaths(answer)).toEqual(['until']);
    expect(admin.gateway.steered).toEqual([]);
  });

  test('a day without time is refused', async () => {
    expect(faultPaths(await steer('pause', { until: '2027-03-01' }))).toEqual(['until']);
  });
});

test('a consent check that the payment service does not answer is a 502 without its reason', async () => {
  admin.gateway.onSteer = () => ({ kind: 'unavailable', reason: 'connect ECONNREFUSED 10.0.0.7:443' });
  const answer = await steer('consent-check');
  expect(answer.json()).toMatchObject({ status: 502, code: 'payment_service_unavailable' });
  expect(answer.body).not.toContain('10.0.0.7');
});

describe('in terminal states', () => {
  const TERMINAL = ['cancelled', 'completed', 'consent_failed'];

  test.each(TERMINAL)('%s: pause and resume are conflicts, and no workflow is asked', async (status) => {
    await patch(`status = '${status}'`);
    for (const what of ['pause', 'resume']) {
      expect((await steer(what)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
    }
    expect(admin.gateway.steered).toEqual([]);
  });

  test('cancelling a cancelled subscription answers 200, another terminal one is a conflict', async () => {
    await patch(`status = 'cancelled'`);
    expect((await steer('cancel')).statusCode).toBe(200);
    for (const status of ['completed', 'consent_failed']) {
      await patch(`status = '${status}'`);
      expect((await steer('cancel')).json()).toMatchObject({ status: 409, code: 'state_conflict' });
    }
    expect(admin.gateway.steered).toEqual([]);
  });

  test.each(TERMINAL)('%s: a consent check answers how it stands', async (status) => {
    await patch(`status = '${status}'`);
    expect((await steer('consent-check')).json()).toMatchObject({ status });
  });

  test('a subscription that ended while it was being asked answers how it stands', async () => {
    admin.gateway.onSteer = async () => {
      await patch(`status = 'consent_failed'`);
      return { kind: 'finished' };
    };
    const answer = await steer('consent-check');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'consent_failed' });
  });

  test('a subscription that ended while the service could not be asked answers how it stands', async () => {
    admin.gateway.onSteer = async () => {
      await patch(`status = 'cancelled'`);
      return { kind: 'unavailable', reason: 'down' };
    };
    expect((await steer('consent-check')).json()).toMatchObject({ status: 'cancelled' });
  });

  test('what still waits for a person can be acknowledged, and the trail tells by whom and why', async () => {
    await patch(`status = 'cancelled', attention = '{capture_failed:2}'`);
    admin.gateway.onSteer = () => ({ kind: 'finished' });
    const answer = await steer('acknowledge', { reason: 'refunded by hand' });
    expect(answer.json()).toMatchObject({ status: 'cancelled', standing: 'good' });
    const trail = await admin.call('GET', '/v1/subscriptions/sub_a/events');
    expect(trail.json().items[0]).toMatchObject({
      actor: 'admin of the shop',
      type: 'attention.acknowledged',
      data: { reason: 'refunded by hand', matters: ['capture_failed:2'] },
    });
    expect((await steer('acknowledge', { reason: 'again' })).statusCode).toBe(200);
  });
});

interface Shown {
  cancelling?: true;
}

describe('cancelling', () => {
  test('answers 202 where the hold stands and the service has not confirmed yet', async () => {
    admin.gateway.onSteer = async () => {
      await patch(`hold = 'cancel'`);
      return { kind: 'not_ready' };
    };
    const answer = await steer('cancel', { reason: 'moved away' });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ subscriptionId: 'sub_a', status: 'active', cancelling: true });
  });

  test.each([
    ['nothing was asked', `hold = null`, undefined],
    ['it is paused', `status = 'paused', hold = 'pause'`, undefined],
    ['its consent is asked for', `status = 'pending_consent', hold = 'cancel'`, true],
    ['the service has not confirmed', `hold = 'cancel'`, true],
    ['the service has not confirmed, in a pause', `status = 'paused', hold = 'cancel'`, true],
    ['the service has confirmed', `status = 'cancelled', cancelled_by = 'merchant', hold = 'cancel'`, undefined],
    ['the consent had failed', `status = 'consent_failed', hold = 'cancel'`, undefined],
  ])('is shown by itself and in the list while it is under way: %s', async (_when, assignments, cancelling) => {
    await patch(assignments);
    const one = await admin.call('GET', '/v1/subscriptions/sub_a');
    const list = await admin.call('GET', '/v1/subscriptions');
    expect(one.json<Shown>().cancelling).toBe(cancelling);
    expect(list.json<{ items: Shown[] }>().items.map((each) => each.cancelling)).toEqual([cancelling]);
  });

  test('a hold of a pause is none of a cancellation', async () => {
    await patch(`status = 'paused', hold = 'pause'`);
    admin.gateway.onSteer = () => ({ kind: 'not_ready' });
    expect((await steer('cancel')).json()).toMatchObject({ status: 503, code: 'not_ready' });
  });

  test.each<SteerOutcome>([{ kind: 'not_ready' }, { kind: 'finished' }])(
    'answers 200 where the ledger shows it cancelled, whatever came back (%j)',
    async (outcome) => {
      admin.gateway.onSteer = async () => {
        await patch(`status = 'cancelled', cancelled_by = 'merchant'`);
        return outcome;
      };
      const answer = await steer('cancel');
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
    },
  );
});

import { DAY, HOUR, SECOND, toIso } from '../../src/domain/time';
import { applyChange, beginSend } from '../../src/ledger';
import type { AuthorizationId } from '../../src/domain/ids';
import { AMOUNT, FROZEN, useWorld, type World } from './activity-world';
import { hookedPool } from './crash-points';
import { listing, lists } from './listing';
import { reachRetry } from './deliver-notice';

/**
 * Why nothing is sent for now: what an operator reads on the pending activity, in the audit log and in the log, and the wait before
 * the next try.
 */

const holder = useWorld();
const CONSENT = { method: 'GET', path: '/consents$' } as const;
const LIST = { method: 'GET', path: '/authorizations$' } as const;

it('an alert names the attempt and the reason, once in the audit log and each time in the log', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, times: 2, match: CONSENT });
  const stop = await world.collectOnce(world.input(subscribed));
  await world.collectOnce(world.input(subscribed));
  const reason = expect.stringContaining('503');
  expect(stop).toMatchObject({ type: 'service_unreadable', message: expect.stringMatching(/^consent: .*503/) });
  expect(await world.events(subscribed, 'consent.unreadable')).toMatchObject([
    { actor: 'dueday', at: subscribed.dueAt, data: { cycle: 0, attempt: 0, reason } },
  ]);
  const { subscriptionId } = subscribed;
  const line = expect.objectContaining({ level: 40, subscriptionId, cycle: 0, attempt: 0, reason });
  expect(world.loggedAs('consent.unreadable')).toEqual([line, line]);
});

it.each([
  ['cycle', 'approves', { cycle: 1 }],
  ['attempt', 'insufficient-funds-once', { attempt: 1 }],
])('an alert is raised again for another %s of the same subscription', async (which, wallet, other) => {
  const { world } = holder;
  const subscribed = await world.due(wallet);
  const unreadable = { kind: 'error_before_commit', status: 503, match: CONSENT } as const;
  world.sandbox.faults.add(unreadable);
  await world.collect(world.input(subscribed));
  if (which === 'attempt') await reachRetry(world, subscribed);
  else world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  world.sandbox.faults.add(unreadable);
  await world.collectOnce(world.input(subscribed, other));
  expect(await world.events(subscribed, 'consent.unreadable')).toHaveLength(2);
});

it('a failed check that the ledger could not record is logged, and does not hide why the activity stops', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: CONSENT });
  const before = () => {
    throw new Error('no disk left');
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /insert into failed_checks/, before });
  expect(await world.collectOnce(world.input(subscribed), { ledger })).toMatchObject({ type: 'service_unreadable' });
  const { subscriptionId } = subscribed;
  expect(world.loggedAs('a failed check could not be recorded')).toMatchObject([
    { subscriptionId, err: { message: 'no disk left' } },
  ]);
});

it('an alert says that the consent is pending again', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const service = world.service({
    getConsent: async (paymentId) => {
      const answer = await world.deps.service.getConsent(paymentId);
      if (answer.kind !== 'accepted') return answer;
      return { kind: 'accepted', value: { ...answer.value, status: 'pending' } };
    },
  });
  const stop = await world.collectOnce(world.input(subscribed), { service });
  expect(stop).toMatchObject({ type: 'service_unreadable', message: 'the consent is pending' });
  expect(await world.events(subscribed, 'consent.unreadable')).toMatchObject([{ data: { reason: 'pending again' } }]);
});

it('an alert for a list that cannot be read shows the answer', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: LIST });
  const stop = await world.collectOnce(world.input(subscribed));
  expect(stop).toMatchObject({
    type: 'service_unreadable',
    message: expect.stringMatching(/^authorizations: .*503/),
  });
  expect(await world.events(subscribed, 'authorizations.unreadable')).toMatchObject([
    { data: { reason: expect.stringContaining('503') } },
  ]);
});

it('an alert for a send that was not sent shows the reason, which is also in its row', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const stop = await world.collectOnce(
    world.input(subscribed),
    world.answering({ kind: 'not_sent', reason: 'connection refused' }),
  );
  expect(stop).toMatchObject({ type: 'not_sent', message: 'connection refused', wait: 500 });
  expect(await world.events(subscribed, 'attempt.not_sent')).toMatchObject([
    { data: { cycle: 0, attempt: 0, send: 0, reason: 'connection refused' } },
    { data: { cycle: 0, attempt: 0, reason: 'connection refused' } },
  ]);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'not_sent', reason: 'connection refused' }]);
});

it.each([
  ['about the consent', CONSENT, 'service_unreadable'],
  ['about the list', LIST, 'service_unreadable'],
  ['to the POST', { method: 'POST', path: '/authorizations$' }, 'not_sent'],
] as const)('the wait before the next try is what the service asks in its answer %s', async (_what, match, type) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match });
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type, wait: 33 * SECOND });
});

it('the ledger blocks a send if another attempt of the payment has an unknown outcome', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId, paymentId, dueAt, collectBy } = subscribed;
  const service = world.service({
    getConsent: async (id) => {
      await beginSend(world.deps.ledger, {
        subscriptionId,
        paymentId,
        cycle: 1,
        attempt: 0,
        amount: AMOUNT,
        dueAt,
        collectBy,
        knownIds: [],
        at: world.clock.now(),
        realAt: world.clock.realNow(),
        owner: 'worker-2',
      });
      return world.deps.service.getConsent(id);
    },
  });
  expect(await world.collectOnce(world.input(subscribed), { service })).toEqual({
    type: 'blocked',
    message: 'another attempt of this payment is open',
    wait: 500,
  });
  expect(world.posts(subscribed)).toBe(0);
});

it('the ledger blocks a send if the cycle has already ended', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId, dueAt, collectBy } = subscribed;
  const cycle = { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'missed' } as const;
  const change = { subscriptionId, key: 'missed', actor: 'dueday', events: [], cycle };
  const service = world.service({
    getConsent: async (id) => {
      await applyChange(world.deps.ledger, { ...change, at: world.clock.now() });
      return world.deps.service.getConsent(id);
    },
  });
  expect(await world.collectOnce(world.input(subscribed), { service })).toMatchObject({
    type: 'blocked',
    message: 'the ledger has its cycle or subscription as missed already',
  });
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ result: { kind: 'stopped' } });
  expect(world.posts(subscribed)).toBe(0);
});

it('the audit log shows why a send was permitted: its limits, the time of the consent check, and the process', async () => {
  const { world } = holder;
  const frozen = { ...FROZEN, policy: { ...FROZEN.policy, transit: HOUR } };
  const subscribed = await world.due('approves', {}, frozen);
  const { dueAt, collectBy } = subscribed;
  const sendBefore = collectBy - HOUR;
  const getConsent: World['deps']['service']['getConsent'] = async (paymentId) => {
    const answer = await world.deps.service.getConsent(paymentId);
    world.clock.pass(SECOND);
    return answer;
  };
  const service = world.service({
    getConsent,
    listAuthorizations: async (paymentId) => {
      const listed = await world.deps.service.listAuthorizations(paymentId);
      world.clock.pass(SECOND);
      return listed;
    },
  });
  await world.collect(world.input(subscribed), { service });
  const [sending] = await world.events(subscribed, 'attempt.sending');
  expect(sending).toMatchObject({ at: dueAt + 2 * SECOND });
  expect(sending?.data).toEqual({
    why: { because: 'due' },
    cycle: 0,
    attempt: 0,
    send: 0,
    amount: AMOUNT,
    owner: 'worker-1',
    listed: 0,
    dueAt: toIso(dueAt),
    collectBy: toIso(collectBy),
    sendBefore: toIso(sendBefore),
    consentReadAt: toIso(dueAt),
  });
});

it('the audit log shows how many records were listed before a send, and the row of the send stores those that the ledger lacks', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  // An authorization from the window of the previous cycle cannot be a debit of the next one.
  const foreign = 'aut-of-another-system' as AuthorizationId;
  const early = listing(world, {
    authorizations: lists((all) => all.flatMap((each) => [each, { ...each, authorizationId: foreign }])),
  });
  world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  world.sandbox.faults.add({ kind: 'forbidden', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(world.input(subscribed, { cycle: 1 }), early);
  await world.collectOnce(world.input(subscribed, { cycle: 1 }), early);
  expect(await world.sends(subscribed, 1)).toMatchObject([{ knownIds: [foreign] }, { knownIds: [] }]);
  const told = (await world.events(subscribed, 'attempt.sending')).map(({ data }) => data['listed']);
  expect(told).toEqual([0, 2, 2]);
});

it.each([
  ['retryable', true, 'rejected_retryable'],
  ['final', false, 'rejected'],
])('an answer is stored completely for a %s refusal', async (_kind, retryable, state) => {
  const { world } = holder;
  const subscribed = await world.due();
  const failure = { retryable, detail: 'ANY_WORD', description: 'why not', httpStatus: 422 };
  await world.collect(world.input(subscribed), world.answering({ kind: 'rejected', failure }));
  expect(await world.sends(subscribed)).toMatchObject([
    { state, detail: 'ANY_WORD', description: 'why not', authorizationId: null },
  ]);
});

it('an answer is stored completely for a refusal that names its record', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-with-id-once');
  await world.collect(world.input(subscribed));
  const [made] = world.sandbox.payment(subscribed.paymentId).authorizations;
  expect(await world.sends(subscribed)).toMatchObject([
    { state: 'rejected_retryable', authorizationId: made!.authorizationId, authorizationCreatedAt: subscribed.dueAt },
  ]);
});

it('an incomplete answer leaves the outcome unknown, and the row stores the reason and since when', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const realNow = world.clock.realNow();
  await world.collectOnce(world.input(subscribed), world.answering({ kind: 'unknown', reason: 'no complete answer' }));
  expect(await world.sends(subscribed)).toMatchObject([
    { state: 'unknown', reason: 'no complete answer', unknownSinceReal: realNow },
  ]);
});

import type { Dependencies } from '../../activities';
import { MINUTE, SECOND } from '../../src/domain/time';
import type { Authorization, Capture, Consent, PaymentService, ServiceResult } from '../../src/payment-service';
import { useWorld } from './activity-world';
import { reachRetry } from './deliver-notice';
import { listing, lists, listsEach, listsNothing, NO_ANSWER, noAnswer } from './listing';

/** How an authorization that the service has accepted is polled, and how its outcome is reported to the workflow. */

const holder = useWorld();

/** Sends an attempt whose authorization the service accepts and leaves pending. */
async function createPending(wallet = 'slow-7200') {
  const { world } = holder;
  const subscribed = await world.due(wallet);
  const stop = await world.collectOnce(world.input(subscribed));
  const [made] = world.sandbox.payment(subscribed.paymentId).authorizations;
  const { authorizationId } = made!;
  expect(stop).toEqual({
    type: 'pending',
    message: `authorization ${authorizationId}: the service says pending`,
    wait: 500,
  });
  return { world, subscribed, authorizationId };
}

const toAuthorization = (status: Authorization['status']) => listsEach({ status });

it('an attempt that is not final shows what it waits for', async () => {
  const { world, subscribed, authorizationId } = await createPending();
  const says = async (deps: Partial<Dependencies>) => {
    const end = await world.collectOnce(world.input(subscribed), deps);
    if (!('message' in end)) throw new Error(`it answered ${JSON.stringify(end)}`);
    return end.message.replace(`authorization ${authorizationId}: `, '');
  };
  const authorized = toAuthorization('successful');
  expect(await says(listing(world, { authorizations: listsNothing }))).toBe('the service does not list it');
  expect(await says(listing(world, { authorizations: authorized }))).toBe('authorized; its capture is pending');
  expect(await says(listing(world, { authorizations: noAnswer }))).toBe('no complete answer');
  expect(await says(listing(world, { authorizations: authorized, captures: noAnswer }))).toBe('no complete answer');
});

it('an attempt that is not final is polled at intervals that grow with the time since it was sent, or that the service asks for', async () => {
  const { world, subscribed } = await createPending();
  const [row] = await world.sends(subscribed);
  world.clock.passUntilReal(row!.sendingRealAt + 100 * SECOND);
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'pending', wait: 50 * SECOND });
  for (const path of ['/authorizations$', '/captures']) {
    world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 600, match: { method: 'GET', path } });
    const deps = listing(world, { authorizations: toAuthorization('successful') });
    expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({
      type: 'pending',
      wait: 600 * SECOND,
    });
  }
});

it.each([
  ['continues to be polled a millisecond before its window ends', -1],
  ['is left to the activity that follows it at the end of its window', 0],
])('an attempt that is not final %s', async (_what, ms) => {
  const { world, subscribed, authorizationId } = await createPending('slow-500000');
  world.clock.passUntil(subscribed.collectBy + ms);
  const end = await world.collectOnce(world.input(subscribed));
  if (ms < 0) expect(end).toMatchObject({ type: 'pending', wait: 1 });
  else expect(end).toMatchObject({ result: { kind: 'pending', authorizationId } });
});

it('the steps of an attempt are shown with the service’s ids', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-2');
  for (const attempt of [0, 1]) {
    await world.collect(world.input(subscribed, { attempt }));
    await reachRetry(world, subscribed, attempt);
  }
  world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
  await world.collect(world.input(subscribed, { attempt: 2 }));
  const { authorizationId } = world.debits(subscribed)[0]!;
  expect(world.driver.seen).toEqual(
    expect.arrayContaining([
      { step: 'consent' },
      { step: 'pre-send check' },
      { step: 'authorization', attempt: 2, send: 0 },
      { step: 'settling', attempt: 2, send: 0 },
      { step: 'authorization', authorizationId },
      { step: 'checking captures' },
      { step: 'capture', authorizationId },
    ]),
  );
});

it.each([
  ['successful', 1],
  ['pending', 2],
] as const)('an attempt whose POST is answered %s lists the authorizations %i times', async (status, times) => {
  const { world } = holder;
  const subscribed = await world.due();
  const { paymentId } = subscribed;
  const initiate: PaymentService['initiate'] = async (...call) => {
    const answer = await world.deps.service.initiate(...call);
    world.sandbox.settle(paymentId);
    return answer.kind === 'accepted' ? { ...answer, value: { ...answer.value, status } } : answer;
  };
  world.requests.length = 0;
  const { result } = await world.collect(world.input(subscribed), { service: world.service({ initiate }) });
  expect(result.kind).toBe('collected');
  expect(world.requests.filter((each) => each.startsWith('GET /authorizations?'))).toHaveLength(times);
});

it('an attempt whose runs are shorter than the interval between heartbeats sends none', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { steps } = await world.collect(world.input(subscribed), {}, { heartbeatTimeoutMs: 60_000 });
  expect(steps).toEqual([]);
});

const capture = (authorizationId: string, status: Capture['status'], captureId: string, detail?: string) =>
  ({ authorizationId, captureId, status, ...(detail === undefined ? {} : { detail }) }) as Capture;

it('the capture of an attempt must belong to its authorization, not to another', async () => {
  const { world, subscribed } = await createPending();
  const deps = listing(world, {
    authorizations: toAuthorization('successful'),
    captures: lists(() => [capture('another', 'successful', 'cap-other'), capture('another', 'failed', 'cap-failed')]),
  });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
});

it.each([
  ['successful', ['failed', 'successful'], { kind: 'collected', captureId: 'cap-1' }],
  ['failed', ['failed', 'failed'], { kind: 'capture_failed', detail: 'CAPTURE_FAILED' }],
] as const)('the capture of an attempt counts as %s if the service lists %j', async (_as, statuses, result) => {
  const { world, subscribed, authorizationId } = await createPending();
  const deps = listing(world, {
    authorizations: toAuthorization('successful'),
    captures: lists(() => statuses.map((status, index) => capture(authorizationId, status, `cap-${index}`))),
  });
  expect((await world.collect(world.input(subscribed), deps)).result).toMatchObject({ authorizationId, ...result });
});

it('the capture of an attempt is awaited if one has failed and another is pending', async () => {
  const { world, subscribed, authorizationId } = await createPending();
  const deps = listing(world, {
    authorizations: toAuthorization('successful'),
    captures: lists(() => [capture(authorizationId, 'failed', 'cap-0'), capture(authorizationId, 'pending', 'cap-1')]),
  });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
});

it('the capture of an attempt is stored with its id and the service’s detail if it failed', async () => {
  const { world, subscribed, authorizationId } = await createPending();
  const deps = listing(world, {
    authorizations: toAuthorization('successful'),
    captures: lists(() => [capture(authorizationId, 'failed', 'cap-0', 'BANK_SAYS_NO')]),
  });
  const at = subscribed.dueAt;
  const { result } = await world.collect(world.input(subscribed), deps);
  const named = { authorizationId, captureId: 'cap-0' };
  expect(result).toEqual({ kind: 'capture_failed', ...named, detail: 'BANK_SAYS_NO', at });
  expect(await world.sends(subscribed)).toMatchObject([
    { state: 'capture_failed', captureId: 'cap-0', detail: 'BANK_SAYS_NO', authorizationCreatedAt: at },
  ]);
});

it.each(['failed', 'released', 'expired'] as const)(
  'an authorization that is %s without a detail counts as a final refusal',
  async (status) => {
    const { world, subscribed, authorizationId } = await createPending();
    const deps = listing(world, { authorizations: toAuthorization(status) });
    const detail = `AUTHORIZATION_${status.toUpperCase()}`;
    const { result } = await world.collect(world.input(subscribed), deps);
    const refusal = { kind: 'rejected', at: subscribed.dueAt, detail, description: '', retryable: false };
    expect(result).toMatchObject(refusal);
    expect(await world.sends(subscribed)).toMatchObject([{ state: 'rejected', authorizationId, detail }]);
    const told = await world.events(subscribed, 'attempt.rejected_finally');
    expect(told).toMatchObject([{ data: { cycle: 0, attempt: 0, detail } }]);
  },
);

it('an authorization that failed with a retryable detail may be retried, without an alert', async () => {
  const { world, subscribed } = await createPending();
  const detail = 'AUTHORIZATION_REJECTION_RETRYABLE';
  const deps = listing(world, {
    authorizations: listsEach({ status: 'failed', detail, description: 'later' }),
  });
  const { result } = await world.collect(world.input(subscribed), deps);
  expect(result).toMatchObject({ kind: 'rejected', detail, description: 'later', retryable: true });
  expect(await world.auditLog(subscribed)).not.toContain('attempt.rejected_finally');
});

const failure = { retryable: false, detail: 'CONSENT_NOT_VALID', description: 'no consent', httpStatus: 409 };

/** Creates a subscription, and a service that refuses its attempt with CONSENT_NOT_VALID although its consent is granted. */
async function createRefused() {
  const { world } = holder;
  const subscribed = await world.due();
  const { service } = world.answering({ kind: 'rejected', failure });
  return { world, subscribed, service };
}

/** A service whose consent permits the POST, and whose second consent check returns `answer`. */
function thenAnswers(service: PaymentService, answer: ServiceResult<Consent>): Partial<Dependencies> {
  let asked = 0;
  const getConsent: PaymentService['getConsent'] = async (id) => {
    asked += 1;
    return asked === 2 ? answer : service.getConsent(id);
  };
  return { service: { ...service, getConsent } };
}

it('after CONSENT_NOT_VALID a consent that cannot be read is polled at growing intervals, or at the interval that the service asks for', async () => {
  const { world, subscribed, service } = await createRefused();
  const deps = thenAnswers(service, NO_ANSWER);
  const onStop = (_stop: unknown, runs: number) => {
    if (runs > 1) return;
    world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match: { method: 'GET', path: '/consents$' } });
  };
  const { result, stops } = await world.collect(world.input(subscribed), deps, { onStop });
  expect(stops).toEqual([
    { type: 'service_unreadable', message: 'the consent cannot be read: no complete answer', wait: 500 },
    { type: 'service_unreadable', message: expect.any(String), wait: 33 * SECOND },
  ]);
  expect(result).toMatchObject({ kind: 'rejected', detail: 'CONSENT_NOT_VALID' });
});

it('after CONSENT_NOT_VALID the wait before the next try ends no later than the window', async () => {
  const { world, subscribed, service } = await createRefused();
  world.clock.passUntil(subscribed.collectBy - 10 * SECOND);
  const deps = thenAnswers(service, { kind: 'not_sent', reason: '429', retryAfterMs: 33 * SECOND });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({
    type: 'service_unreadable',
    message: 'the consent cannot be read: 429',
    wait: 10 * SECOND,
  });
});

it('after CONSENT_NOT_VALID an attempt does not read the consent again if an operator’s check has read it since', async () => {
  const { world, subscribed, service } = await createRefused();
  const stop = await world.collectOnce(world.input(subscribed), thenAnswers(service, NO_ANSWER));
  expect(stop).toMatchObject({ type: 'service_unreadable' });
  world.clock.pass(MINUTE);
  await world.driver.drive(() => world.activities().checkConsent(subscribed));
  world.requests.length = 0;
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'rejected', detail: 'CONSENT_NOT_VALID' });
  expect(world.requests).toEqual([]);
});

it('no detail other than CONSENT_NOT_VALID causes a consent check', async () => {
  const { world } = holder;
  const subscribed = await world.due('final-rejection');
  await world.collect(world.input(subscribed));
  expect(world.requests.filter((each) => each.endsWith('/consents'))).toHaveLength(1);
});

it('the time of a debit is when the service created the authorization, not when dueday polled it', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-60');
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'collected', at: subscribed.dueAt });
  expect(world.clock.now()).toBeGreaterThanOrEqual(subscribed.dueAt + MINUTE);
});

import { MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { SubscriptionId } from '../../src/domain/ids';
import { listUnacknowledged, getSubscription, readDraft } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { consentResult } from './consent-result';
import { PERSON, type Subscribed, useWorld, type World } from './activity-world';
import { hookedPool, INSERTS_SEND } from './crash-points';
import { Crash, type DriveOptions } from './activity-driver';

const SESSION = 10 * MINUTE;
const CONSENT = { path: '/consents$' } as const;

const holder = useWorld();

function deletes(world: World, { paymentId }: Subscribed): number {
  return world.requests.filter((each) => each === `DELETE /${paymentId}/consents`).length;
}

function consentAtService(world: World, { paymentId }: Subscribed) {
  return world.sandbox.payment(paymentId).consent;
}

/** The answer to the consent request of a draft, as the ledger stores it. */
async function answerOf(world: World, subscriptionId: SubscriptionId): Promise<unknown> {
  const { rows } = await world.deps.ledger.query<{ answer: unknown }>(
    'select draft_answer as answer from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  return rows[0]?.answer;
}

/** Removes a draft, as happens once it has expired. */
async function throwAway(world: World, subscriptionId: SubscriptionId): Promise<void> {
  await world.deps.ledger.query(`delete from subscriptions where subscription_id = $1 and status = 'draft'`, [
    subscriptionId,
  ]);
}

it('requesting the consent opens the session in the ledger with the redirectURL (rule 6)', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  const record = await getSubscription(world.deps.ledger, subscribed.subscriptionId);
  expect(record).toMatchObject({
    status: 'pending_consent',
    paymentId: subscribed.paymentId,
    consent: { redirectURL: expect.stringContaining(subscribed.paymentId) },
  });
});

it('requesting the consent again returns the same result and sends no request', async () => {
  const { world } = holder;
  const { subscriptionId, paymentId, requestedRealAt } = await world.requested();
  world.clock.pass(MINUTE);
  const again = await world.driver.drive(() => world.activities().requestConsent(world.reference({ subscriptionId })));
  expect(again.result).toMatchObject({ kind: 'await_consent' });
  const record = await getSubscription(world.deps.ledger, subscriptionId);
  expect(record).toMatchObject({ paymentId, consent: { requestedRealAt } });
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
});

it('requesting the consent names the reason of a refusal without the payer’s data', async () => {
  const { world } = holder;
  const subscriptionId = await world.draft();
  const description = `billingAddress.name: ${PERSON.name}, ${PERSON.street}, ${PERSON.email} is on no list`;
  const failure = { retryable: false, detail: 'INVALID_REQUEST', description, httpStatus: 400 };
  const service = world.service({ requestPayment: async () => ({ kind: 'rejected', failure }) });
  const { result } = await world.driver.drive(() =>
    world.activities({ service }).requestConsent(world.reference({ subscriptionId })),
  );
  expect(result.kind).toBe('finish');
  expect(await answerOf(world, subscriptionId)).toEqual({
    kind: 'refused',
    detail: 'INVALID_REQUEST',
    description: 'billingAddress.name: [masked], [masked], [masked] is on no list',
  });
});

it.each([
  ['the answer is lost', { kind: 'lost_answer' }],
  ['the service is down', { kind: 'error_before_commit' }],
  ['the service answers 429', { kind: 'rate_limit' }],
] as const)('requesting the consent ends as unavailable if %s, and the request is sent once', async (_name, fault) => {
  const { world } = holder;
  const subscriptionId = await world.draft();
  world.sandbox.faults.add({ ...fault, match: { method: 'POST', path: '^/payments$' } });
  const { result } = await world.driver.drive(() =>
    world.activities().requestConsent(world.reference({ subscriptionId })),
  );
  expect(result.kind).toBe('finish');
  expect(await answerOf(world, subscriptionId)).toMatchObject({ kind: 'unavailable', reason: expect.any(String) });
  await world.driver.drive(() => world.activities().requestConsent(world.reference({ subscriptionId })));
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
});

it('requesting the consent sends nothing without a draft, and opens no subscription if the draft is removed meanwhile', async () => {
  const { world } = holder;
  const subscriptionId = await world.draft();
  const requestPayment: PaymentService['requestPayment'] = async (request) => {
    await throwAway(world, subscriptionId);
    return world.deps.service.requestPayment(request);
  };
  const deps = { service: world.service({ requestPayment }) };
  for (const activities of [world.activities(deps), world.activities()]) {
    const { result } = await world.driver.drive(() => activities.requestConsent(world.reference({ subscriptionId })));
    expect(result).toMatchObject({ kind: 'finish', summary: 'the ledger has no such subscription' });
  }
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
  expect(await getSubscription(world.deps.ledger, subscriptionId)).toBeNull();
  expect(await readDraft(world.deps.ledger, subscriptionId)).toBeNull();
});

it('a late answer to a request for a consent is not stored in a newer draft with the same id, which sends its own request', async () => {
  const { world } = holder;
  const subscriptionId = await world.draft();
  const requestPayment: PaymentService['requestPayment'] = async (request) => {
    const answer = await world.deps.service.requestPayment(request);
    await throwAway(world, subscriptionId);
    world.clock.pass(SECOND);
    await world.draft({ subscriptionId, consentAmount: euros(4_200) });
    return answer;
  };
  const service = world.service({ requestPayment });
  const late = await world.driver.drive(() =>
    world.activities({ service }).requestConsent(world.reference({ subscriptionId })),
  );
  // The consent of the newer draft is still to be requested.
  expect(late.result).toMatchObject({ kind: 'request_consent' });
  expect(await getSubscription(world.deps.ledger, subscriptionId)).toBeNull();
  const { result } = await world.driver.drive(() =>
    world.activities().requestConsent(world.reference({ subscriptionId })),
  );
  expect(result.kind).toBe('await_consent');
  const record = await getSubscription(world.deps.ledger, subscriptionId);
  expect(record).toMatchObject({ consentAmount: euros(4_200) });
  expect(world.sandbox.payment(record!.paymentId!).amount).toEqual(euros(4_200));
});

function waiting(world: World, subscribed: Subscribed & { requestedRealAt: number }) {
  const input = world.reference(subscribed);
  return (deps: Parameters<World['activities']>[0] = {}) =>
    () =>
      world
        .activities(deps)
        .awaitConsent(input)
        .then(() => consentResult(world, subscribed));
}

it('awaiting the consent polls quickly at first and never slower than every 5 seconds, until the payer approves (rule 6)', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  const { result, stops } = await world.driver.drive(waiting(world, subscribed)(), {
    onStop: (_stop, runs) => {
      if (runs === 20) world.sandbox.payer(subscribed.paymentId).approve();
    },
  });
  expect(result).toEqual({ kind: 'granted' });
  expect(stops[0]?.wait).toBe(500);
  expect(Math.max(...stops.map(({ wait }) => wait))).toBeLessThanOrEqual(5_000);
});

it('awaiting the consent uses its own answer and does not notify the workflow; only a consent check does', async () => {
  const { world } = holder;
  const [polled, checked] = [await world.requested(), await world.requested()];
  for (const { paymentId } of [polled, checked]) world.sandbox.payer(paymentId).approve();
  const { result } = await world.driver.drive(() => world.activities().awaitConsent(world.reference(polled)));
  expect(result).toMatchObject({ kind: 'wait' });
  await world.driver.drive(() => world.activities().checkConsent(checked));
  const open = await listUnacknowledged(world.deps.ledger, '', 100);
  const ids = open.map(({ subscriptionId }) => subscriptionId);
  expect(ids).toContain(checked.subscriptionId);
  expect(ids).not.toContain(polled.subscriptionId);
});

it.each([
  ['decline', 'declined'],
  ['abort', 'aborted'],
] as const)('awaiting the consent ends as failed if the payer chooses to %s', async (choice, reason) => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.sandbox.payer(subscribed.paymentId)[choice]();
  const { result } = await world.driver.drive(waiting(world, subscribed)());
  expect(result).toEqual({ kind: 'failed', reason });
  expect(deletes(world, subscribed)).toBe(0);
  world.clock.passUntil(subscribed.dueAt);
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'finish' });
  await world.collect(world.input(subscribed));
  expect(world.posts(subscribed)).toBe(0);
});

/** A service whose sessions do not time out. */
function withoutTimeOut(world: World, subscribed: Subscribed) {
  return world.service({
    getConsent: async (paymentId) => {
      const answer = await world.deps.service.getConsent(paymentId);
      if (answer.kind !== 'accepted' || answer.value.reason !== 'timeout') return answer;
      const status = deletes(world, subscribed) > 0 ? 'cancelled' : 'pending';
      return { kind: 'accepted', value: { ...answer.value, status, reason: undefined } };
    },
  });
}

it('awaiting the consent deletes a pending consent at the end of the session, not a millisecond earlier, and the consent has then failed', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  const service = withoutTimeOut(world, subscribed);
  world.clock.pass(SESSION - 1);
  const early = await world.driver.once(waiting(world, subscribed)({ service }));
  expect(early).toMatchObject({ type: 'pending', wait: 1 });
  expect(deletes(world, subscribed)).toBe(0);
  const { result } = await world.driver.drive(waiting(world, subscribed)({ service }));
  expect(result).toEqual({ kind: 'failed', reason: 'timeout' });
  expect(deletes(world, subscribed)).toBe(1);
});

it.each([
  ['swallowed', { kind: 'swallowed' }, 2],
  ['answered with 503', { kind: 'error_before_commit', status: 503, html: true }, 2],
  ['carried out and its answer lost', { kind: 'lost_answer' }, 1],
] as const)('a consent whose session has ended has failed even if its DELETE is %s', async (_name, fault, sent) => {
  const { world } = holder;
  const subscribed = await world.requested();
  // The service's own session lasts a little longer, so the service accepts the DELETE of a pending consent.
  world.serviceClock.ahead = -30 * SECOND;
  world.clock.pass(SESSION);
  world.sandbox.faults.add({ ...fault, match: { ...CONSENT, method: 'DELETE' } });
  const { result, stops } = await world.driver.drive(waiting(world, subscribed)());
  expect(stops).toMatchObject([{ type: 'service_unreadable' }]);
  expect(result).toEqual({ kind: 'failed', reason: 'timeout' });
  expect(deletes(world, subscribed)).toBe(sent);
  expect(consentAtService(world, subscribed)).toMatchObject({ result: 'cancelled' });
});

it('a consent check counts a consent that was deleted at the end of its session as failed, though the answer to the DELETE was lost', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  // The service's own session lasts a little longer, so the service accepts the DELETE of a pending consent.
  world.serviceClock.ahead = -30 * SECOND;
  world.clock.pass(SESSION);
  world.sandbox.faults.add({ kind: 'lost_answer', match: { ...CONSENT, method: 'DELETE' } });
  expect(await world.driver.once(waiting(world, subscribed)())).toMatchObject({ type: 'service_unreadable' });
  expect(consentAtService(world, subscribed)).toMatchObject({ result: 'cancelled' });
  expect(await look(world, subscribed)).toEqual({ kind: 'failed', reason: 'timeout' });
  const { status, cancelledBy } = (await getSubscription(world.deps.ledger, subscribed.subscriptionId))!;
  expect({ status, cancelledBy }).toEqual({ status: 'consent_failed', cancelledBy: null });
});

it('awaiting the consent does not delete a consent that the payer approved at the last moment', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.clock.pass(SESSION - 1);
  world.sandbox.payer(subscribed.paymentId).approve();
  world.clock.pass(1);
  expect((await world.driver.drive(waiting(world, subscribed)())).result).toEqual({ kind: 'granted' });
  expect(deletes(world, subscribed)).toBe(0);
});

it('awaiting the consent continues after the session at growing intervals until one answer is readable', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.sandbox.payer(subscribed.paymentId).approve();
  world.clock.pass(SESSION);
  world.sandbox.faults.add({ kind: 'error_before_commit', times: 20, match: { ...CONSENT, method: 'GET' } });
  const { result, stops } = await world.driver.drive(waiting(world, subscribed)());
  expect(result).toEqual({ kind: 'granted' });
  expect(stops).toHaveLength(20);
  expect(stops.at(-1)!.wait).toBeGreaterThan(1_000);
  expect(deletes(world, subscribed)).toBe(0);
});

it('awaiting the consent waits as long as Retry-After says', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 60, match: { ...CONSENT, method: 'GET' } });
  expect(await world.driver.once(waiting(world, subscribed)())).toMatchObject({ wait: 60_000 });
});

it('cancelling the consent deletes nothing for a restored or copied ledger: its payers may belong to another installation', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  const subscribed = await world.requested();
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  await ledger.query(`update restore_guard set identity = 'elsewhere'`);
  expect(await world.driver.once(() => world.activities().cancelConsent(world.reference(subscribed)))).toMatchObject({
    type: 'halted',
  });
  expect(deletes(world, subscribed)).toBe(0);
  await ledger.query('update restore_guard set identity = ledger_identity()');
  await world.driver.drive(() => world.activities().cancelConsent(world.reference(subscribed)));
  expect(deletes(world, subscribed)).toBe(1);
});

it('awaiting the consent counts an operator’s cancellation as the merchant’s', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  await world.driver.drive(() => world.activities().cancelConsent(world.reference(subscribed)));
  const { result } = await world.driver.drive(waiting(world, subscribed)());
  expect(result).toEqual({ kind: 'cancelled', by: 'merchant', reason: null });
});

/** Checks the consent once. @returns the new state of the consent, why it is unavailable, or null if nothing has changed */
async function look(world: World, subscribed: Subscribed): Promise<unknown> {
  const { result } = await world.driver.drive(() => world.activities().checkConsent(subscribed));
  const { changed, unavailable: reason } = result;
  if (reason !== undefined) return { kind: 'unavailable', reason };
  return changed === null ? null : consentResult(world, subscribed);
}

it('a consent check changes nothing while the consent is pending or unreadable, and stores the first new answer', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  expect(await look(world, subscribed)).toBeNull();
  world.sandbox.payer(subscribed.paymentId).approve();
  world.sandbox.faults.add({ kind: 'malformed', match: CONSENT });
  expect(await look(world, subscribed)).toMatchObject({ kind: 'unavailable' });
  expect(await look(world, subscribed)).toEqual({ kind: 'granted' });
  expect(await look(world, subscribed)).toBeNull();
  world.sandbox.payer(subscribed.paymentId).cancel();
  expect(await look(world, subscribed)).toEqual({ kind: 'cancelled', by: 'payer', reason: 'cancelled_by_payer' });
  const record = await getSubscription(world.deps.ledger, subscribed.subscriptionId);
  expect(record?.consent).toMatchObject({ status: 'cancelled', reason: 'cancelled_by_payer' });
});

it('a consent check whose answer was delayed does not replace the newer answer of another one', async () => {
  const { world } = holder;
  const subscribed = await world.requested();
  world.sandbox.payer(subscribed.paymentId).approve();
  await look(world, subscribed);
  const getConsent: PaymentService['getConsent'] = async (paymentId) => {
    const older = await world.deps.service.getConsent(paymentId);
    world.sandbox.payer(subscribed.paymentId).cancel();
    world.clock.pass(SECOND);
    await look(world, subscribed);
    world.clock.pass(SECOND);
    return older;
  };
  const delayed = world.activities({ service: world.service({ getConsent }) });
  world.clock.pass(SECOND);
  await world.driver.drive(() => delayed.checkConsent(subscribed));
  const { status, consent } = (await getSubscription(world.deps.ledger, subscribed.subscriptionId))!;
  expect([status, consent.status]).toEqual(['cancelled', 'cancelled']);
});

it.each(['malformed', 'error_before_commit', 'forbidden'] as const)(
  'a consent check reports to its caller that the consent could not be read: %s',
  async (kind) => {
    const { world } = holder;
    const subscribed = await world.requested();
    const before = await getSubscription(world.deps.ledger, subscribed.subscriptionId);
    world.sandbox.faults.add({ kind, match: CONSENT });
    expect(await look(world, subscribed)).toEqual({ kind: 'unavailable', reason: expect.stringMatching(/./) });
    expect(await getSubscription(world.deps.ledger, subscribed.subscriptionId)).toEqual(before);
    expect(await look(world, subscribed)).toBeNull();
    world.sandbox.payer(subscribed.paymentId).approve();
    expect(await look(world, subscribed)).toEqual({ kind: 'granted' });
  },
);

/** Cancels the consent as an operator has requested. */
async function cancel(world: World, subscribed: Subscribed, options: DriveOptions = {}) {
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  return world.driver.drive(() => world.activities().cancelConsent(world.reference(subscribed)), options);
}

it('cancelling the consent deletes it at the service, and counts as the merchant’s', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await cancel(world, subscribed);
  expect(deletes(world, subscribed)).toBe(1);
  const record = await getSubscription(world.deps.ledger, subscribed.subscriptionId);
  expect(record?.consent).toMatchObject({ status: 'cancelled', merchantDeleted: true });
});

it('cancelling the consent waits only while a POST may be on the wire', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const dying = () => {
    throw new Crash('kill -9 after the row');
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /^commit/, after: dying }, INSERTS_SEND);
  await world.driver.once(() => world.activities({ ledger }).collectPayment(world.input(subscribed)));
  const from = (await world.sends(subscribed))[0]!.sendingRealAt;
  const { stops } = await cancel(world, subscribed, {
    onStop: () => expect(deletes(world, subscribed)).toBe(0),
  });
  expect(stops.every(({ type }) => type === 'blocked')).toBe(true);
  expect(deletes(world, subscribed)).toBe(1);
  const waited = world.clock.realNow() - from;
  expect(waited).toBeGreaterThanOrEqual(40_000);
  expect(waited).toBeLessThan(60_000);
});

it('cancelling the consent does not wait for an unknown outcome', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'swallowed', match: { method: 'POST', path: '/authorizations$' } });
  await world.driver.once(() => world.activities().collectPayment(world.input(subscribed)));
  expect((await world.sends(subscribed))[0]?.state).toBe('unknown');
  expect((await cancel(world, subscribed)).stops).toEqual([]);
});

it.each([
  ['swallowed', { kind: 'swallowed' }],
  ['refused', { kind: 'forbidden' }],
] as const)('a DELETE that is %s is repeated until the service confirms it by GET', async (_name, fault) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ ...fault, times: 3, match: { ...CONSENT, method: 'DELETE' } });
  const { stops } = await cancel(world, subscribed);
  expect(stops.map(({ type }) => type)).toEqual(Array(3).fill('service_unreadable'));
  expect(consentAtService(world, subscribed).result).toBe('cancelled');
});

it('cancelling the consent slows down while the service is unavailable, and waits as long as Retry-After says', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 120, match: { ...CONSENT, method: 'DELETE' } });
  world.sandbox.faults.add({ kind: 'forbidden', times: 30, match: CONSENT });
  const { stops } = await cancel(world, subscribed);
  expect(stops[0]?.wait).toBe(120_000);
  const later = stops.slice(1).map(({ wait }) => wait);
  expect(later).toEqual([...later].sort((one, other) => one - other));
  expect(later.at(-1)).toBeGreaterThan(5 * MINUTE);
});

import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { getPaymentOfRequest, listAttention, readDraftProgress, takeDraftOutcome } from '../../src/ledger';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import type { Authorization, Capture, PaymentService } from '../../src/payment-service';
import { useWorld } from './activity-world';
import {
  decide,
  draftPayment,
  follow,
  onRecord,
  paymentActivities,
  createRequested,
  SINGLE,
  stepOf,
  noticesOf,
  auditEntriesOf,
} from './payment-world';

const holder = useWorld();

const request = (requestId: string, deps: Parameters<typeof paymentActivities>[1] = {}) =>
  holder.world.driver.drive(() => paymentActivities(holder.world, deps).requestPayment(stepOf({ requestId })));
/** The given record of the service with the status failed. */
const failed = <R extends object>(record: R) => ({ ...record, status: 'failed' as const });
const progress = (requestId: string) => readDraftProgress(holder.world.deps.ledger, 'payments', requestId);

it('a payment request opens the session once, however often it runs', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world);
  const { result } = await request(requestId);
  expect(result).toMatchObject({ kind: 'follow_payment', show: { status: 'pending_consent' } });
  expect((await request(requestId)).result).toEqual(result);
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
  expect(await getPaymentOfRequest(world.deps.ledger, requestId)).toMatchObject({
    status: 'pending_consent',
    consent: { status: 'pending', redirectURL: expect.stringContaining('http') },
    amount: euros(10_000),
  });
});

it('a payment request passes on the fields of the plan', async () => {
  const { world } = holder;
  const payment = await createRequested(world, { timeToCapture: 86_400, multipleCapture: false });
  const { paymentId } = payment;
  world.sandbox.payer(paymentId).approve();
  await follow(world, payment);
  const { captureBy, authorization } = await onRecord(world, paymentId);
  expect(captureBy).toBe(authorization!.createdAt + DAY);
  expect(world.sandbox.payment(paymentId)).toMatchObject({ useCase: 'EVENT_DEPENDENT' });
  const single = await createRequested(world, SINGLE);
  expect(world.sandbox.payment(single.paymentId)).toMatchObject({ useCase: 'SINGLE' });
});

it('a payment request continues with a recorded session if its worker died before it returned', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world);
  await request(requestId);
  const { paymentId } = (await getPaymentOfRequest(world.deps.ledger, requestId))!;
  const next = await decide(world, { requestId, paymentId });
  expect(next).toMatchObject({ kind: 'follow_payment', show: { status: 'pending_consent' } });
});

it('a payment request is not repeated if its answer was lost before it was recorded (rule 18)', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world);
  const service = world.service({
    requestPayment: async (order) => {
      await world.deps.service.requestPayment(order);
      throw new Error('kill -9');
    },
  });
  const lost = world.driver.once(() => paymentActivities(world, { service }).requestPayment(stepOf({ requestId })));
  expect(await lost).toMatchObject({ message: 'kill -9' });
  const next = await world.driver.drive(() => paymentActivities(world).decidePayment(stepOf({ requestId })));
  expect(next.result).toMatchObject({ kind: 'finish', summary: "the service's answer was lost" });
  expect(await progress(requestId)).toMatchObject({ answer: { kind: 'unavailable' } });
  await request(requestId);
  expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
});

it('a late answer to a payment request is not stored in a newer draft of the same request', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world);
  const requestPayment: PaymentService['requestPayment'] = async (order) => {
    const answer = await world.deps.service.requestPayment(order);
    world.clock.pass(SECOND);
    await draftPayment(world, { requestId, ...SINGLE });
    return answer;
  };
  const late = await request(requestId, { service: world.service({ requestPayment }) });
  expect(late.result).toMatchObject({ kind: 'request_consent' });
  expect(await progress(requestId)).toMatchObject({ answer: null, isSent: false });
  expect((await request(requestId)).result).toMatchObject({ kind: 'follow_payment' });
  const { paymentId, plan } = (await getPaymentOfRequest(world.deps.ledger, requestId))!;
  expect([plan, world.sandbox.payment(paymentId).useCase]).toEqual(['SINGLE', 'SINGLE']);
});

it('a refused payment request stores the refusal, and its draft is removed when the refusal is taken', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world, { timeToCapture: 604_801 });
  expect((await request(requestId)).result).toMatchObject({ kind: 'finish' });
  const refused = { kind: 'refused', detail: 'INVALID_REQUEST' };
  expect(await progress(requestId)).toMatchObject({ answer: refused });
  const draft = { table: 'payments', key: requestId } as const;
  const { draftedRealAt } = (await progress(requestId))!;
  expect(await takeDraftOutcome(world.deps.ledger, { ...draft, draftedRealAt })).toMatchObject(refused);
  expect(await progress(requestId)).toBeNull();
});

it('following a payment waits for the payer, then for the bank, and stores its capture deadline', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  const { result, stops } = await follow(world, reference, {
    onStop: (_stop, runs) => {
      if (runs === 3) world.sandbox.payer(reference.paymentId).approve('approves');
    },
  });
  const payment = await onRecord(world, reference.paymentId);
  expect(stops[0]).toMatchObject({ type: 'pending', message: 'the payer has not answered yet' });
  expect(payment).toMatchObject({ status: 'authorized', authorization: { state: 'successful' }, captures: [] });
  expect(payment.captureBy).toBe(payment.authorization!.createdAt + 7 * DAY);
  expect(result).toMatchObject({ kind: 'wait', until: payment.captureBy! - DAY, show: { status: 'authorized' } });
  expect(await auditEntriesOf(world, reference)).toEqual([
    'payment.requested',
    'consent.requested',
    'payment.consent_granted',
    'payment.authorized',
  ]);
});

it('a followed payment continues for Single Immediate until the service has booked it', async () => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve();
  const { result } = await follow(world, reference);
  expect(result).toMatchObject({ kind: 'finish', show: { status: 'captured' } });
  expect(await onRecord(world, reference.paymentId)).toMatchObject({
    captures: [{ state: 'successful', amount: euros(10_000), finalCapture: true, orderId: null }],
  });
  expect(world.debits(reference)).toMatchObject([{ amount: euros(10_000) }]);
});

it.each(['decline', 'abort'] as const)(
  'a followed payment fails if the payer answers %s, and the merchant is notified',
  async (word) => {
    const { world } = holder;
    const reference = await createRequested(world, SINGLE);
    world.sandbox.payer(reference.paymentId)[word]();
    const { result } = await follow(world, reference);
    expect(result).toMatchObject({ kind: 'finish', show: { status: 'consent_failed' } });
    expect(await noticesOf(world, reference)).toEqual(['consent.failed']);
    expect(await auditEntriesOf(world, reference)).toContain('payment.consent_failed');
  },
);

it('a followed payment fails with the session after 10 minutes without an answer', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  const began = world.clock.realNow();
  const { result } = await follow(world, reference);
  expect(result.show?.status).toBe('consent_failed');
  expect(world.clock.realNow() - began).toBeGreaterThanOrEqual(10 * MINUTE);
  expect(world.clock.realNow() - began).toBeLessThan(11 * MINUTE);
});

it.each([
  ['final-rejection', 'failed'],
  ['capture-fails', 'failed'],
])('a Single Immediate payment with the wallet %s ends as %s', async (wallet, status) => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve(wallet);
  expect((await follow(world, reference)).result.show?.status).toBe(status);
  expect(await auditEntriesOf(world, reference)).toContain('payment.failed');
  expect(world.debits(reference)).toEqual([]);
});

it('a payment is polled again after an unreadable answer', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve();
  world.sandbox.faults.add({ kind: 'error_before_commit', match: { method: 'GET', path: 'consents' }, times: 2 });
  const { result, stops } = await follow(world, reference);
  expect(stops.slice(0, 2).map(({ type }) => type)).toEqual(['service_unreadable', 'service_unreadable']);
  expect(result.show?.status).toBe('authorized');
});

it.each([
  ['consent', 'consents'],
  ['authorizations', 'authorizations'],
])('a check of a payment reports that the %s could not be read', async (what, path) => {
  const { world } = holder;
  const reference = await createRequested(world);
  const check = async () => (await world.driver.drive(() => paymentActivities(world).checkPayment(reference))).result;
  expect((await check()).unavailable).toBeUndefined();
  world.sandbox.payer(reference.paymentId).approve();
  world.sandbox.faults.add({ kind: 'error_before_commit', match: { method: 'GET', path } });
  expect((await check()).unavailable).toContain(`${what}: `);
  expect((await check()).unavailable).toBeUndefined();
  expect((await onRecord(world, reference.paymentId)).consent.status).toBe('successful');
});

it('an empty list of authorizations that is incomplete does not mean that there is none (rule 39)', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve();
  const listAuthorizations: PaymentService['listAuthorizations'] = async () => ({
    kind: 'accepted',
    value: [],
    incomplete: 'it has a next page',
  });
  const service = world.service({ listAuthorizations });
  const check = () => world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect((await check()).result.unavailable).toBe('authorizations: the list is incomplete: it has a next page');
});

it('a followed payment shows a pending authorization before the bank decides', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve('slow-60');
  await world.driver.drive(() => paymentActivities(world).checkPayment(reference));
  expect(await onRecord(world, reference.paymentId)).toMatchObject({
    status: 'pending_consent',
    authorization: { state: 'pending' },
  });
  expect((await follow(world, reference)).result.show?.status).toBe('authorized');
});

it('a payment is not decided by another authorization while the list lacks its own (rule 39)', async () => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve('slow-60');
  const check = async (service = world.deps.service) =>
    (await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference))).result;
  await check();
  const own = (await onRecord(world, reference.paymentId)).authorization?.authorizationId;
  const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
    const reported = await world.deps.service.listAuthorizations(paymentId);
    if (reported.kind !== 'accepted') return reported;
    const another = (each: Authorization) => ({ ...failed(each), authorizationId: 'auth-another' as AuthorizationId });
    return { ...reported, value: reported.value.map(another) };
  };
  const { unavailable } = await check(world.service({ listAuthorizations }));
  expect(unavailable).toBe(`authorizations: the list is incomplete: it lacks ${own}, which was reported as pending`);
  expect(await auditEntriesOf(world, reference)).not.toContain('payment.failed');
  expect((await follow(world, reference)).result.show?.status).toBe('captured');
});

it('a followed payment stays authorized if a delayed check returns an old pending answer', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve('slow-60');
  const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
    const reported = await world.deps.service.listAuthorizations(paymentId);
    expect(reported).toMatchObject({ value: [{ status: 'pending' }] });
    expect((await follow(world, reference)).result.show?.status).toBe('authorized');
    return reported;
  };
  const service = world.service({ listAuthorizations });
  await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect(await onRecord(world, reference.paymentId)).toMatchObject({
    status: 'authorized',
    authorization: { state: 'successful' },
  });
});

it('a payment stays captured if a delayed check returns its booking as failed (rule 37)', async () => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve();
  const listCaptures: PaymentService['listCaptures'] = async (paymentId) => {
    const reported = await world.deps.service.listCaptures(paymentId);
    if (reported.kind !== 'accepted') return reported;
    expect(reported.value).toHaveLength(1);
    expect((await follow(world, reference)).result.show?.status).toBe('captured');
    return { ...reported, value: reported.value.map(failed) };
  };
  world.clock.pass(MINUTE);
  const service = world.service({ listCaptures });
  await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect(await onRecord(world, reference.paymentId)).toMatchObject({
    status: 'captured',
    captures: [{ state: 'successful' }],
  });
  expect(await auditEntriesOf(world, reference)).not.toContain('payment.failed');
});

it('a payment does not fail if its authorization is listed as refused but has a capture (rule 37)', async () => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve();
  world.clock.pass(MINUTE);
  const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
    const reported = await world.deps.service.listAuthorizations(paymentId);
    return reported.kind === 'accepted' ? { ...reported, value: reported.value.map(failed) } : reported;
  };
  const service = world.service({ listAuthorizations });
  await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect(await auditEntriesOf(world, reference)).not.toContain('payment.failed');
  expect((await follow(world, reference)).result.show?.status).toBe('captured');
});

it('a payment does not fail because of a failed booking while an earlier booking is pending', async () => {
  const { world } = holder;
  const reference = await createRequested(world, SINGLE);
  world.sandbox.payer(reference.paymentId).approve();
  world.clock.pass(MINUTE);
  const listCaptures: PaymentService['listCaptures'] = async (paymentId) => {
    const reported = await world.deps.service.listCaptures(paymentId);
    if (reported.kind !== 'accepted') return reported;
    const later = ({ createdAt, ...each }: Capture) => ({
      ...failed(each),
      captureId: 'cap-later' as CaptureId,
      createdAt: createdAt + 1,
    });
    const earlier = reported.value.map((each) => ({ ...each, status: 'pending' as const }));
    return { ...reported, value: [...earlier, ...reported.value.map(later)] };
  };
  const service = world.service({ listCaptures });
  await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect(await onRecord(world, reference.paymentId)).toMatchObject({ status: 'authorized', captures: [] });
  expect((await follow(world, reference)).result.show?.status).toBe('captured');
});

it('a payment stays authorized if a delayed check returns its consent as failed', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  world.sandbox.payer(reference.paymentId).approve();
  const getConsent: PaymentService['getConsent'] = async (paymentId) => {
    const reported = await world.deps.service.getConsent(paymentId);
    if (reported.kind !== 'accepted') return reported;
    expect((await follow(world, reference)).result.show?.status).toBe('authorized');
    return { ...reported, value: failed(reported.value) };
  };
  const service = world.service({ getConsent });
  await world.driver.drive(() => paymentActivities(world, { service }).checkPayment(reference));
  expect(await onRecord(world, reference.paymentId)).toMatchObject({
    status: 'authorized',
    consent: { status: 'successful' },
  });
  expect(await noticesOf(world, reference)).toEqual([]);
});

it('a check that finds a declined consent returns the change once, and the merchant is notified', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  const check = async () => (await world.driver.drive(() => paymentActivities(world).checkPayment(reference))).result;
  expect(await check()).toEqual({ changed: null });
  world.sandbox.payer(reference.paymentId).decline();
  expect(await check()).toEqual({ changed: { requestId: reference.requestId, revision: 1 } });
  expect(await check()).toEqual({ changed: null });
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish' });
  expect(await noticesOf(world, reference)).toEqual(['consent.failed']);
});

it('a followed payment writes authorization and expiry to the audit log if the authorization expired before dueday first read it', async () => {
  const { world } = holder;
  const reference = await createRequested(world, { timeToCapture: 300 });
  world.sandbox.payer(reference.paymentId).approve();
  world.clock.pass(6 * MINUTE);
  expect((await follow(world, reference)).result.show?.status).toBe('expired');
  expect((await auditEntriesOf(world, reference)).slice(-2)).toEqual(['payment.authorized', 'payment.expired']);
});

it('a followed payment writes authorization and release to the audit log if the authorization was released before dueday first read it', async () => {
  const { world } = holder;
  const reference = await createRequested(world);
  const { service } = world.deps;
  world.sandbox.payer(reference.paymentId).approve();
  world.clock.pass(MINUTE);
  const listed = await service.listAuthorizations(reference.paymentId);
  if (listed.kind !== 'accepted') throw new Error(listed.kind);
  await service.release(reference.paymentId, listed.value[0]!.authorizationId);
  expect((await follow(world, reference)).result.show?.status).toBe('released');
  expect((await auditEntriesOf(world, reference)).slice(-2)).toEqual(['payment.authorized', 'payment.released']);
});

it.each([
  ['booking', 'listCaptures'],
  ['authorization', 'listAuthorizations'],
] as const)(
  'a payment whose %s is not listed is handed to an operator an hour after its session, until the record is listed',
  async (_what, lacking) => {
    const { world } = holder;
    const reference = await createRequested(world, SINGLE);
    const from = world.clock.realNow();
    world.sandbox.payer(reference.paymentId).approve();
    const nothing = async () => ({ kind: 'accepted', value: [] }) as const;
    const service = world.service({ [lacking]: nothing });
    const stays = world.driver.drive(() => paymentActivities(world, { service }).followPayment(stepOf(reference)), {
      onStop: async ({ wait }) => {
        const age = world.clock.realNow() - from;
        expect(wait).toBeLessThanOrEqual(HOUR);
        expect(await openKinds(reference.paymentId)).toEqual(age >= 70 * MINUTE ? ['payment_unsettled'] : []);
        if (age > DAY) throw new Error('watched for a day');
      },
    });
    await expect(stays).rejects.toThrow('watched for a day');
    expect((await follow(world, reference)).result.show?.status).toBe('captured');
    expect(await openKinds(reference.paymentId)).toEqual([]);
  },
);

async function openKinds(paymentId: string): Promise<string[]> {
  const { items } = await listAttention(holder.world.deps.ledger, { paymentId }, { limit: 10, cursor: null });
  return items.map(({ kind }) => kind);
}

import { DAY, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { getPaymentOfRequest, recordDelivery } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { useWorld } from './activity-world';
import { draftPayment, follow, onRecord, paymentActivities, requested, SINGLE, trailOf } from './payment-world';

const test = useWorld();

describe('requesting a payment', () => {
  it('opens the session once, however often it is asked', async () => {
    const { world } = test;
    const requestId = await draftPayment(world);
    const activities = paymentActivities(world);
    const { result } = await world.driver.drive(() => activities.requestPayment({ requestId }));
    const again = await world.driver.drive(() => activities.requestPayment({ requestId }));
    expect(again.result).toEqual(result);
    expect(world.requests.filter((each) => each === 'POST /payments')).toHaveLength(1);
    expect(await getPaymentOfRequest(world.deps.ledger, requestId)).toMatchObject({
      status: 'pending_consent',
      consent: { status: 'pending', redirectURL: expect.stringContaining('http') },
      amount: euros(10_000),
    });
  });

  it('passes on what the plan needs', async () => {
    const { world } = test;
    const { paymentId } = await requested(world, { timeToCapture: 86_400, multipleCapture: false });
    world.sandbox.payer(paymentId).approve();
    await follow(world, { paymentId });
    const { captureBy, authorization } = await onRecord(world, paymentId);
    expect(captureBy).toBe(authorization!.createdAt + DAY);
    expect(world.sandbox.payment(paymentId)).toMatchObject({ useCase: 'EVENT_DEPENDENT' });
    const single = await requested(world, SINGLE);
    expect(world.sandbox.payment(single.paymentId)).toMatchObject({ useCase: 'SINGLE' });
  });

  it('is not discarded once its answer is on record: that is told', async () => {
    const { world } = test;
    const requestId = await draftPayment(world);
    const { result } = await world.driver.drive(() => paymentActivities(world).requestPayment({ requestId }));
    const discard = () => paymentActivities(world).discardPayment({ requestId });
    const { result: discarded } = await world.driver.drive(discard);
    expect(discarded).toEqual({ ...result, kind: 'on_record' });
  });

  it('that is answered late is not stored in another draft of the same request', async () => {
    const { world } = test;
    const requestId = await draftPayment(world);
    const requestPayment: PaymentService['requestPayment'] = async (request) => {
      const answer = await world.deps.service.requestPayment(request);
      await world.driver.drive(() => paymentActivities(world).discardPayment({ requestId }));
      world.clock.pass(SECOND);
      await draftPayment(world, { requestId, ...SINGLE });
      return answer;
    };
    const service = world.service({ requestPayment });
    const late = await world.driver.drive(() => paymentActivities(world, { service }).requestPayment({ requestId }));
    expect(late.result).toMatchObject({ kind: 'unavailable' });
    const own = await world.driver.drive(() => paymentActivities(world).requestPayment({ requestId }));
    expect(own.result.kind).toBe('requested');
    const { paymentId, plan } = (await getPaymentOfRequest(world.deps.ledger, requestId))!;
    expect([plan, world.sandbox.payment(paymentId).useCase]).toEqual(['SINGLE', 'SINGLE']);
  });

  it('answers a refusal in the words of the service, without the payer', async () => {
    const { world } = test;
    const requestId = await draftPayment(world, { timeToCapture: 604_801 });
    const { result } = await world.driver.drive(() => paymentActivities(world).requestPayment({ requestId }));
    expect(result).toMatchObject({ kind: 'refused', detail: 'INVALID_REQUEST' });
    await world.driver.drive(() => paymentActivities(world).discardPayment({ requestId }));
    expect(await getPaymentOfRequest(world.deps.ledger, requestId)).toBeNull();
  });
});

describe('following a payment', () => {
  it('waits for the payer, then for the bank, and knows the deadline', async () => {
    const { world } = test;
    const reference = await requested(world);
    const { result, stops } = await follow(world, reference, {
      onStop: (_stop, runs) => {
        if (runs === 3) world.sandbox.payer(reference.paymentId).approve('approves');
      },
    });
    const payment = await onRecord(world, reference.paymentId);
    expect(stops[0]).toMatchObject({ type: 'pending', message: 'the payer has not answered yet' });
    expect(payment).toMatchObject({ status: 'authorized', authorization: { state: 'successful' }, captures: [] });
    expect(payment.captureBy).toBe(payment.authorization!.createdAt + 7 * DAY);
    expect(result).toEqual({ status: 'authorized', captureBy: payment.captureBy, noticeId: null });
    expect(await trailOf(world, reference)).toEqual([
      'payment.requested',
      'consent.requested',
      'payment.consent_granted',
      'payment.authorized',
    ]);
  });

  it('of Single Immediate goes on until the service has booked it', async () => {
    const { world } = test;
    const reference = await requested(world, SINGLE);
    world.sandbox.payer(reference.paymentId).approve();
    const { result } = await follow(world, reference);
    expect(result).toEqual({ status: 'captured', captureBy: null, noticeId: null });
    expect(await onRecord(world, reference.paymentId)).toMatchObject({
      captures: [{ state: 'successful', amount: euros(10_000), finalCapture: true, orderId: null }],
    });
    expect(world.debits(reference)).toMatchObject([{ amount: euros(10_000) }]);
  });

  it.each(['decline', 'abort'] as const)('of a payer who says %s fails, and the merchant is told', async (word) => {
    const { world } = test;
    const reference = await requested(world, SINGLE);
    world.sandbox.payer(reference.paymentId)[word]();
    const { result } = await follow(world, reference);
    expect(result).toMatchObject({ status: 'consent_failed', noticeId: expect.stringMatching(/^msg_/) });
    expect(await trailOf(world, reference)).toContain('payment.consent_failed');
  });

  it('of a payer who never answers fails with the session, after 10 minutes', async () => {
    const { world } = test;
    const reference = await requested(world);
    const began = world.clock.realNow();
    const { result } = await follow(world, reference);
    expect(result.status).toBe('consent_failed');
    expect(world.clock.realNow() - began).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(world.clock.realNow() - began).toBeLessThan(11 * MINUTE);
  });

  it.each([
    ['final-rejection', 'failed'],
    ['capture-fails', 'failed'],
  ])('of Single Immediate whose bank says %s is %s', async (wallet, status) => {
    const { world } = test;
    const reference = await requested(world, SINGLE);
    world.sandbox.payer(reference.paymentId).approve(wallet);
    expect((await follow(world, reference)).result.status).toBe(status);
    expect(await trailOf(world, reference)).toContain('payment.failed');
    expect(world.debits(reference)).toEqual([]);
  });

  it('that cannot be read is asked again', async () => {
    const { world } = test;
    const reference = await requested(world);
    world.sandbox.payer(reference.paymentId).approve();
    world.sandbox.faults.add({ kind: 'error_before_commit', match: { method: 'GET', path: 'consents' }, times: 2 });
    const { result, stops } = await follow(world, reference);
    expect(stops.slice(0, 2).map(({ type }) => type)).toEqual(['service_unreadable', 'service_unreadable']);
    expect(result.status).toBe('authorized');
  });

  it.each([
    ['consent', 'consents'],
    ['authorizations', 'authorizations'],
  ])('tells a look that its %s could not be read', async (what, path) => {
    const { world } = test;
    const reference = await requested(world);
    const look = async () => (await world.driver.drive(() => paymentActivities(world).lookAtPayment(reference))).result;
    expect(await look()).toEqual({ kind: 'looked' });
    world.sandbox.payer(reference.paymentId).approve();
    world.sandbox.faults.add({ kind: 'error_before_commit', match: { method: 'GET', path } });
    expect(await look()).toEqual({ kind: 'unavailable', reason: expect.stringContaining(`${what}: `) });
    expect(await look()).toEqual({ kind: 'looked' });
    expect((await onRecord(world, reference.paymentId)).consent.status).toBe('successful');
  });

  it('shows a pending authorization before it is decided', async () => {
    const { world } = test;
    const reference = await requested(world);
    world.sandbox.payer(reference.paymentId).approve('slow-60');
    await world.driver.drive(() => paymentActivities(world).lookAtPayment(reference));
    expect(await onRecord(world, reference.paymentId)).toMatchObject({
      status: 'pending_consent',
      authorization: { state: 'pending' },
    });
    expect((await follow(world, reference)).result.status).toBe('authorized');
  });

  it('stays authorized where a look that was held up comes with the pending it had heard', async () => {
    const { world } = test;
    const reference = await requested(world);
    world.sandbox.payer(reference.paymentId).approve('slow-60');
    const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
      const heard = await world.deps.service.listAuthorizations(paymentId);
      expect(heard).toMatchObject({ value: [{ status: 'pending' }] });
      expect((await follow(world, reference)).result.status).toBe('authorized');
      return heard;
    };
    const service = world.service({ listAuthorizations });
    await world.driver.drive(() => paymentActivities(world, { service }).lookAtPayment(reference));
    expect(await onRecord(world, reference.paymentId)).toMatchObject({
      status: 'authorized',
      authorization: { state: 'successful' },
    });
  });

  it('tells the merchant of a consent that a look has found failed, until it is told', async () => {
    const { world } = test;
    const reference = await requested(world);
    world.sandbox.payer(reference.paymentId).decline();
    await world.driver.drive(() => paymentActivities(world).lookAtPayment(reference));
    const { noticeId } = (await follow(world, reference)).result;
    expect(noticeId).toMatch(/^msg_/);
    const [at, realAt] = [world.clock.now(), world.clock.realNow()];
    await recordDelivery(world.deps.ledger, noticeId!, {
      kind: 'delivered',
      at,
      realAt,
      channel: 'webhook',
      evidence: { status: 200 },
    });
    expect((await follow(world, reference)).result).toMatchObject({ status: 'consent_failed', noticeId: null });
  });

  it('that expired before it was first seen has both in the trail', async () => {
    const { world } = test;
    const reference = await requested(world, { timeToCapture: 300 });
    world.sandbox.payer(reference.paymentId).approve();
    world.clock.pass(6 * MINUTE);
    expect((await follow(world, reference)).result.status).toBe('expired');
    expect((await trailOf(world, reference)).slice(-2)).toEqual(['payment.authorized', 'payment.expired']);
  });

  it('that was released before it was first seen has both in the trail', async () => {
    const { world } = test;
    const reference = await requested(world);
    const { service } = world.deps;
    world.sandbox.payer(reference.paymentId).approve();
    world.clock.pass(MINUTE);
    const listed = await service.listAuthorizations(reference.paymentId);
    if (listed.kind !== 'accepted') throw new Error(listed.kind);
    await service.release(reference.paymentId, listed.value[0]!.authorizationId);
    expect((await follow(world, reference)).result.status).toBe('released');
    expect((await trailOf(world, reference)).slice(-2)).toEqual(['payment.authorized', 'payment.released']);
  });
});

import type { Clock } from '../../src/platform/clock';
import { HOUR } from '../../src/domain/time';
import type { PaymentRequest, ServiceResult } from '../../src/payment-service';
import { createSandbox, type Sandbox } from '../../src/sandbox';
import { silentLog } from '../support/silent-log';
import { AMOUNT, CLIENT_ID, CLIENT_SECRET, type ClientUnderTest, createClient } from './client-under-test';

/** The client against the simulated service, over HTTP: both were written from the reference, independently. */

/** Business time is set forward by the hour, past each first payment date. */
let ahead = 0;
const clock: Clock = { now: () => Date.now() + ahead, realNow: () => Date.now(), setting: null };
let sandbox: Sandbox;
let client: ClientUnderTest;
/** A client with a short time-out, for answers that never end. */
let hasty: ClientUnderTest;

beforeAll(async () => {
  const credentials = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const options = { bookingDelayMs: 0, eventDependentRefunds: true, upperCaseResults: true };
  sandbox = createSandbox({ clock, logger: silentLog(), ...credentials, ...options });
  const { url } = await sandbox.listen(0);
  client = createClient(url, { clock });
  hasty = createClient(url, { timeoutMs: 1_500, clock });
});

afterAll(async () => {
  await client.service.close();
  await hasty.service.close();
  await sandbox.close();
});

afterEach(() => sandbox.faults.clear());

const address = { name: 'Ada', street: 'Lane 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const common = { amount: AMOUNT, returnURL: 'http://127.0.0.1/back', billingAddress: address };

function accepted<T>(result: ServiceResult<T>): T {
  if (result.kind !== 'accepted') throw new Error(`expected an accepted call; got ${JSON.stringify(result)}`);
  return result.value;
}

async function request(plan: Partial<PaymentRequest> = {}): Promise<string> {
  const firstPaymentAt = clock.now() + HOUR;
  const subscription = { useCase: 'SUBSCRIPTION', repetition: 'MONTHLY', startAt: firstPaymentAt, firstPaymentAt };
  const asked = { ...common, ...(plan.useCase === undefined ? subscription : plan) } as PaymentRequest;
  const payment = accepted(await client.service.requestPayment(asked));
  expect(payment).toMatchObject({ status: 'pending', redirectURL: expect.stringMatching(/^http/) });
  return payment.paymentId;
}

async function createApproved(wallet = 'approves'): Promise<string> {
  const paymentId = await request();
  sandbox.payer(paymentId).approve(wallet);
  ahead += HOUR;
  return paymentId;
}

it('a subscription is requested, approved, initiated, booked, refunded and cancelled', async () => {
  const paymentId = await request();
  expect(accepted(await client.service.getConsent(paymentId))).toMatchObject({ status: 'pending', amount: AMOUNT });
  sandbox.payer(paymentId).approve();
  expect(accepted(await client.service.getConsent(paymentId))).toMatchObject({
    status: 'successful',
    repetition: 'MONTHLY',
  });

  ahead += HOUR;
  const made = accepted(await client.service.initiate(paymentId, AMOUNT));
  sandbox.settle(paymentId);
  const [authorization] = accepted(await client.service.listAuthorizations(paymentId));
  expect(authorization).toMatchObject({
    authorizationId: made.authorizationId,
    status: 'successful',
    amount: AMOUNT,
  });
  const [capture] = accepted(await client.service.listCaptures(paymentId, made.authorizationId));
  expect(capture).toMatchObject({ status: 'successful', authorizationId: made.authorizationId });

  accepted(
    await client.service.refund(paymentId, { amount: { ...AMOUNT, value: 500 }, captureId: capture?.captureId }),
  );
  sandbox.settle(paymentId);
  expect(accepted(await client.service.listRefunds(paymentId))).toMatchObject([
    { status: 'successful', amount: { value: 500 } },
  ]);

  for (const time of ['once', 'again']) {
    const consent = accepted(await client.service.cancelConsent(paymentId));
    expect({ time, status: consent.status }).toEqual({ time, status: 'cancelled' });
  }
  expect(await client.service.initiate(paymentId, AMOUNT)).toMatchObject({
    kind: 'rejected',
    failure: { retryable: false, detail: 'CONSENT_NOT_VALID' },
  });
});

it.each(['decline', 'abort'] as const)(
  'the consent of a subscription shows that the payer chose to %s',
  async (choice) => {
    const paymentId = await request();
    sandbox.payer(paymentId)[choice]();
    const reason = choice === 'decline' ? 'declined' : 'aborted';
    expect(accepted(await client.service.getConsent(paymentId))).toMatchObject({ status: 'failed', reason });
  },
);

it.each([
  ['insufficient-funds-once', true],
  ['rejected-with-id-once', true],
  ['final-rejection', false],
])('a debit of a subscription is rejected for the wallet %s', async (wallet, retryable) => {
  const paymentId = await createApproved(wallet);
  const result = await client.service.initiate(paymentId, AMOUNT);
  expect(result).toMatchObject({ kind: 'rejected', failure: { retryable } });
  expect('value' in result).toBe(wallet === 'rejected-with-id-once');
});

it('the list of authorizations shows a late rejection, with its detail', async () => {
  const paymentId = await createApproved('rejected-late-once');
  accepted(await client.service.initiate(paymentId, AMOUNT));
  sandbox.settle(paymentId);
  expect(accepted(await client.service.listAuthorizations(paymentId))).toMatchObject([
    { status: 'failed', detail: 'AUTHORIZATION_REJECTION_RETRYABLE' },
  ]);
});

it('an event dependent payment is captured in parts, or released', async () => {
  const plan = { useCase: 'EVENT_DEPENDENT', partialCapture: true, multipleCapture: true } as const;
  const captured = await request(plan);
  sandbox.payer(captured).approve();
  sandbox.settle(captured);
  accepted(await client.service.capture(captured, { amount: { ...AMOUNT, value: 1000 } }));
  accepted(await client.service.capture(captured, { amount: { ...AMOUNT, value: 500 }, finalCapture: true }));
  expect(accepted(await client.service.listCaptures(captured))).toMatchObject([
    { amount: { value: 1000 } },
    { amount: { value: 500 }, finalCapture: true },
  ]);

  const released = await request(plan);
  sandbox.payer(released).approve();
  sandbox.settle(released);
  const [authorization] = accepted(await client.service.listAuthorizations(released));
  const answer = await client.service.release(released, authorization!.authorizationId);
  expect(accepted(answer).status).toBe('released');
});

it("consent, debit and release work the same in the service's other spellings", async () => {
  const spellings = { consent: 'query', initiate: 'body', release: 'path' } as const;
  const other = createClient(sandbox.app.listeningOrigin, { clock, spellings });
  const subscription = await createApproved();
  expect(accepted(await other.service.getConsent(subscription)).status).toBe('successful');
  const made = accepted(await other.service.initiate(subscription, AMOUNT));
  expect(accepted(await client.service.listAuthorizations(subscription))).toMatchObject([
    { authorizationId: made.authorizationId },
  ]);
  const dependent = await request({ useCase: 'EVENT_DEPENDENT' });
  sandbox.payer(dependent).approve();
  sandbox.settle(dependent);
  const [authorization] = accepted(await client.service.listAuthorizations(dependent));
  expect(accepted(await other.service.release(dependent, authorization!.authorizationId)).status).toBe('released');
  await other.service.close();
});

it('a single payment is debited once the payer has approved, and refunded', async () => {
  const paymentId = await request({ useCase: 'SINGLE' });
  sandbox.payer(paymentId).approve();
  sandbox.settle(paymentId);
  expect(accepted(await client.service.listAuthorizations(paymentId))).toMatchObject([{ status: 'successful' }]);
  const [capture] = accepted(await client.service.listCaptures(paymentId));
  expect(capture).toMatchObject({ status: 'successful', amount: AMOUNT });
  const order = { amount: AMOUNT, captureId: capture?.captureId };
  expect((await client.service.refund(paymentId, order)).kind).toBe('accepted');
  expect(await client.service.refund(paymentId, { ...order, amount: { value: 1, currency: 'EUR' } })).toMatchObject({
    kind: 'rejected',
    failure: { detail: 'REFUND_EXCEEDS_CAPTURE' },
  });
});

describe('under faults', () => {
  type FaultKind = Parameters<Sandbox['faults']['add']>[0];
  it.each<[FaultKind, string, number]>([
    [{ kind: 'lost_answer' }, 'unknown', 1],
    [{ kind: 'hang' }, 'unknown', 1],
    [{ kind: 'swallowed' }, 'unknown', 0],
    [{ kind: 'error_after_commit' }, 'unknown', 1],
    [{ kind: 'error_after_commit', status: 502, html: true }, 'unknown', 1],
    [{ kind: 'error_before_commit', status: 409, html: true }, 'unknown', 0],
    [{ kind: 'malformed', variant: 'truncated' }, 'unknown', 1],
    [{ kind: 'malformed', variant: 'html' }, 'unknown', 1],
    [{ kind: 'malformed', variant: 'wrong_types' }, 'unknown', 1],
    [{ kind: 'huge' }, 'unknown', 1],
    [{ kind: 'gzip_bomb', bytes: 50_000_000 }, 'unknown', 1],
    [{ kind: 'slow_body', delayMs: 100 }, 'unknown', 1],
    [{ kind: 'rate_limit', retryAfter: 2 }, 'not_sent', 0],
    [{ kind: 'forbidden' }, 'not_sent', 0],
    [{ kind: 'unauthorized', times: 2 }, 'not_sent', 0],
    [{ kind: 'unauthorized' }, 'accepted', 1],
  ])('after %j the outcome is %s (debits at the service: %d)', async (fault, kind, debits) => {
    const paymentId = await createApproved();
    sandbox.faults.add({ ...fault, match: { method: 'POST', paymentId } });
    const { service } = fault.kind === 'hang' || fault.kind === 'slow_body' ? hasty : client;
    const result = await service.initiate(paymentId, AMOUNT);
    expect(result.kind).toBe(kind);
    expect(accepted(await client.service.listAuthorizations(paymentId))).toHaveLength(debits);
  });

  it('a wrong client secret sends nothing', async () => {
    const stranger = createClient(sandbox.app.listeningOrigin, { clientSecret: 'another-secret-altogether' });
    const result = await stranger.service.initiate('pay-1', AMOUNT);
    expect(result).toMatchObject({ kind: 'not_sent', reason: 'no access token: the token endpoint answered 401' });
    await stranger.service.close();
  });
});

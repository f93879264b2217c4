import { bodyOf, field, items, result, text } from '../exchange';
import { accepted, Differs, oneOf, refused, same } from '../outcome';
import { BOTH_FLAGS, capture, collect, collected, paid, refund, release, reserved, subscribed } from '../plays';
import { ADDRESS, DAY, HOUR, iso, REPETITIONS, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';

const SECTION = 'Resources and their fields';
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

async function checkRequest(
  stage: Stage,
  what: string,
  changes: Record<string, unknown>,
  expected: 'accepted' | 'refused',
) {
  const plan = 'repetition' in changes || 'startAt' in changes || 'firstPaymentAt' in changes || 'endAt' in changes;
  const answer = await stage.request({ plan: plan ? 'SUBSCRIPTION' : 'SINGLE', changes });
  if (expected === 'accepted') accepted(answer, what);
  else refused(answer, what);
}

export const FIELDS: readonly Row[] = rowsOf(SECTION, {
  'fields/paymentId': [
    'paymentId | response of payment/consent request; path parameter | Identifier used for captures, refunds, subscription payments and consent cancellation.',
    async (stage) => {
      const [dependent, single, subscription] = [await reserved(stage), await paid(stage), await subscribed(stage)];
      const ids = [dependent, single, subscription].map(({ paymentId }) => paymentId);
      accepted(await capture(stage, dependent, USUAL), 'a capture by its paymentId');
      accepted(await refund(stage, single, USUAL), 'a refund by its paymentId');
      accepted(await collect(stage, subscription), 'a subscription payment by its paymentId');
      const cancelled = await stage.call(subscription, 'DELETE', `/${subscription.paymentId}/consents`);
      same(cancelled, 'the number of paymentIds of three payments', new Set(ids).size, 3);
      accepted(cancelled, 'the cancellation of a consent by its paymentId');
    },
  ],
  'fields/authorizationId': [
    'authorizationId | path parameter for authorization cancellation | Identifies the authorization.',
    async (stage) => {
      const [one, other] = [await reserved(stage), await reserved(stage)];
      const crossed = { ...one, authorizationId: other.authorizationId };
      refused(await release(stage, crossed), 'the cancellation of an authorization of another payment');
      accepted(await release(stage, one), 'the cancellation of its own');
    },
  ],
  'fields/returnURL': [
    "returnURL | payment/consent request | Address to which the payer's browser is redirected when the flow ends (see States and transitions).",
    async (stage) => {
      const returnURL = 'https://merchant.example/another/way?back=1';
      await stage.returned(await stage.approved({ plan: 'SINGLE', changes: { returnURL } }));
    },
  ],
  'fields/billing-address': [
    'billing address | consent request | Required customer data.',
    async (stage) => {
      await checkRequest(stage, 'a request without a billing address', { billingAddress: undefined }, 'refused');
      await checkRequest(stage, 'a request with one', { billingAddress: ADDRESS }, 'accepted');
    },
  ],
  'fields/shipping-address': [
    'shipping address | consent request | Optional. If given, all fields required for a shipping address must be given.',
    async (stage) => {
      await checkRequest(stage, 'a request with a whole shipping address', { shippingAddress: ADDRESS }, 'accepted');
      const partial = { ...ADDRESS, city: undefined };
      await checkRequest(stage, 'a request with a part of one', { shippingAddress: partial }, 'refused');
    },
  ],
  'fields/createdAt': [
    'createdAt | authorization status response | Timestamp in UTC, format YYYY-MM-DDThh:mm:ss.sssZ.',
    async (stage) => {
      const answer = await stage.final(await reserved(stage), 'authorizations');
      const createdAt = text(items(bodyOf(answer))[0], 'createdAt') ?? '';
      if (!TIMESTAMP.test(createdAt))
        throw new Differs(answer, `createdAt should have that format; it was ${createdAt}`);
    },
  ],
  'fields/status-result': [
    'status.result | status responses | One of pending, successful, failed (a response may show it in upper case, e.g. FAILED).',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      const made = accepted(await capture(stage, trial, 1), 'a capture');
      const listed = await stage.final(trial, 'authorizations');
      for (const [answer, record] of [
        [made, bodyOf(made)],
        [listed, items(bodyOf(listed))[0]],
      ] as const) {
        oneOf(answer, 'status.result', result(record), ['pending', 'successful', 'failed']);
      }
    },
  ],
  'fields/finalCapture': [
    'When true, the payment is closed and any remainder of the authorized amount is released back to the payer. Can be set to a total different from the original authorized amount.',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      accepted(await capture(stage, trial, 10_00, false), 'a capture that is not the final one');
      accepted(await capture(stage, trial, 10_00, true), 'a final capture of less than the rest');
      refused(await capture(stage, trial, 1), 'a capture after the final one');
    },
  ],
  'fields/repetition': [
    'repetition | Subscription consent request | Payment interval. Allowed: WEEKLY, MONTHLY, QUARTERLY, HALF_YEARLY, YEARLY.',
    async (stage) => {
      for (const repetition of REPETITIONS) await checkRequest(stage, repetition, { repetition }, 'accepted');
      for (const repetition of ['DAILY', undefined]) {
        await checkRequest(stage, `the interval ${String(repetition)}`, { repetition }, 'refused');
      }
    },
  ],
  'fields/startAt': [
    'startAt | Subscription consent request | Timestamp with time of day, ISO 8601 UTC. Required. May lie in the past.',
    async (stage) => {
      const now = await stage.world.now();
      await checkRequest(stage, 'startAt a year ago', { startAt: iso(now - 365 * DAY) }, 'accepted');
      await checkRequest(stage, 'a request without startAt', { startAt: undefined }, 'refused');
      await checkRequest(stage, 'startAt without a time of day', { startAt: iso(now).slice(0, 10) }, 'refused');
    },
  ],
  'fields/firstPaymentAt': [
    'firstPaymentAt | Subscription consent request | Timestamp with time of day, ISO 8601 UTC. Required. Must be at least the current date and time. May be later than startAt.',
    async (stage) => {
      const now = await stage.world.now();
      await checkRequest(stage, 'firstPaymentAt in 40 days', { firstPaymentAt: iso(now + 40 * DAY) }, 'accepted');
      await checkRequest(
        stage,
        'firstPaymentAt a day ago',
        { startAt: iso(now - 9 * DAY), firstPaymentAt: iso(now - DAY) },
        'refused',
      );
      await checkRequest(stage, 'a request without firstPaymentAt', { firstPaymentAt: undefined }, 'refused');
      await checkRequest(
        stage,
        'firstPaymentAt without a time of day',
        { firstPaymentAt: iso(now + 9 * DAY).slice(0, 10) },
        'refused',
      );
    },
  ],
  'fields/endAt': [
    'endAt | Subscription consent request | Timestamp with time of day. The time is mandatory.',
    async (stage) => {
      const endAt = iso((await stage.world.now()) + 400 * DAY + HOUR);
      await checkRequest(stage, 'endAt with a time of day', { endAt }, 'accepted');
      await checkRequest(stage, 'endAt without a time of day', { endAt: endAt.slice(0, 10) }, 'refused');
    },
  ],
  'fields/first-payment': [
    'The first payment must equal exactly the amount given in the consent.',
    async (stage) => {
      const trial = await subscribed(stage);
      refused(await collect(stage, trial, USUAL - 1), 'a first payment of a cent less');
      refused(await collect(stage, trial, USUAL + 1), 'a first payment of a cent more');
      await collected(stage, trial);
    },
  ],
  'fields/interval-fixed': [
    'The payment interval cannot be changed during the life of the subscription.',
    async (stage) => {
      const trial = await subscribed(stage, 'QUARTERLY');
      await collected(stage, trial);
      await stage.until(trial, trial.firstPaymentAt + 31 * DAY);
      refused(await collect(stage, trial), 'a quarterly payment after a month');
      const consent = await stage.consent(trial);
      oneOf(consent, 'the repetition of the consent', field(bodyOf(consent), 'repetition'), ['QUARTERLY', undefined]);
    },
  ],
});

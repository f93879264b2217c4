import { bodyOf, field, items } from '../exchange';
import { same } from '../outcome';
import { BOTH_FLAGS, capture, collect, paid, refund, release, reserved, subscribed } from '../plays';
import { euros, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import { shaped } from '../shapes';

/** Method and path are the reference's; the fields of the answers and their HTTP status are dueday's assumption. */
export const ENDPOINTS: readonly Row[] = rowsOf('Endpoints', {
  'endpoints/request-payment': [
    'Request Payment | POST /payments | all',
    async (stage) => {
      for (const plan of ['SINGLE', 'EVENT_DEPENDENT', 'SUBSCRIPTION'] as const) {
        shaped(await stage.request({ plan }), 'payment', 201);
      }
    },
  ],
  'endpoints/retrieve-consent': [
    'Retrieve Consent | GET /consents | all',
    async (stage) => {
      const trial = await stage.open({ plan: 'SUBSCRIPTION' });
      const byQuery = await stage.call(trial, 'GET', `/consents?paymentId=${trial.paymentId}`);
      shaped(byQuery, 'consent', 200);
      const byPath = shaped(await stage.consent(trial), 'consent', 200);
      same(byPath, 'the consent in its other spelling', bodyOf(byPath), bodyOf(byQuery));
    },
  ],
  'endpoints/request-authorization': [
    'Request Authorization | POST /authorizations | Subscription',
    async (stage) => {
      const trial = await subscribed(stage);
      const body = { paymentId: trial.paymentId, amount: euros(USUAL) };
      shaped(await stage.call(trial, 'POST', '/authorizations', body), 'authorization', 201);
    },
  ],
  'endpoints/retrieve-authorization': [
    'Retrieve Authorization | GET /authorizations | all',
    async (stage) => {
      const trial = await reserved(stage);
      shaped(await stage.authorizations(trial), 'authorizations', 200);
      const path = `/authorizations?paymentId=${trial.paymentId}&authorizationId=`;
      shaped(await stage.call(trial, 'GET', path + trial.authorizationId), 'authorizations', 200);
      const none = await stage.call(trial, 'GET', `${path}made-up`);
      same(none, 'the list for an authorizationId that does not exist', items(bodyOf(none)).length, 0);
    },
  ],
  'endpoints/retrieve-capture': [
    'Retrieve Capture | GET /captures | all',
    async (stage) => {
      const trial = await paid(stage);
      const answer = shaped(await stage.captures(trial), 'captures', 200);
      const id = String(field(items(bodyOf(answer))[0], 'captureId'));
      shaped(await stage.call(trial, 'GET', `/captures?paymentId=${trial.paymentId}&captureId=${id}`), 'captures', 200);
    },
  ],
  'endpoints/capture-payment': [
    'Capture Payment | POST /captures | Event Dependent',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      shaped(await capture(stage, trial, 10_00), 'capture', 201);
      shaped(await capture(stage, trial, 10_00, true), 'capture', 201);
    },
  ],
  'endpoints/cancel-authorization': [
    'Cancel Authorization | DELETE /authorizations/{authorizationId} | Event Dependent',
    async (stage) => shaped(await release(stage, await reserved(stage)), 'authorization', 200),
  ],
  'endpoints/cancel-authorization-prefixed': [
    'The payments-prefixed form /payments/{paymentId}/authorizations/{authorizationId} is also given for this cancellation.',
    async (stage) => {
      const trial = await reserved(stage);
      const path = `/payments/${trial.paymentId}/authorizations/${trial.authorizationId}`;
      shaped(await stage.call(trial, 'DELETE', path), 'authorization', 200);
    },
  ],
  'endpoints/make-refund': [
    'Make Refund | POST /{paymentId}/refunds | Single Immediate, Subscription',
    async (stage) => shaped(await refund(stage, await paid(stage), USUAL), 'refund', 201),
  ],
  'endpoints/retrieve-refund': [
    'Retrieve Refund | GET /{paymentId}/refunds | Single Immediate, Subscription',
    async (stage) => {
      const trial = await paid(stage);
      const made = shaped(await refund(stage, trial, USUAL), 'refund', 201);
      shaped(await stage.refunds(trial), 'refunds', 200);
      const id = String(field(bodyOf(made), 'refundId'));
      shaped(await stage.call(trial, 'GET', `/${trial.paymentId}/refunds?refundId=${id}`), 'refunds', 200);
    },
  ],
  'endpoints/initiate-payment': [
    'Initiate Payment | POST /{paymentId}/authorizations | Subscription',
    async (stage) => shaped(await collect(stage, await subscribed(stage)), 'authorization', 201),
  ],
  'endpoints/cancel-subscription': [
    'Cancel Subscription | DELETE /{paymentId}/consents | Subscription',
    async (stage) => {
      const trial = await subscribed(stage);
      shaped(await stage.call(trial, 'DELETE', `/${trial.paymentId}/consents`), 'consent', 200);
    },
  ],
});

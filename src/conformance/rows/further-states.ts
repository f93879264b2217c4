import { bodyOf, items, result, text } from '../exchange';
import { accepted, refused, same } from '../outcome';
import { captured, collect, collected, paid, refund, release, reserved, subscribed } from '../plays';
import { DAY, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';
import type { Trial } from '../world';
import { consentIs, hasNo, timedOut } from './states';

const SECTION = 'States and transitions';

/** Tries to cancel the first authorization of a payment that is not a pre-authorization. */
async function cancellationRefused(stage: Stage, trial: Trial): Promise<void> {
  const listed = await stage.final(trial, 'authorizations');
  const id = text(items(bodyOf(listed))[0], 'authorizationId') ?? '';
  refused(
    await stage.call(trial, 'DELETE', `/authorizations/${id}?paymentId=${trial.paymentId}`),
    `the cancellation of an authorization of ${trial.plan}`,
  );
}

export const ADDITIONAL_RULES: readonly Row[] = rowsOf(SECTION, {
  'rules/after-timeout': [
    'After a consent timeout, the payment is failed and no new authorization attempt is possible on it. A new payment request and consent are required.',
    async (stage) => {
      const trial = await stage.open({ plan: 'SUBSCRIPTION' });
      await timedOut(stage, trial);
      refused(await collect(stage, trial), 'an authorization after the session has timed out');
      await stage.approved({ plan: 'SUBSCRIPTION' });
    },
  ],
  'rules/capture-reversed-by-refund': [
    'A capture cannot be cancelled; a capture is reversed only by a refund.',
    async (stage) => {
      const trial = await paid(stage);
      await cancellationRefused(stage, trial);
      await captured(stage, trial);
      accepted(await refund(stage, trial, USUAL), 'a refund of the captured amount');
    },
  ],
  'rules/only-event-dependent-cancelled': [
    'Only an Event Dependent pre-authorization can be cancelled.',
    async (stage) => {
      await cancellationRefused(stage, await paid(stage));
      const subscription = await subscribed(stage);
      await collected(stage, subscription);
      await cancellationRefused(stage, subscription);
      const trial = await reserved(stage);
      accepted(await release(stage, trial), 'the cancellation of an Event Dependent authorization');
    },
  ],
  'rules/consent-records-approval': [
    'Subscription: creating the consent only records approval. Authorization and booking occur only when the merchant submits a transaction to POST /{paymentId}/authorizations.',
    async (stage) => {
      const trial = await subscribed(stage);
      await hasNo(stage, trial, 'authorizations');
      await hasNo(stage, trial, 'captures');
      await collected(stage, trial);
      await captured(stage, trial);
    },
  ],
  'rules/pause': [
    'Subscription pause: the merchant omits the authorization call for the planned pause duration.',
    async (stage) => {
      const trial = await subscribed(stage, 'WEEKLY');
      await collected(stage, trial);
      await stage.until(trial, trial.firstPaymentAt + 3 * 7 * DAY);
      await consentIs(stage, trial, 'successful');
      accepted(await collect(stage, trial), 'a payment after two dates were left out');
    },
  ],
  'rules/redirects': [
    'Redirect to returnURL happens when the payer declines consent, when the session times out, and after the payer ends the interaction with the bank or wallet.',
    async (stage) => {
      const declined = await stage.open({ plan: 'SINGLE' });
      await stage.act(declined, 'decline');
      await stage.returned(declined);
      await stage.returned(await stage.approved({ plan: 'SINGLE' }));
      const late = await stage.open({ plan: 'EVENT_DEPENDENT' });
      await timedOut(stage, late);
      await stage.returned(late);
    },
  ],
  'rules/redirect-at-final-consent': [
    'Since the change described under Versioning, the redirect already occurs when the consent request reaches a final status.',
    async (stage) => {
      for (const plan of ['SINGLE', 'EVENT_DEPENDENT', 'SUBSCRIPTION'] as const) {
        await stage.returned(await stage.approved({ plan }));
      }
    },
  ],
});

export const STATUS_QUERIES: readonly Row[] = rowsOf(SECTION, {
  'queries/consent': [
    'consent | during the consent flow, when confirmation of approval is needed',
    async (stage) => {
      const trial = await stage.open({ plan: 'SUBSCRIPTION' });
      await consentIs(stage, trial, 'pending');
      await stage.act(trial, 'approve');
      same(
        await stage.final(trial, 'consent'),
        'the consent',
        result(bodyOf(await stage.consent(trial))),
        'successful',
      );
    },
  ],
  'queries/authorization': [
    'authorization | after consent is given',
    async (stage) => {
      const trial = await stage.approved({ plan: 'SINGLE' });
      const answer = await stage.final(trial, 'authorizations');
      same(answer, 'the number of authorizations', items(bodyOf(answer)).length, 1);
    },
  ],
  'queries/capture': [
    'capture | after starting a capture, when confirmation is needed (esp. multiple and final captures)',
    async (stage) => captured(stage, await paid(stage)),
  ],
  'queries/refund': [
    'refund | after creating a refund request',
    async (stage) => {
      const trial = await paid(stage);
      accepted(await refund(stage, trial, USUAL), 'a refund');
      const answer = await stage.final(trial, 'refunds');
      same(answer, 'the status of the refund', result(items(bodyOf(answer))[0]), 'successful');
    },
  ],
});

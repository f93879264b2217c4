import { bodyOf, text } from '../exchange';
import { accepted, Differs, refused, same } from '../outcome';
import {
  BOTH_FLAGS,
  capture,
  captured,
  collect,
  collected,
  collectedTwice,
  expired,
  paid,
  refund,
  release,
  reserved,
  subscribed,
} from '../plays';
import { DAY, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import { consentIs, notCaptured, timedOut } from './states';
import { rejectedByBank, RETRYABLE } from './subscription-limits';

export const ERRORS: readonly Row[] = rowsOf('Errors', {
  'errors/retryable-rejection': [
    "Subscription authorization rejected by the payer's bank in a way that may be retried | Response with result FAILED, detail AUTHORIZATION_REJECTION_RETRYABLE, and a description asking the merchant to contact the payer before retrying.",
    async (stage) => {
      const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects once, retryable' });
      const answer = await collect(stage, trial);
      rejectedByBank(answer, 'a first attempt');
      const body = bodyOf(answer);
      same(answer, 'result and detail', [text(body, 'result'), text(body, 'detail')], ['FAILED', RETRYABLE]);
      if ((text(body, 'description') ?? '') === '') throw new Differs(answer, 'there should be a description');
      accepted(await collect(stage, trial), 'the attempt after a retryable rejection');
    },
  ],
  'errors/capture-too-large': [
    'Capture larger than the authorized amount | Capture is not processed; status.result is failed.',
    async (stage) => {
      const trial = await reserved(stage);
      refused(await capture(stage, trial, USUAL + 1), 'a capture larger than the authorized amount');
      await notCaptured(stage, trial);
    },
  ],
  'errors/capture-too-late': [
    'Capture after the Event Dependent validity has ended | Capture request fails.',
    async (stage) =>
      refused(await capture(stage, await expired(stage, DAY), USUAL), 'a capture a day after the validity'),
  ],
  'errors/refund-not-allowed': [
    'Refund on a failed or expired payment, refund above the captured amount, or sum of refunds above the captured total | Not allowed.',
    async (stage) => {
      const failed = await stage.approved({ plan: 'SINGLE' }, { bank: 'rejects for good' });
      await stage.final(failed, 'authorizations');
      refused(await refund(stage, failed, 1), 'a refund on a failed payment');
      refused(await refund(stage, await expired(stage), 1), 'a refund on an expired payment');
      const trial = await paid(stage);
      refused(await refund(stage, trial, USUAL + 1), 'a refund above the captured amount');
      accepted(await refund(stage, trial, USUAL), 'a refund of the captured amount');
      refused(await refund(stage, trial, 1), 'a refund that takes the sum above the captured total');
    },
  ],
  'errors/refund-names-capture': [
    'Partial or multiple captures refunded without matching capture identifiers | Not allowed; the identifiers must be used.',
    async (stage) => {
      const trial = await collectedTwice(stage);
      const [, second = ''] = await captured(stage, trial);
      refused(await refund(stage, trial, 1), 'a refund that names none of two captures');
      const [stranger = ''] = await captured(stage, await paid(stage));
      refused(await refund(stage, trial, 1, stranger), 'a refund that names the capture of another payment');
      accepted(await refund(stage, trial, USUAL, second), 'a refund that names its capture');
    },
  ],
  'errors/consent-failed': [
    'Consent declined, aborted or timed out | Consent or payment status failed.',
    async (stage) => {
      const [declined, aborted] = [
        await stage.open({ plan: 'EVENT_DEPENDENT' }),
        await stage.open({ plan: 'SUBSCRIPTION' }),
      ];
      await stage.act(declined, 'decline');
      await consentIs(stage, declined, 'failed');
      await stage.act(aborted, 'abort');
      await consentIs(stage, aborted, 'failed');
      const late = await stage.open({ plan: 'SINGLE' });
      await timedOut(stage, late);
      await consentIs(stage, late, 'failed');
    },
  ],
  'errors/interval-not-matched': [
    'Subscription payment that does not fit the agreed interval | Not authorized.',
    async (stage) => {
      const trial = await subscribed(stage, 'MONTHLY');
      await collected(stage, trial);
      refused(await collect(stage, trial), 'a second payment on the same date');
      await stage.until(trial, trial.firstPaymentAt + 14 * DAY);
      refused(await collect(stage, trial), 'a monthly payment after two weeks');
    },
  ],
  'errors/capture-cancelled': [
    'Cancellation of a capture | Not possible; a refund is required.',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      accepted(await capture(stage, trial, 10_00), 'a capture of a part');
      refused(await release(stage, trial), 'the cancellation of an authorization with a capture');
      await captured(stage, trial);
    },
  ],
});

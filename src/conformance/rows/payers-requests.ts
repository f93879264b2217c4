import { accepted } from '../outcome';
import { captured, collect, collected, refund, subscribed } from '../plays';
import { dateOf, HOUR, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';
import type { Trial } from '../world';
import { rejectedByBank } from './subscription-limits';

/** Collects on the second date, which nothing has moved. */
async function nextIsCollected(stage: Stage, trial: Trial): Promise<void> {
  await stage.until(trial, dateOf(trial.firstPaymentAt, 'MONTHLY', 1));
  accepted(await collect(stage, trial), 'the payment of the next date');
}

/** What dueday relies on when payers ask for another day, for a retry at another time, or to make a one-time payment instead. */
export const PAYERS_REQUESTS: readonly Row[] = [
  ...rowsOf('Limits', {
    'requests/another-day': [
      'Deviation from the scheduled payment date: up to 5 days (120 hours), whatever the interval.',
      async (stage) => {
        const trial = await subscribed(stage);
        await stage.until(trial, trial.firstPaymentAt + 96 * HOUR);
        await collected(stage, trial);
        await nextIsCollected(stage, trial);
      },
    ],
    'requests/retry-later': [
      'After a failed authorization: at most 3 attempts within a 3-day window, and only after informing the payer.',
      async (stage) => {
        const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects once, retryable' });
        rejectedByBank(await collect(stage, trial), 'a first attempt');
        await stage.until(trial, trial.firstPaymentAt + 60 * HOUR);
        await collected(stage, trial);
        await nextIsCollected(stage, trial);
      },
    ],
  }),
  ...rowsOf('What the service does', {
    'requests/paid-instead': [
      "Single Immediate | SINGLE | One-time payment. Once the payer grants consent and the payer's bank authorizes, the full amount is debited at once.",
      async (stage) => {
        const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects once, retryable' });
        rejectedByBank(await collect(stage, trial), 'a first attempt');
        const instead = await stage.approved({ plan: 'SINGLE', cents: USUAL }, { merchant: trial.merchant });
        await stage.final(instead, 'authorizations');
        await captured(stage, instead);
        accepted(await refund(stage, instead, USUAL), 'a refund of the payment');
        await nextIsCollected(stage, trial);
      },
    ],
  }),
];

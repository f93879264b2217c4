import { bodyOf, type Exchange, text } from '../exchange';
import { accepted, Differs, refused } from '../outcome';
import { atDate, collect, collected, subscribed } from '../plays';
import { dateOf, HOUR, plusMonths, REPETITIONS, type Repetition, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';

/** "Maximum amount for an increase (EUR)", in cents; and each interval as the list writes it. */
const CAPS: Readonly<Record<Repetition, readonly [cents: number, quote: string]>> = {
  WEEKLY: [150_00, 'WEEKLY | 150.00'],
  MONTHLY: [500_00, 'MONTHLY | 500.00'],
  QUARTERLY: [1500_00, 'QUARTERLY | 1500.00'],
  HALF_YEARLY: [2500_00, 'HALF_YEARLY (written HALF-YEARLY in the caps list) | 2500.00'],
  YEARLY: [5000_00, 'YEARLY | 5000.00'],
};

export const RETRYABLE = 'AUTHORIZATION_REJECTION_RETRYABLE';
const DEVIATION = 120 * HOUR;
const RAISED = USUAL + 5_00;
const RAISED_AGAIN = USUAL + 10_00;

/** Requires that the payer's bank rejected the attempt and permits a retry. @throws Differs for any other answer */
export function rejectedByBank(answer: Exchange, what: string): void {
  if (detailOf(answer) === RETRYABLE) return;
  throw new Differs(answer, `${what} should reach the payer's bank, which rejects it as ${RETRYABLE}`);
}

/** Requires that the service itself refused the attempt, before it asked the payer's bank. @throws Differs */
function refusedByService(answer: Exchange, what: string): void {
  refused(answer, what);
  if (detailOf(answer) !== RETRYABLE) return;
  throw new Differs(answer, `${what} should be refused by the service; the payer's bank was asked`);
}

function detailOf(answer: Exchange): string | undefined {
  return text(bodyOf(answer), 'detail')?.trim().toUpperCase();
}

/** Four dates of one subscription: the second too early, then just early enough; the third just in time; the fourth too late. */
async function checkDeviation(stage: Stage, repetition: Repetition): Promise<void> {
  const { margin, isSimulated } = stage.world;
  // Exactly 120 hours if the time can be set, else as near as the transit time allows.
  const within = DEVIATION - (isSimulated ? 0 : margin);
  const trial = await subscribed(stage, repetition);
  const at = async (n: number, offset: number): Promise<Exchange> => {
    await stage.until(trial, dateOf(trial.firstPaymentAt, repetition, n) + offset);
    return collect(stage, trial);
  };
  await collected(stage, trial);
  refused(await at(1, -DEVIATION - margin), `a ${repetition} payment more than 120 hours before its date`);
  accepted(await at(1, -within), `a ${repetition} payment 120 hours before its date`);
  await stage.final(trial, 'authorizations');
  accepted(await at(2, within), `a ${repetition} payment 120 hours after its date`);
  // The windows of two weekly dates overlap: a payment that is late for one is early for the next.
  if (repetition === 'WEEKLY') return;
  refused(await at(3, DEVIATION + margin), `a ${repetition} payment more than 120 hours after its date`);
}

export const SUBSCRIPTION_LIMITS: readonly Row[] = rowsOf('Limits', {
  'subscription/deviation': [
    'Deviation from the scheduled payment date: up to 5 days (120 hours), whatever the interval.',
    async (stage) => {
      for (const repetition of REPETITIONS) await checkDeviation(stage, repetition);
    },
  ],
  'subscription/attempts': [
    'After a failed authorization: at most 3 attempts within a 3-day window, and only after informing the payer.',
    async (stage) => {
      const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects always, retryable' });
      for (const n of [0, 1, 2, 3]) {
        await stage.until(trial, trial.firstPaymentAt + n * HOUR);
        rejectedByBank(await collect(stage, trial), n === 0 ? 'a first attempt' : `attempt ${n} after the first`);
      }
      refusedByService(await collect(stage, trial), 'a fourth attempt after a failed authorization');
      stage.remark('whether the payer was informed is not seen over the wire');
    },
  ],
  'subscription/attempts-window': [
    'at most 3 attempts within a 3-day window',
    async (stage) => {
      const { margin, isSimulated } = stage.world;
      const after = async (hours: number, offset: number): Promise<Exchange> => {
        const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects always, retryable' });
        rejectedByBank(await collect(stage, trial), 'a first attempt');
        await stage.until(trial, trial.firstPaymentAt + hours * HOUR + offset);
        return collect(stage, trial);
      };
      rejectedByBank(await after(72, isSimulated ? 0 : -margin), 'an attempt 72 hours after the first failure');
      refusedByService(await after(72, 2 * margin), 'an attempt more than 72 hours after the first failure');
    },
  ],
  'subscription/increase-every-six-months': [
    'Amount increase: allowed not more than once every 6 months (not applicable to the first payment), capped per interval as below.',
    async (stage) => {
      const trial = await atDate(stage, 'MONTHLY', 1);
      const increasedAt = await collected(stage, trial, RAISED);
      const free = plusMonths(increasedAt, 6);
      await stage.until(trial, free - stage.world.margin);
      refused(await collect(stage, trial, RAISED_AGAIN), 'a second increase just before 6 months have passed');
      await stage.until(trial, free);
      accepted(await collect(stage, trial, RAISED_AGAIN), 'a second increase after 6 months');
    },
  ],
  'subscription/reduction': [
    'Amount reduction: any time, any number of times, without limit.',
    async (stage) => {
      const trial = await atDate(stage, 'WEEKLY', 1);
      for (const [n, cents] of [30_00, 20_00, 1].entries()) {
        await stage.until(trial, dateOf(trial.firstPaymentAt, 'WEEKLY', n + 1));
        await collected(stage, trial, cents);
      }
    },
  ],
  'subscription/increase-after-reduction': [
    'Increase after a reduction: any time, up to the originally agreed consent amount; beyond the original amount, the 6-month rule and caps apply.',
    async (stage) => {
      const trial = await atDate(stage, 'WEEKLY', 1);
      for (const [n, cents] of [RAISED, 20_00, 30_00, USUAL].entries()) {
        await stage.until(trial, dateOf(trial.firstPaymentAt, 'WEEKLY', n + 1));
        await collected(stage, trial, cents);
      }
      await stage.until(trial, dateOf(trial.firstPaymentAt, 'WEEKLY', 5));
      refused(await collect(stage, trial, USUAL + 1), 'an increase beyond the consent amount within 6 months');
      accepted(await collect(stage, trial, USUAL), 'a payment of the consent amount');
    },
  ],
  'subscription/second-increase': [
    'A second increase within 6 months requires a new consent request.',
    async (stage) => {
      const trial = await atDate(stage, 'MONTHLY', 1);
      await collected(stage, trial, RAISED);
      await stage.until(trial, dateOf(trial.firstPaymentAt, 'MONTHLY', 2));
      refused(await collect(stage, trial, RAISED_AGAIN), 'a second increase a month after the first');
      await collected(stage, await subscribed(stage, 'MONTHLY', { cents: RAISED_AGAIN }), RAISED_AGAIN);
    },
  ],
  'subscription/consent-above-cap': [
    'If the initial consent amount already exceeds the cap for its interval, no increase is allowed.',
    async (stage) => {
      for (const repetition of REPETITIONS) {
        const cents = CAPS[repetition][0] + 1;
        const trial = await atDate(stage, repetition, 1, cents, await stage.merchant({ capturesAnyAmount: true }));
        refused(await collect(stage, trial, cents + 1), `an increase of a ${repetition} consent above the cap`);
        accepted(await collect(stage, trial, cents), 'a payment of the consent amount');
      }
    },
  ],
});

async function checkCap(stage: Stage, repetition: Repetition): Promise<void> {
  const [cap] = CAPS[repetition];
  const trial = await atDate(stage, repetition, 1, USUAL, await stage.merchant({ capturesAnyAmount: true }));
  refused(await collect(stage, trial, cap + 1), `an increase of a ${repetition} amount to one cent above the cap`);
  accepted(await collect(stage, trial, cap), `an increase of a ${repetition} amount to the cap`);
}

/** "Interval | Maximum amount for an increase (EUR)". */
export const CAP_ROWS: readonly Row[] = rowsOf(
  'Limits',
  Object.fromEntries(
    REPETITIONS.map((repetition) => [
      `caps/${repetition.toLowerCase().replace('_', '-')}`,
      [CAPS[repetition][1], (stage: Stage) => checkCap(stage, repetition)] as const,
    ]),
  ),
);

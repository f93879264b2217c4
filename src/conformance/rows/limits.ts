import { bodyOf, text } from '../exchange';
import { accepted, CannotBeTried, refused } from '../outcome';
import { BOTH_FLAGS, capture, paid, refund, reserved, shortValidity } from '../plays';
import { DAY, USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';
import { consentIs, SESSION, timedOut } from './states';

const WEEK = 604_800;
const TEN_DAYS = 864_000;
const TOKEN_LIFE = 300;
/** Real seconds on either side of the end of a token's life. */
const STEP = 10;

/** A capture just before `seconds` have passed since the authorization, and one just after. */
async function deadlineAt(stage: Stage, seconds: number, trials: readonly Awaited<ReturnType<typeof reserved>>[]) {
  const [inTime, late] = trials;
  if (inTime === undefined || late === undefined) throw new RangeError('it takes two payments');
  await stage.until(inTime, inTime.createdAt + seconds * 1000 - stage.world.margin);
  accepted(await capture(stage, inTime, USUAL), `a capture just before ${seconds} seconds have passed`);
  await stage.until(late, late.createdAt + seconds * 1000 + stage.world.margin);
  refused(await capture(stage, late, USUAL), `a capture just after ${seconds} seconds have passed`);
}

export const LIMITS: readonly Row[] = rowsOf('Limits', {
  'limits/session': [
    'Payment session and consent validity | 10 minutes; after that the payment expires',
    async (stage) => {
      const askedAt = performance.now();
      const inTime = await stage.open({ plan: 'SINGLE' });
      await stage.world.pass(inTime, SESSION - STEP);
      await stage.act(inTime, 'approve');
      if (performance.now() - askedAt >= SESSION * 1000) {
        throw new CannotBeTried(`the payer took longer than the last ${STEP} seconds of the session to approve`);
      }
      await consentIs(stage, inTime, 'successful');
      const late = await stage.open({ plan: 'SUBSCRIPTION' });
      await timedOut(stage, late);
      await consentIs(stage, late, 'failed');
    },
  ],
  'limits/token': [
    'Access token validity | 300 seconds',
    async (stage) => {
      const merchant = await stage.merchant();
      const trial = await stage.open({ plan: 'SINGLE' });
      const token = text(bodyOf(await merchant.requestToken()), 'access_token');
      if (token === undefined) throw new CannotBeTried('the token endpoint gave no token');
      const path = `/${trial.paymentId}/consents`;
      await stage.world.age(token, TOKEN_LIFE - STEP);
      accepted(await merchant.callWith(token, 'GET', path), 'a call with a token of 290 seconds');
      await stage.world.age(token, 2 * STEP);
      refused(await merchant.callWith(token, 'GET', path), 'a call with a token of 310 seconds');
    },
  ],
  'limits/default-time-to-capture': [
    'timeToCapture default | 604800 seconds (7 days)',
    async (stage) => deadlineAt(stage, WEEK, [await reserved(stage), await reserved(stage)]),
  ],
  'limits/longest-time-to-capture': [
    'timeToCapture maximum | 864000 seconds (10 days)',
    async (stage) => {
      const merchant = await stage.merchant({ longCapturePermitted: true });
      const ask = (timeToCapture: number) =>
        stage.request({ plan: 'EVENT_DEPENDENT', changes: { timeToCapture } }, merchant);
      accepted(await ask(TEN_DAYS), 'a timeToCapture of 864000 seconds');
      refused(await ask(TEN_DAYS + 1), 'a timeToCapture of 864001 seconds');
    },
  ],
  'limits/validity': [
    'Authorization validity, Event Dependent | 7 or 10 days depending on merchant industry',
    async (stage) => {
      const merchant = await stage.merchant({ longCapturePermitted: true });
      const make = () => reserved(stage, { timeToCapture: TEN_DAYS }, { merchant });
      await deadlineAt(stage, TEN_DAYS, [await make(), await make()]);
    },
  ],
  'limits/partial-capture': [
    'Partial capture | Event Dependent only',
    async (stage) => {
      const [single, dependent] = ['SINGLE', 'EVENT_DEPENDENT'] as const;
      const changes = { partialCapture: true };
      refused(await stage.request({ plan: single, changes }), 'partialCapture for Single Immediate');
      refused(await stage.request({ plan: 'SUBSCRIPTION', changes }), 'partialCapture for a Subscription');
      accepted(await stage.request({ plan: dependent, changes }), 'partialCapture for Event Dependent');
    },
  ],
  'limits/total-captures': [
    'Total captures | Unlimited, when both flags are true',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      for (let n = 1; n <= 25; n += 1) accepted(await capture(stage, trial, 1), `capture ${n} of one cent`);
    },
  ],
  'limits/capture-total': [
    'Capture total | Must not exceed the authorized amount',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      accepted(await capture(stage, trial, USUAL - 10_00), 'a first capture');
      refused(await capture(stage, trial, 10_01), 'a second capture that takes the total one cent above');
      accepted(await capture(stage, trial, 10_00), 'a second capture that takes the total to the amount');
    },
  ],
  'limits/refund-total': [
    'Refund total | Must not exceed the captured amount',
    async (stage) => {
      const trial = await paid(stage);
      accepted(await refund(stage, trial, USUAL - 10_00), 'a first refund');
      refused(await refund(stage, trial, 10_01), 'a second refund that takes the total one cent above');
      accepted(await refund(stage, trial, 10_00), 'a second refund that takes the total to the amount');
    },
  ],
  'limits/capture-deadline': [
    'Capture deadline: authorization createdAt (UTC) plus the number of seconds of timeToCapture.',
    async (stage) => {
      const timeToCapture = shortValidity(stage);
      const make = () => reserved(stage, { timeToCapture });
      await deadlineAt(stage, timeToCapture, [await make(), await make()]);
    },
  ],
  'limits/time-to-capture-empty': [
    'Merchants who leave timeToCapture empty get 604800.',
    async (stage) => {
      const merchant = await stage.merchant({ longCapturePermitted: true });
      const trial = await reserved(stage, {}, { merchant });
      await stage.until(trial, trial.createdAt + WEEK * 1000 - stage.world.margin);
      accepted(await capture(stage, trial, USUAL), 'a capture on the seventh day');
      const late = await reserved(stage, {}, { merchant });
      await stage.until(late, late.createdAt + WEEK * 1000 + DAY);
      refused(await capture(stage, late, USUAL), 'a capture on the eighth day');
    },
  ],
  'limits/longer-period-permitted': [
    'Values above 604800 (up to 864000) must be set explicitly and are only allowed to merchants permitted the longer period.',
    async (stage) => {
      const ask = async (timeToCapture: number, longCapturePermitted: boolean) =>
        stage.request(
          { plan: 'EVENT_DEPENDENT', changes: { timeToCapture } },
          await stage.merchant({ longCapturePermitted }),
        );
      accepted(await ask(WEEK, false), 'a timeToCapture of 604800 seconds');
      refused(await ask(WEEK + 1, false), 'a timeToCapture of 604801 seconds by a merchant who is not permitted it');
      if (stage.world.isSimulated) accepted(await ask(WEEK + 1, true), '604801 seconds by a merchant permitted it');
      else stage.remark('a merchant permitted the longer period was not tried as well');
    },
  ],
});

/** "Merchant category codes restricted to 604800 seconds". */
const CATEGORIES: Readonly<Record<string, string>> = {
  '4111': 'Suburban and local commuter passenger transport, including ferries',
  '4112': 'Passenger railways',
  '4789': 'Transportation services, not elsewhere classified',
  '7523': 'Parking lots and garages',
  '4131': 'Bus lines',
};

async function checkWeekLimit(stage: Stage, merchantCategoryCode: string): Promise<void> {
  const merchant = await stage.merchant({ merchantCategoryCode, longCapturePermitted: true });
  const ask = (timeToCapture: number) =>
    stage.request({ plan: 'EVENT_DEPENDENT', changes: { timeToCapture } }, merchant);
  accepted(await ask(WEEK), `a timeToCapture of 604800 seconds in category ${merchantCategoryCode}`);
  refused(await ask(WEEK + 1), `a timeToCapture of 604801 seconds in category ${merchantCategoryCode}`);
}

/** In the simulator, only this category is also tried with a short capture period: the period has the same effect in all. */
const SHORT_PERIOD_TOO = '4111';

async function checkCaptureMaximum(stage: Stage, merchantCategoryCode: string): Promise<void> {
  const merchant = await stage.merchant({ merchantCategoryCode });
  const isTriedOnce = stage.world.isSimulated && merchantCategoryCode !== SHORT_PERIOD_TOO;
  for (const period of isTriedOnce ? [{}] : [{}, { timeToCapture: shortValidity(stage) }]) {
    const trial = await reserved(stage, { ...BOTH_FLAGS, ...period }, { cents: 100_01, merchant });
    refused(await capture(stage, trial, 50_01), `a capture of 50.01 EUR in category ${merchantCategoryCode}`);
    accepted(await capture(stage, trial, 50_00), `a capture of 50.00 EUR in category ${merchantCategoryCode}`);
  }
}

export const CATEGORY_LIMITS: readonly Row[] = [
  ...rowsOf(
    'Limits',
    Object.fromEntries(
      Object.entries(CATEGORIES).map(([code, name]) => [
        `limits/category-${code}`,
        [`${code} | ${name}`, (stage: Stage) => checkWeekLimit(stage, code)] as const,
      ]),
    ),
  ),
  ...rowsOf('Limits', {
    'limits/category-maximum': [
      'Merchants in these categories also have a maximum capture amount of 50 EUR, independent of the capture period.',
      async (stage) => {
        let tried = 0;
        let why: unknown;
        for (const code of Object.keys(CATEGORIES)) {
          try {
            await checkCaptureMaximum(stage, code);
            tried += 1;
          } catch (error) {
            if (!(error instanceof CannotBeTried)) throw error;
            why = error;
          }
        }
        if (tried === 0) throw why;
        if (tried < Object.keys(CATEGORIES).length) stage.remark('only the category of these credentials was tried');
      },
    ],
  }),
];

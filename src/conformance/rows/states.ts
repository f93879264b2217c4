import { bodyOf, items, result } from '../exchange';
import { accepted, answered, CannotBeTried, Differs, oneOf, refused, same } from '../outcome';
import {
  BOTH_FLAGS,
  capture,
  collect,
  collected,
  expired,
  release,
  reserved,
  shortValidity,
  subscribed,
} from '../plays';
import { USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';
import type { Trial } from '../world';

/** Real seconds: "no payer approval within 10 minutes". */
export const SESSION = 600;
/** Real seconds on either side of the end of a session. */
const STEP = 10;

/** Asserts that the service has no such records: "Authorization is not started." */
export async function hasNo(stage: Stage, trial: Trial, kind: 'authorizations' | 'captures'): Promise<void> {
  const answer = answered(await stage[kind](trial), `a query for ${kind}`);
  same(answer, `the number of ${kind}`, items(bodyOf(answer)).length, 0);
}

export async function consentIs(stage: Stage, trial: Trial, expected: string): Promise<void> {
  const answer = answered(await stage.consent(trial), 'a query for the consent');
  same(answer, 'the status of the consent', result(bodyOf(answer)), expected);
}

/** Lets the session end. In the simulator the payer then also tries to approve, too late. */
export async function timedOut(stage: Stage, trial: Trial): Promise<void> {
  await stage.world.pass(trial, SESSION - STEP);
  await consentIs(stage, trial, 'pending');
  await stage.world.pass(trial, 2 * STEP);
  if (!stage.world.isSimulated) return;
  try {
    await stage.act(trial, 'approve');
  } catch (error) {
    // The reference expects this refusal: "The consent can no longer be confirmed."
    if (!(error instanceof CannotBeTried)) throw error;
  }
}

/** "Not processed": there is no capture that has not failed. */
export async function notCaptured(stage: Stage, trial: Trial): Promise<void> {
  const answer = answered(await stage.captures(trial), 'a query for captures');
  const processed = items(bodyOf(answer)).filter((one) => result(one) !== 'failed');
  if (processed.length > 0) throw new Differs(answer, 'a refused capture should be unlisted, or listed as failed');
}

/** @throws Differs if the first authorization has none of these statuses */
async function authorizationStatus(stage: Stage, trial: Trial, expected: readonly string[]): Promise<void> {
  const answer = await stage.final(trial, 'authorizations');
  oneOf(answer, 'the status of the authorization', result(items(bodyOf(answer))[0]), expected);
}

export const STATES: readonly Row[] = rowsOf('States and transitions', {
  'states/lifecycle': [
    'The general lifecycle for all three payment plans is PENDING, then SUCCESSFUL or FAILED.',
    async (stage) => {
      const trial = await stage.open({ plan: 'SINGLE' });
      await consentIs(stage, trial, 'pending');
      await stage.act(trial, 'approve');
      for (const kind of ['consent', 'authorizations', 'captures'] as const) {
        const answer = await stage.final(trial, kind);
        const record = kind === 'consent' ? bodyOf(answer) : items(bodyOf(answer))[0];
        same(answer, `the status of the ${kind}`, result(record), 'successful');
      }
    },
  ],
  'states/consent-declined': [
    'consent pending | payer declines consent | active decline | consent failed | Authorization is not started. Payer is redirected to returnURL.',
    async (stage) => {
      const trial = await stage.open({ plan: 'SINGLE' });
      await stage.act(trial, 'decline');
      await consentIs(stage, trial, 'failed');
      await hasNo(stage, trial, 'authorizations');
      await stage.returned(trial);
    },
  ],
  'states/consent-aborted': [
    'consent pending | payer aborts midway | abort during consent process | consent failed',
    async (stage) => {
      const trial = await stage.open({ plan: 'SINGLE' });
      await stage.act(trial, 'abort');
      await consentIs(stage, trial, 'failed');
    },
  ],
  'states/session-timeout': [
    'consent pending | session timeout | no payer approval within 10 minutes | payment failed | Payer is redirected to returnURL. The consent can no longer be confirmed.',
    async (stage) => {
      const trial = await stage.open({ plan: 'SINGLE' });
      await timedOut(stage, trial);
      await consentIs(stage, trial, 'failed');
      await hasNo(stage, trial, 'authorizations');
      await stage.returned(trial);
    },
  ],
  'states/single-failed': [
    'payment pending | consent given but authorization unsuccessful, or consent unsuccessful (Single Immediate) | either step fails | payment failed | Payer is redirected to returnURL.',
    async (stage) => {
      const rejected = await stage.approved({ plan: 'SINGLE' }, { bank: 'rejects for good' });
      await authorizationStatus(stage, rejected, ['failed']);
      await hasNo(stage, rejected, 'captures');
      await stage.returned(rejected);
      const declined = await stage.open({ plan: 'SINGLE' });
      await stage.act(declined, 'decline');
      await hasNo(stage, declined, 'authorizations');
    },
  ],
  'states/payer-finishes': [
    'payment pending | payer finishes interaction with bank or wallet | authorization completed | successful or failed per outcome | Payer is redirected to returnURL.',
    async (stage) => {
      for (const plan of ['SINGLE', 'EVENT_DEPENDENT'] as const) {
        const trial = await stage.approved({ plan });
        await authorizationStatus(stage, trial, ['successful']);
        await stage.returned(trial);
        const rejected = await stage.approved({ plan }, { bank: 'rejects once, retryable' });
        await authorizationStatus(stage, rejected, ['failed']);
        await stage.returned(rejected);
      }
    },
  ],
  'states/capture-too-large': [
    'capture (any) | capture request | amount exceeds the authorized amount | capture failed | Not processed.',
    async (stage) => {
      const trial = await reserved(stage, BOTH_FLAGS);
      refused(await capture(stage, trial, USUAL + 1), 'a capture one cent above the authorized amount');
      await notCaptured(stage, trial);
      accepted(await capture(stage, trial, USUAL), 'a capture of the authorized amount');
    },
  ],
  'states/capture-too-late': [
    'capture (any) | capture request | made after Event Dependent validity has ended | capture failed | Not processed.',
    async (stage) => {
      const trial = await expired(stage);
      refused(await capture(stage, trial, USUAL), 'a capture after the validity');
      await notCaptured(stage, trial);
    },
  ],
  'states/released': [
    'Event Dependent authorization | authorization cancellation | before capture; merchant sends it | authorization released | Reserved, uncaptured amount is released to the payer.',
    async (stage) => {
      const trial = await reserved(stage);
      const answer = accepted(await release(stage, trial), 'the cancellation of an authorization');
      same(answer, 'the status of the authorization', result(bodyOf(answer)), 'released');
      await authorizationStatus(stage, trial, ['released']);
      refused(await capture(stage, trial, USUAL), 'a capture of a released authorization');
    },
  ],
  'states/expired': [
    'Event Dependent authorization | validity ends | no capture or cancellation | expired | Reserved amount is released.',
    async (stage) => {
      const timeToCapture = shortValidity(stage);
      const trial = await reserved(stage, { timeToCapture });
      const deadline = trial.createdAt + timeToCapture * 1000;
      await stage.until(trial, deadline - stage.world.margin);
      await authorizationStatus(stage, trial, ['successful']);
      await stage.until(trial, deadline + stage.world.margin);
      await authorizationStatus(stage, trial, ['expired']);
    },
  ],
  'states/subscription-cancelled': [
    'Subscription consent | merchant cancels (DELETE consents) | merchant request | cancelled | No further payments can be processed.',
    async (stage) => {
      const trial = await subscribed(stage);
      accepted(await stage.call(trial, 'DELETE', `/${trial.paymentId}/consents`), 'the cancellation of a subscription');
      await consentIs(stage, trial, 'cancelled');
      refused(await collect(stage, trial), 'a payment of a cancelled subscription');
    },
  ],
  'states/cancelled-at-bank': [
    'Subscription consent | payer cancels at own bank | payer action | cancelled | Merchant detects it by checking the consent before each payment.',
    async (stage) => {
      const trial = await subscribed(stage);
      await collected(stage, trial);
      await consentIs(stage, trial, 'successful');
      await stage.act(trial, 'cancel');
      await consentIs(stage, trial, 'cancelled');
    },
  ],
});

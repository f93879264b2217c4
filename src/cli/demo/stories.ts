import { HOUR } from '../../domain/time';
import { type Access, ask } from '../api/call';
import { answerAsPayer, callSandbox, runTag, type Sample, type SubscriptionView, THREE_WEEKS } from './samples';

export interface Stage {
  readonly admin: Access;
  readonly sandboxUrl: string;
  readonly subscription: SubscriptionView;
  /** Waits until the subscription is so; fails where it does not come to pass. */
  readonly until: (what: string, isSo: (subscription: SubscriptionView) => boolean) => Promise<SubscriptionView>;
  /** Waits for so many business milliseconds. */
  readonly pass: (ms: number) => Promise<void>;
}

/** One story: the subscription, what is done while it runs, and how it must end. */
export interface Story extends Sample {
  readonly play?: (stage: Stage) => Promise<void>;
  readonly ends: { readonly status: string; readonly collected: number };
}

const tag = runTag();

function story(
  name: string,
  rest: Omit<Story, 'subscriptionId' | 'repetition' | 'lasts' | 'answer'> & Partial<Story>,
): Story {
  return { subscriptionId: `${name}-${tag}`, repetition: 'WEEKLY', lasts: THREE_WEEKS, answer: 'approve', ...rest };
}

export const STORIES: readonly Story[] = [
  story('weekly', {
    story: 'succeeds every week',
    wallet: 'approves',
    cents: 1999,
    ends: { status: 'completed', collected: 3 },
  }),
  story('once-short', {
    story: 'insufficient funds once: noticed, retried, collected',
    wallet: 'insufficient-funds-once',
    cents: 2450,
    ends: { status: 'completed', collected: 3 },
  }),
  story('four-times-short', {
    story: 'fails to the end, then continues',
    wallet: 'insufficient-funds-4',
    cents: 3100,
    ends: { status: 'completed', collected: 2 },
  }),
  story('paused', {
    story: 'paused over a due date and resumed',
    wallet: 'approves',
    cents: 1200,
    ends: { status: 'completed', collected: 2 },
    play: pauseOverDueDate,
  }),
  story('payer-cancels', {
    story: 'cancelled by the payer at the bank',
    wallet: 'approves',
    cents: 899,
    ends: { status: 'cancelled', collected: 1 },
    play: cancelAtBank,
  }),
  story('merchant-cancels', {
    story: 'cancelled by the merchant',
    wallet: 'approves',
    cents: 1550,
    ends: { status: 'cancelled', collected: 1 },
    play: cancelByMerchant,
  }),
  story('declined', {
    story: 'declined at consent',
    wallet: 'approves',
    cents: 700,
    answer: 'decline',
    ends: { status: 'consent_failed', collected: 0 },
  }),
  story('lost-answer', {
    story: "an authorization's answer is lost, and found by asking",
    wallet: 'approves',
    cents: 2222,
    ends: { status: 'completed', collected: 3 },
    play: loseAnswer,
  }),
  story('swallowed', {
    story: 'an authorization never arrives, and is sent once more',
    wallet: 'approves',
    cents: 1111,
    ends: { status: 'completed', collected: 3 },
    play: swallowRequest,
  }),
];

const WEEK = 168 * HOUR;

async function pauseOverDueDate({ admin, subscription, until, pass }: Stage): Promise<void> {
  const { subscriptionId } = subscription;
  await until('the first cycle is collected', ({ cyclesCollected }) => cyclesCollected === 1);
  await ask(admin, 'pauseSubscription', { path: { id: subscriptionId }, body: { reason: 'holidays' } });
  await pass(WEEK + 24 * HOUR);
  await ask(admin, 'resumeSubscription', { path: { id: subscriptionId }, body: { reason: 'back home' } });
}

async function cancelAtBank({ sandboxUrl, subscription, until }: Stage): Promise<void> {
  await until('the first cycle is collected', ({ cyclesCollected }) => cyclesCollected === 1);
  await answerAsPayer(sandboxUrl, subscription.paymentId, { action: 'cancel' });
}

async function cancelByMerchant({ admin, subscription, until }: Stage): Promise<void> {
  await until('the first cycle is collected', ({ cyclesCollected }) => cyclesCollected === 1);
  await ask(admin, 'cancelSubscription', {
    path: { id: subscription.subscriptionId },
    body: { reason: 'the shop closes' },
  });
}

function faultOnNextDebit(kind: string, { sandboxUrl, subscription }: Stage): Promise<void> {
  const path = `^/${subscription.paymentId}/authorizations$`;
  return callSandbox(sandboxUrl, '/_sandbox/faults', { kind, match: { method: 'POST', path } });
}

function loseAnswer(stage: Stage): Promise<void> {
  return faultOnNextDebit('lost_answer', stage);
}

function swallowRequest(stage: Stage): Promise<void> {
  return faultOnNextDebit('swallowed', stage);
}

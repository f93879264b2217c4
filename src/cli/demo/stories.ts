import { HOUR, type Instant, toIso } from '../../domain/time';
import { CommandError } from '../../process/command-error';
import { type Access, askList } from '../api/call';
import { insist } from './insist';
import { answerAsPayer, callSandbox, runTag, type Sample, type SubscriptionView, THREE_WEEKS } from './samples';

export interface Stage {
  readonly admin: Access;
  readonly sandboxUrl: string;
  readonly subscription: SubscriptionView;
  /** Waits until the condition holds; fails if it times out. */
  readonly until: (what: string, condition: (subscription: SubscriptionView) => boolean) => Promise<SubscriptionView>;
  /** Business time. */
  readonly now: () => Instant;
  /** Waits for this many milliseconds of business time. */
  readonly pass: (ms: number) => Promise<void>;
}

/** One story: the subscription, what is done while it runs, and how it must end. */
export interface Story extends Sample {
  readonly play?: (stage: Stage) => Promise<void>;
  readonly ends: { readonly status: string; readonly collected: number };
}

const tag = runTag();

/** What differs from the default: a weekly payment for three weeks by a payer who approves and pays. */
type Own = Pick<Story, 'story' | 'cents' | 'ends'> & Partial<Story>;

function story(name: string, own: Own): Story {
  return {
    subscriptionId: `${name}-${tag}`,
    repetition: 'WEEKLY',
    lasts: THREE_WEEKS,
    answer: 'approve',
    wallet: 'approves',
    ...own,
  };
}

// The first one is due a week after its creation, see createSamples: by then its consent is granted and its payer notified.
export const STORIES: readonly Story[] = [
  story('announced', {
    story: 'the payer is notified of the debit before it is made',
    repetition: 'MONTHLY',
    cents: 5900,
    ends: { status: 'completed', collected: 1 },
    play: awaitAnnouncement,
  }),
  story('weekly', {
    story: 'succeeds every week',
    cents: 1999,
    ends: { status: 'completed', collected: 3 },
  }),
  story('once-short', {
    story: 'insufficient funds once: notice sent, retried, collected',
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
    story: 'paused over a due date, then resumed by itself',
    cents: 1200,
    ends: { status: 'completed', collected: 2 },
    play: pauseOverDueDate,
  }),
  story('payer-cancels', {
    story: 'cancelled by the payer at the bank',
    cents: 899,
    ends: { status: 'cancelled', collected: 1 },
    play: cancelAtBank,
  }),
  story('merchant-cancels', {
    story: 'cancelled by the merchant',
    cents: 1550,
    ends: { status: 'cancelled', collected: 1 },
    play: cancelByMerchant,
  }),
  story('declined', {
    story: 'declined at consent',
    cents: 700,
    answer: 'decline',
    ends: { status: 'consent_failed', collected: 0 },
  }),
  story('lost-answer', {
    story: "an authorization's answer is lost, and found by polling",
    cents: 2222,
    ends: { status: 'completed', collected: 3 },
    play: (stage) => faultOnNextDebit('lost_answer', stage),
  }),
  story('swallowed', {
    story: 'an authorization never arrives, and is sent again',
    cents: 1111,
    ends: { status: 'completed', collected: 3 },
    play: (stage) => faultOnNextDebit('swallowed', stage),
  }),
  story('postponed', {
    story: 'the payer asks to be debited two days later',
    cents: 1750,
    ends: { status: 'completed', collected: 3 },
    play: postponeSecond,
  }),
  story('paid-by-link', {
    story: 'fails to the end, then paid by a link',
    wallet: 'insufficient-funds-4',
    cents: 2700,
    ends: { status: 'completed', collected: 2 },
    play: payFirstByLink,
  }),
];

function firstCollected({ until }: Stage): Promise<SubscriptionView> {
  return until('the first cycle is collected', ({ cyclesCollected }) => cyclesCollected === 1);
}

async function pauseOverDueDate(stage: Stage): Promise<void> {
  const { subscriptionId, nextDueAt } = await firstCollected(stage);
  const until = toIso(Date.parse(String(nextDueAt)) + 24 * HOUR);
  await insist(stage.admin, 'pauseSubscription', { path: { id: subscriptionId }, body: { until, reason: 'holidays' } });
}

async function cancelAtBank(stage: Stage): Promise<void> {
  const { paymentId } = await firstCollected(stage);
  await answerAsPayer(stage.sandboxUrl, paymentId, { action: 'cancel' });
}

async function cancelByMerchant(stage: Stage): Promise<void> {
  const { subscriptionId } = await firstCollected(stage);
  await insist(stage.admin, 'cancelSubscription', {
    path: { id: subscriptionId },
    body: { reason: 'the shop closes' },
  });
}

async function postponeSecond(stage: Stage): Promise<void> {
  const { subscriptionId, nextDueAt } = await firstCollected(stage);
  const until = toIso(Date.parse(String(nextDueAt)) + 48 * HOUR);
  const body = { until, reason: 'salary comes two days later' };
  await insist(stage.admin, 'postponeCycle', { path: { id: subscriptionId, n: '1' }, body });
}

/** A link can be created once the collection window has closed. */
async function payFirstByLink(stage: Stage): Promise<void> {
  const { admin, sandboxUrl, subscription, pass } = stage;
  const id = subscription.subscriptionId;
  await stage.until('the first cycle has failed', ({ standing }) => standing === 'past_due');
  const cycles = await askList<{ readonly cycle: number; readonly collectBy: string }>(admin, 'listCycles', {
    path: { id },
  });
  const closesAt = Date.parse(cycles.find(({ cycle }) => cycle === 0)?.collectBy ?? '');
  await pass(closesAt - stage.now() + HOUR);
  const body = { returnURL: 'https://shop.example/return', reason: 'the payer asks to pay now' };
  const { paymentId } = await insist<{ readonly paymentId: string }>(admin, 'createPaymentLink', {
    path: { id, n: '0' },
    body,
  });
  await answerAsPayer(sandboxUrl, paymentId, { action: 'approve', wallet: 'approves' });
  await insist(admin, 'checkPayment', { path: { id: paymentId } });
}

async function awaitAnnouncement({ admin, subscription, until }: Stage): Promise<void> {
  const { subscriptionId } = await until('it is collected', ({ cyclesCollected }) => cyclesCollected === 1);
  const [notice] = await askList<{ readonly state: string }>(admin, 'listNotices', {
    query: { type: 'payment.upcoming', subscriptionId },
  });
  if (notice?.state !== 'delivered')
    throw new CommandError(
      `${subscription.subscriptionId}: expected a delivered notice of the coming debit; got ${notice?.state ?? 'none'}`,
    );
}

function faultOnNextDebit(kind: string, { sandboxUrl, subscription }: Stage): Promise<void> {
  const path = `^/${subscription.paymentId}/authorizations$`;
  return callSandbox(sandboxUrl, '/_sandbox/faults', { kind, match: { method: 'POST', path } });
}

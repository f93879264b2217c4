import type { Clock } from '../platform/clock';
import type { SubscriptionId } from '../domain/ids';
import { DAY, type Instant, scaledTimeout, SECOND, toIso } from '../domain/time';
import {
  type Advanced,
  type ClaimedNotice,
  claimNotices,
  decideNext,
  DELIVERING_NOTICE,
  type DeliveryResult,
  describeRefusal,
  endUnrecordableItem,
  isRefusedByLedger,
  type NoticeForDelivery,
  openUnrecordableItem,
  type Pool,
  postponeNotice,
  readNoticeForDelivery,
  recordDelivery,
  retryOnceNotified,
} from '../ledger';
import { type Logger, loggable } from '../platform/log';
import {
  type ChannelMissed,
  type ChannelResult,
  noticeBackoff,
  type NoticeResult,
  type Notifier,
  readNoticeBody,
} from '../notices';
import { inTraceOf, type Outcome, subjectOf } from '../platform/tracing';
import { Flights } from './repeated-work';

export interface NoticeDeps {
  readonly db: Pool;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Real seconds between tries of one notice, the last repeated. */
  readonly noticeBackoff: readonly number[];
  /**
   * The merchant's page where a payer can pay a failed cycle, with the placeholders `{subscriptionId}` and `{cycle}`; null if
   * notices name no page.
   */
  readonly paymentPage: string | null;
  /** Notifies the workflow of a subscription of its row's revision. */
  readonly notify: (subscriptionId: SubscriptionId, revision: number) => Promise<void>;
}

/** Concurrent deliveries of one process. */
const MAX_CONCURRENT = 50;
/**
 * Longer than a delivery may take: an expired claim belongs to a process that has ended. Shortened on a fast test clock, where
 * the three days for retries could pass within one lease (rule 14).
 */
const LEASE = 45 * SECOND;
/** An undelivered notice is given up this long after its first try. Real time. */
const USEFUL_FOR = 7 * DAY;

/** Delivers due notices until none is left. */
export class NoticeService {
  private readonly flights = new Flights();

  constructor(
    private readonly deps: NoticeDeps,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      const started = this.signal.aborted ? 0 : await this.begin();
      if (started === 0 && this.flights.count === 0) return;
      await this.flights.waitForEnd();
    }
  }

  /** Starts to deliver due notices. @returns how many */
  private async begin(): Promise<number> {
    const limit = MAX_CONCURRENT - this.flights.count;
    const claimed = limit === 0 ? [] : await claim(this.deps, limit);
    for (const each of claimed) this.flights.add(deliver(this.deps, each));
    return claimed.length;
  }
}

/** A single round: tries once each notice that is due now, at most {@link MAX_CONCURRENT}. @returns how many were tried */
export async function deliverDueNotices(deps: NoticeDeps): Promise<number> {
  const claimed = await claim(deps, MAX_CONCURRENT);
  await Promise.all(claimed.map((each) => deliver(deps, each)));
  return claimed.length;
}

function claim({ db, clock }: NoticeDeps, limit: number): Promise<readonly ClaimedNotice[]> {
  return claimNotices(db, { realNow: clock.realNow(), lease: scaledTimeout(clock.setting, LEASE), limit });
}

/** Never rejects: what could not be recorded is tried again when its claim ends. */
async function deliver(deps: NoticeDeps, claimed: ClaimedNotice): Promise<void> {
  const { noticeId } = claimed;
  try {
    const notice = await readCurrentNotice(deps, claimed);
    if (notice !== null) await record(deps, claimed, await tryOnce(deps, notice));
  } catch (error) {
    deps.logger.warn({ noticeId, err: loggable(error) }, 'a notice could not be delivered');
    if (isRefusedByLedger(error)) await leaveToOperator(deps, claimed, error);
  }
}

/**
 * The notice as it must be sent now. If the last time for a retry has passed, the notice of the failure is given up first,
 * because the announced retry will not happen. A late notice names the retry that follows its delivery.
 * @returns null if nothing is left to deliver
 */
async function readCurrentNotice(
  { db, clock }: NoticeDeps,
  { noticeId }: ClaimedNotice,
): Promise<NoticeForDelivery | null> {
  const notice = await readNoticeForDelivery(db, noticeId);
  if (notice?.type !== 'payment.failed' || notice.state !== 'pending' || notice.subscriptionId === null) return notice;
  const at = clock.now();
  const decided = await decideNext(db, notice.subscriptionId, { at, followed: [], revision: 0 });
  const after = await readNoticeForDelivery(db, noticeId);
  if (after?.state !== 'pending') return null;
  return decided.kind === 'decided' ? withCurrentRetry(after, decided.state, at) : after;
}

function withCurrentRetry(notice: NoticeForDelivery, state: Advanced['state'], at: Instant): NoticeForDelivery {
  const { cycle, attempt, data } = notice;
  const isAwaited = state.open?.cycle === cycle && state.open.rejection?.attempt === attempt;
  const next = isAwaited && data['retryAt'] !== null ? retryOnceNotified(state, at) : null;
  if (next === null) return notice;
  return { ...notice, data: { ...data, retryAt: toIso(next.retryAt), retriesLeft: next.retriesLeft } };
}

/** The result of one try, or of giving up. */
async function tryOnce(deps: NoticeDeps, notice: NoticeForDelivery): Promise<DeliveryResult> {
  const reason = whyGivenUp(deps, notice);
  return reason === null ? resultOf(deps, notice, await send(deps, notice)) : givenUp(deps, reason);
}

/**
 * Why a notice is given up before its next try; null if it is not. One that an operator has resent is given up only after a week.
 */
function whyGivenUp({ clock }: NoticeDeps, notice: NoticeForDelivery): string | null {
  const { isResent, isOvertaken, isInVain, firstTryRealAt, type, data } = notice;
  if (type === 'payment.upcoming' && Date.parse(String(data['dueAt'])) <= clock.now() && !isResent)
    return 'not delivered before its due date';
  if (isOvertaken && !isResent) return 'overtaken: what it says no longer holds';
  if (isInVain && !isResent) return 'nothing waits for it any more';
  return clock.realNow() - (firstTryRealAt ?? Infinity) > USEFUL_FOR ? 'not delivered for a week' : null;
}

function send(deps: NoticeDeps, notice: NoticeForDelivery): Promise<NoticeResult> {
  const { notifier } = deps;
  const { noticeId: id, type, subscriptionId, paymentId, payer, goneChannels } = notice;
  const link = paymentLinkOf(deps, notice);
  const body = readNoticeBody(type, { ...notice.data, ...link, subscriptionId, paymentId, payer });
  const work = () => notifier.deliver({ id, timestamp: toIso(notice.createdAt), body }, goneChannels);
  const attributes = { 'dueday.notice_id': id, 'dueday.notice_type': type };
  return inTraceOf(subjectOf(notice), 'deliver notice', work, { kind: 'client', attributes, outcomeOf });
}

/**
 * The link in the notice. It leads to the merchant's page, which requests a payment link when the payer opens it: payment links
 * expire within minutes.
 */
function paymentLinkOf({ paymentPage }: NoticeDeps, { type, subscriptionId, cycle, data }: NoticeForDelivery) {
  const isFinal = type === 'payment.failed' && data['retryAt'] === null;
  if (paymentPage === null || !isFinal || subscriptionId === null || cycle === null) return {};
  const values: Readonly<Record<string, string>> = { subscriptionId, cycle: String(cycle) };
  return {
    paymentLink: paymentPage.replaceAll(/\{(subscriptionId|cycle)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    ),
  };
}

function outcomeOf(result: NoticeResult): Outcome {
  const channel = result.kind === 'delivered' ? { 'dueday.channel': result.channel } : {};
  const isFault = result.kind !== 'delivered' && result.kind !== 'audit_only';
  return { attributes: { 'dueday.outcome': result.kind, ...channel }, fault: isFault ? result.kind : null };
}

function resultOf(deps: NoticeDeps, notice: NoticeForDelivery, result: NoticeResult): DeliveryResult {
  const { clock, logger } = deps;
  switch (result.kind) {
    case 'delivered': {
      const { kind, channel, evidence, at: realAt } = result;
      warnOfGone(deps, notice, result.others);
      return { kind, at: clock.now(), realAt, channel, evidence };
    }
    case 'failed': {
      warnOfGone(deps, notice, result.others);
      const gone = goneOf(result.others).map(({ channel }) => channel);
      const nextTryRealAt = clock.realNow() + noticeBackoff(notice.tries, deps.noticeBackoff);
      return { kind: 'failed', error: result.reason, gone, nextTryRealAt };
    }
    case 'gone':
    case 'no_channel': {
      const { reason } = result;
      logger.warn({ noticeId: notice.noticeId, type: notice.type, reason }, 'notice undeliverable');
      return givenUp(deps, reason);
    }
    case 'audit_only': {
      const evidence = { reason: 'no event webhook is configured' };
      return { kind: 'delivered', at: clock.now(), realAt: clock.realNow(), channel: 'audit_log', evidence };
    }
  }
}

function givenUp({ clock }: NoticeDeps, error: string): DeliveryResult {
  return { kind: 'undeliverable', at: clock.now(), error };
}

/**
 * Logs each channel that refuses further notices while another channel has delivered this one, or may still do so: an operator
 * must act.
 */
function warnOfGone(
  { logger }: NoticeDeps,
  { noticeId, type }: NoticeForDelivery,
  others: readonly ChannelResult[],
): void {
  for (const { channel, reason } of goneOf(others)) logger.warn({ noticeId, type, channel, reason }, 'channel gone');
}

function goneOf(others: readonly ChannelResult[]): readonly ChannelMissed[] {
  return others.filter((other): other is ChannelMissed => other.kind === 'gone');
}

async function record(deps: NoticeDeps, { noticeId, claim: by }: ClaimedNotice, result: DeliveryResult): Promise<void> {
  const { changed } = await recordDelivery(deps.db, noticeId, result, by);
  // Even after a first try there may be an item: the count of tries begins again when a notice is reopened.
  await endUnrecordableItem(deps.db, { activity: DELIVERING_NOTICE, id: noticeId });
  if (changed === null) return;
  // If Temporal is unavailable, a job notifies the workflow.
  await deps.notify(changed.subscriptionId, changed.revision).catch((error: unknown) => {
    deps.logger.warn({ ...changed, err: loggable(error) }, 'a workflow could not be notified of its new revision');
  });
}

/** A write that PostgreSQL rejects because of its data is not simply repeated (rule 43): the notice may have been delivered. */
async function leaveToOperator({ db, clock, logger }: NoticeDeps, claimed: ClaimedNotice, error: Error): Promise<void> {
  const { noticeId: id } = claimed;
  const reason = `the ledger refused a write of ${DELIVERING_NOTICE}: ${describeRefusal(error)}`;
  try {
    const { subscriptionId = null, paymentId = null } = (await readNoticeForDelivery(db, claimed.noticeId)) ?? {};
    const about = subscriptionId === null ? { paymentId } : { subscriptionId };
    await openUnrecordableItem(db, { activity: DELIVERING_NOTICE, id, about }, reason, clock.now());
    await postponeNotice(db, claimed, clock.realNow() + DAY);
  } catch (fault) {
    logger.error({ noticeId: id, reason, err: loggable(fault) }, 'a rejected write could not be reported');
  }
}

import { Context } from '@temporalio/activity';
import type { Activities, Changed, DeliverNoticeInput } from '../src/contract/activities';
import type { NoticeId } from '../src/domain/ids';
import { DAY, toIso } from '../src/domain/time';
import {
  decideNext,
  type NoticeForDelivery,
  type NoticeRecord,
  readNoticeForDelivery,
  readRevision,
  recordDelivery,
} from '../src/ledger';
import {
  type ChannelMissed,
  type ChannelResult,
  noticeBackoff,
  type NoticeResult,
  readNoticeBody,
} from '../src/notices';
import { inTraceOf, type Outcome, subjectOf } from '../src/tracing';
import type { Dependencies } from './dependencies';
import { refuseWhileRestored } from './guards';
import { activityAge, tryAgain, withHeartbeat } from './stops';

export function noticeActivities(deps: Dependencies): Pick<Activities, 'deliverNotice'> {
  return { deliverNotice: (input) => withHeartbeat(() => deliverNotice(deps, input)) };
}

/** How long a notice that nothing waits for still matters. Real time. */
const MATTERS_FOR = 7 * DAY;

/** @returns the subscription that waits for the notice, once it is delivered */
async function deliverNotice(
  deps: Dependencies,
  { noticeId, again = false }: DeliverNoticeInput,
): Promise<Changed | null> {
  const notice = await readCurrentNotice(deps, noticeId);
  // The ledger was set back since it was ordered: what it was about is gone, and asking again would never end (rule 41).
  if (notice === null) {
    deps.log.warn({ noticeId }, 'notice.subject_gone');
    return null;
  }
  if (notice.state === 'delivered' && again) {
    await deliverAgain(deps, notice);
    return null;
  }
  // A worker may have delivered it whose answer was lost.
  if (notice.state !== 'pending') return awaitedBy(deps, notice);
  const inVain = whyInVain(deps, notice, again);
  if (inVain !== null) {
    await giveUp(deps, notice, inVain);
    return null;
  }
  const after = await deliver(deps, notice);
  if (after.state !== 'pending') return awaitedBy(deps, after);
  const pause = noticeBackoff(after.deliveries, deps.settings.noticeBackoff);
  throw tryAgain('notice_undelivered', after.lastError ?? 'not delivered', pause);
}

/** A cycle whose last moment for a retry has passed gives up the notice of it: what it promises is not so any more. */
async function readCurrentNotice(
  { ledger, clock }: Dependencies,
  noticeId: NoticeId,
): Promise<NoticeForDelivery | null> {
  const notice = await readNoticeForDelivery(ledger, noticeId);
  if (notice?.type !== 'payment.failed' || notice.state !== 'pending' || notice.subscriptionId === null) return notice;
  await decideNext(ledger, notice.subscriptionId, { at: clock.now(), followed: [], revision: 0 });
  return readNoticeForDelivery(ledger, noticeId);
}

/** A retry or an increase may wait for it (rules 13, 21). */
async function awaitedBy(
  { ledger }: Dependencies,
  { subscriptionId, type, state }: NoticeRecord,
): Promise<Changed | null> {
  const isAwaited = type === 'payment.failed' || type === 'payment.increase_announced';
  if (subscriptionId === null || !isAwaited || state !== 'delivered') return null;
  const revision = await readRevision(ledger, subscriptionId);
  return revision === null ? null : { subscriptionId, revision };
}

/** Why it is given up before its next try; null where it still matters. What a person asks for matters to that person. */
function whyInVain({ clock }: Dependencies, { isOvertaken }: NoticeForDelivery, again: boolean): string | null {
  if (isOvertaken && !again) return 'overtaken: what it says no longer holds';
  return activityAge(clock) > MATTERS_FOR ? 'not delivered for a week' : null;
}

/** The first delivery stays on record, also where this one fails. */
async function deliverAgain(deps: Dependencies, notice: NoticeForDelivery): Promise<void> {
  const { kind } = await send(deps, notice);
  if (kind !== 'failed' || activityAge(deps.clock) > MATTERS_FOR) return;
  const tries = Context.current().info.attempt;
  throw tryAgain('notice_undelivered', 'not delivered again', noticeBackoff(tries, deps.settings.noticeBackoff));
}

/** One try, and what the ledger says of the notice after it. */
async function deliver(deps: Dependencies, notice: NoticeForDelivery): Promise<NoticeRecord> {
  return keep(deps, notice, await send(deps, notice));
}

async function send(deps: Dependencies, notice: NoticeForDelivery): Promise<NoticeResult> {
  await refuseWhileRestored(deps);
  const { notifier } = deps;
  const { noticeId: id, type, subscriptionId, paymentId, payer, goneChannels } = notice;
  const body = readNoticeBody(type, { ...notice.data, subscriptionId, paymentId, payer });
  const deliver = () => notifier.deliver({ id, timestamp: toIso(notice.createdAt), body }, goneChannels);
  const attributes = { 'dueday.notice_id': id, 'dueday.notice_type': type };
  return inTraceOf(subjectOf(notice), 'deliver notice', deliver, { kind: 'client', attributes, outcomeOf });
}

function outcomeOf(result: NoticeResult): Outcome {
  const channel = result.kind === 'delivered' ? { 'dueday.channel': result.channel } : {};
  const isFault = result.kind !== 'delivered' && result.kind !== 'trail_only';
  return { attributes: { 'dueday.outcome': result.kind, ...channel }, fault: isFault ? result.kind : null };
}

function keep(deps: Dependencies, notice: NoticeRecord, result: NoticeResult): Promise<NoticeRecord> {
  const at = deps.clock.now();
  switch (result.kind) {
    case 'delivered': {
      const { channel, evidence, at: realAt } = result;
      warnOfGone(deps, notice, result.others);
      return recordDelivery(deps.ledger, notice.noticeId, {
        kind: 'delivered',
        at,
        realAt,
        channel,
        evidence: { ...evidence },
      });
    }
    case 'failed': {
      warnOfGone(deps, notice, result.others);
      const gone = goneOf(result.others).map(({ channel }) => channel);
      return recordDelivery(deps.ledger, notice.noticeId, { kind: 'failed', error: result.reason, gone });
    }
    case 'gone':
    case 'no_channel':
      deps.log.warn({ noticeId: notice.noticeId, type: notice.type, reason: result.reason }, 'notice undeliverable');
      return giveUp(deps, notice, result.reason);
    case 'trail_only':
      return recordDelivery(deps.ledger, notice.noticeId, {
        kind: 'delivered',
        at,
        realAt: deps.clock.realNow(),
        channel: 'trail',
        evidence: { reason: 'no event webhook is configured' },
      });
  }
}

/** Another channel has it, or may yet take it, but one answers that it is gone: an operator has to act. */
function warnOfGone({ log }: Dependencies, { noticeId, type }: NoticeRecord, others: readonly ChannelResult[]): void {
  for (const { channel, reason } of goneOf(others)) log.warn({ noticeId, type, channel, reason }, 'channel gone');
}

function goneOf(others: readonly ChannelResult[]): readonly ChannelMissed[] {
  return others.filter((other): other is ChannelMissed => other.kind === 'gone');
}

function giveUp(deps: Dependencies, notice: NoticeRecord, error: string): Promise<NoticeRecord> {
  return recordDelivery(deps.ledger, notice.noticeId, { kind: 'undeliverable', at: deps.clock.now(), error });
}

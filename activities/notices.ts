import { Context } from '@temporalio/activity';
import type { Activities, AnnounceInput, LedgerChange, NotifyInput, NotifyResult } from '../src/contract/activities';
import { realDelay, DAY, type Instant, toIso } from '../src/domain/time';
import type { NoticeId } from '../src/domain/ids';
import {
  applyChange,
  type NoticeForDelivery,
  type NoticeRecord,
  readNoticeForDelivery,
  recordDelivery,
} from '../src/ledger';
import { type ChannelResult, noticeBackoff, type NoticeResult, readNoticeBody } from '../src/notices';
import type { Dependencies } from './dependencies';
import { tryAgain, withHeartbeat } from './stops';

export function noticeActivities(
  deps: Dependencies,
): Pick<Activities, 'notifyPayer' | 'announceIncrease' | 'deliverNotice'> {
  return {
    notifyPayer: (input) => withHeartbeat(() => tellInTime(deps, dunningChange(deps, input), input.retryUntil)),
    announceIncrease: (input) => withHeartbeat(() => tellInTime(deps, announcement(deps, input), input.collectBy)),
    deliverNotice: ({ noticeId }) => withHeartbeat(() => deliverNotice(deps, noticeId)),
  };
}

/**
 * Stores the change with its one notice to the payer, and delivers it as long as it matters: no notice, no retry, and no
 * increase (rules 13, 21).
 */
async function tellInTime(deps: Dependencies, change: LedgerChange, until: Instant): Promise<NotifyResult> {
  const { noticeIds } = await applyChange(deps.ledger, change);
  const [noticeId] = noticeIds;
  if (noticeId === undefined) throw new Error(`no notice was stored for ${change.subscriptionId}: ${change.key}`);
  const notice = await readNotice(deps, noticeId);
  if (notice.deliveredAt !== null) return { kind: 'delivered', at: notice.deliveredAt };
  if (notice.state === 'undeliverable') return undeliverable(notice);
  if (deps.clock.now() >= until)
    return undeliverable(await giveUp(deps, notice, 'not delivered as long as it mattered'));
  const after = await deliver(deps, notice);
  if (after.deliveredAt !== null) return { kind: 'delivered', at: after.deliveredAt };
  if (after.state === 'undeliverable') return undeliverable(after);
  const left = realDelay(deps.clock.setting, deps.clock.realNow(), until);
  const pause = noticeBackoff(after.deliveries, deps.settings.noticeBackoff);
  throw tryAgain('notice_undelivered', after.lastError ?? 'not delivered', Math.min(pause, left));
}

/** The cycle waits for its retry; what the payer is told is stored before it is sent. */
function dunningChange(deps: Dependencies, input: NotifyInput): LedgerChange {
  const { subscriptionId, cycle, amount, dueAt, collectBy, rejection, retryAt, retriesLeft, retryUntil, why } = input;
  const { attempt, detail, description } = rejection;
  const told = { dueAt: toIso(dueAt), detail, description, retryAt: toIso(retryAt), retriesLeft };
  const limits = { collectBy: toIso(collectBy), retryUntil: toIso(retryUntil) };
  return {
    subscriptionId,
    key: `dunning/${cycle}/${attempt}`,
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type: 'cycle.dunning', data: { cycle, attempt, amount, ...told, ...limits, ...why } }],
    subscription: { dunning: true, nextDueAt: input.nextDueAt },
    cycle: { cycle, dueAt, collectBy, amount, status: 'dunning', nextAttemptAt: retryAt, retriesLeft, retryUntil },
    notices: [{ type: 'payment.failed', cycle, attempt, data: { cycle, attempt, amount, ...told } }],
  };
}

/** What the payer is told of an increase before it is collected. */
function announcement(deps: Dependencies, input: AnnounceInput): LedgerChange {
  const { subscriptionId, cycle, amount, previousAmount, dueAt, requestedAt } = input;
  const data = { cycle, amount, previousAmount, dueAt: toIso(dueAt) };
  return {
    subscriptionId,
    key: `increase/${cycle}/${amount.value}/${requestedAt}`,
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type: 'amount_change.announcing', data }],
    notices: [{ type: 'payment.increase_announced', cycle, attempt: null, data }],
  };
}

/** How long a notice that nothing waits for still matters. Real time. */
const MATTERS_FOR = 7 * DAY;

async function deliverNotice(deps: Dependencies, noticeId: NoticeId): Promise<void> {
  const notice = await readNotice(deps, noticeId);
  if (notice.state !== 'pending') return;
  if (scheduledFor(deps) > MATTERS_FOR) {
    await giveUp(deps, notice, 'not delivered for a week');
    return;
  }
  const after = await deliver(deps, notice);
  if (after.state !== 'pending') return;
  const pause = noticeBackoff(after.deliveries, deps.settings.noticeBackoff);
  throw tryAgain('notice_undelivered', after.lastError ?? 'not delivered', pause);
}

/** Real time since the delivery was ordered, ms. */
function scheduledFor({ clock }: Dependencies): number {
  return clock.realNow() - Context.current().info.scheduledTimestampMs;
}

async function readNotice(deps: Dependencies, noticeId: NoticeId): Promise<NoticeForDelivery> {
  const notice = await readNoticeForDelivery(deps.ledger, noticeId);
  if (notice === null) throw new Error(`the ledger has no notice ${noticeId}`);
  return notice;
}

/** One try, and what the ledger says of the notice after it. */
async function deliver(deps: Dependencies, notice: NoticeForDelivery): Promise<NoticeRecord> {
  const { subscriptionId, paymentId, payer } = notice;
  const result = await deps.notifier.deliver({
    id: notice.noticeId,
    timestamp: toIso(notice.createdAt),
    body: readNoticeBody(notice.type, { ...notice.data, subscriptionId, paymentId, payer }),
  });
  return keep(deps, notice, result);
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
    case 'failed':
      return recordDelivery(deps.ledger, notice.noticeId, { kind: 'failed', error: result.reason });
    case 'gone':
    case 'no_channel':
      deps.log.warn({ noticeId: notice.noticeId, type: notice.type, reason: result.reason }, 'notice undeliverable');
      return giveUp(deps, notice, result.reason);
    case 'trail_only':
      return recordDelivery(deps.ledger, notice.noticeId, {
        ...{ kind: 'delivered', at, realAt: deps.clock.realNow(), channel: 'trail' },
        evidence: { reason: 'no event webhook is configured' },
      });
  }
}

/** The notice is delivered, and one of its channels wants no more of them: somebody must see to that. */
function warnOfGone({ log }: Dependencies, { noticeId, type }: NoticeRecord, others: readonly ChannelResult[]): void {
  for (const other of others) {
    if (other.kind === 'gone')
      log.warn({ noticeId, type, channel: other.channel, reason: other.reason }, 'channel gone');
  }
}

function giveUp(deps: Dependencies, notice: NoticeRecord, error: string): Promise<NoticeRecord> {
  return recordDelivery(deps.ledger, notice.noticeId, { kind: 'undeliverable', at: deps.clock.now(), error });
}

function undeliverable(notice: NoticeRecord): NotifyResult {
  return { kind: 'undeliverable', reason: notice.lastError ?? 'undeliverable' };
}

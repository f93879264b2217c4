import { Context } from '@temporalio/activity';
import type {
  Activities,
  AnnounceInput,
  DeliverNoticeInput,
  LedgerChange,
  NotifyInput,
  NotifyResult,
} from '../src/contract/activities';
import { realDelay, DAY, type Instant, toIso } from '../src/domain/time';
import type { NoticeId } from '../src/domain/ids';
import {
  applyChange,
  type NoticeForDelivery,
  type NoticeRecord,
  readNoticeForDelivery,
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

export function noticeActivities(
  deps: Dependencies,
): Pick<Activities, 'notifyPayer' | 'announceIncrease' | 'deliverNotice'> {
  return {
    notifyPayer: (input) => withHeartbeat(() => notifyInTime(deps, dunningChange(deps, input), input.retryUntil)),
    announceIncrease: (input) => withHeartbeat(() => notifyInTime(deps, announcement(deps, input), input.collectBy)),
    deliverNotice: (input) => withHeartbeat(() => deliverNotice(deps, input)),
  };
}

/**
 * Stores the change with its one notice to the payer, and delivers it as long as it matters: no notice, no retry, and
 * no increase (rules 13, 21). One that no channel takes stays open until then: a person may correct the address, or
 * notify the payer by other means.
 */
async function notifyInTime(deps: Dependencies, change: LedgerChange, until: Instant): Promise<NotifyResult> {
  const { noticeIds } = await applyChange(deps.ledger, change);
  const [noticeId] = noticeIds;
  if (noticeId === undefined) throw new Error(`no notice was stored for ${change.subscriptionId}: ${change.key}`);
  const notice = await readNotice(deps, noticeId);
  if (notice.deliveredAt !== null) return { kind: 'delivered', at: notice.deliveredAt };
  const isGivenUp = notice.state === 'undeliverable';
  if (deps.clock.now() >= until)
    return undeliverable(isGivenUp ? notice : await giveUp(deps, notice, 'not delivered as long as it mattered'));
  const after = isGivenUp ? notice : await deliver(deps, notice);
  if (after.deliveredAt !== null) return { kind: 'delivered', at: after.deliveredAt };
  const left = realDelay(deps.clock.setting, deps.clock.realNow(), until);
  throw tryAgain('notice_undelivered', after.lastError ?? 'not delivered', Math.min(pauseAfter(deps, after), left));
}

/** Of what is given up only a person can make something: it is looked at as seldom as the back-off ever gets. */
function pauseAfter({ settings }: Dependencies, { state, deliveries }: NoticeRecord): number {
  const { noticeBackoff: waits } = settings;
  return noticeBackoff(state === 'undeliverable' ? waits.length : deliveries, waits);
}

/** The cycle waits for its retry; the notice to the payer is stored before it is sent. */
function dunningChange(deps: Dependencies, input: NotifyInput): LedgerChange {
  const { subscriptionId, cycle, amount, dueAt, collectBy, rejection, retryAt, retriesLeft, retryUntil, why } = input;
  const { attempt, detail, description } = rejection;
  const facts = { dueAt: toIso(dueAt), detail, description, retryAt: toIso(retryAt), retriesLeft };
  const limits = { collectBy: toIso(collectBy), retryUntil: toIso(retryUntil) };
  return {
    subscriptionId,
    key: `dunning/${cycle}/${attempt}`,
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type: 'cycle.dunning', data: { cycle, attempt, amount, ...facts, ...limits, ...why } }],
    subscription: { dunning: true, nextDueAt: input.nextDueAt },
    cycle: { cycle, dueAt, collectBy, amount, status: 'dunning', nextAttemptAt: retryAt, retriesLeft, retryUntil },
    notices: [{ type: 'payment.failed', cycle, attempt, data: { cycle, attempt, amount, ...facts } }],
  };
}

/** The notice to the payer of an increase, before that is collected. */
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

async function deliverNotice(deps: Dependencies, { noticeId, again = false }: DeliverNoticeInput): Promise<void> {
  const notice = await readNoticeForDelivery(deps.ledger, noticeId);
  // The ledger was set back since it was ordered: what it was about is gone, and asking again would never end (rule 41).
  if (notice === null) {
    deps.log.warn({ noticeId }, 'notice.subject_gone');
    return;
  }
  if (notice.state === 'delivered' && again) return deliverAgain(deps, notice);
  if (notice.state !== 'pending') return;
  const inVain = whyInVain(deps, notice, again);
  if (inVain !== null) {
    await giveUp(deps, notice, inVain);
    return;
  }
  const after = await deliver(deps, notice);
  if (after.state !== 'pending') return;
  const pause = noticeBackoff(after.deliveries, deps.settings.noticeBackoff);
  throw tryAgain('notice_undelivered', after.lastError ?? 'not delivered', pause);
}

/** Why it is given up before its next try; null where it still matters. What a person asks for matters to that person. */
function whyInVain({ clock }: Dependencies, { isOvertaken }: NoticeForDelivery, again: boolean): string | null {
  if (isOvertaken && !again) return 'overtaken by a later notice: it is not so any more';
  return activityAge(clock) > MATTERS_FOR ? 'not delivered for a week' : null;
}

/** The first delivery stays on record, also where this one fails. */
async function deliverAgain(deps: Dependencies, notice: NoticeForDelivery): Promise<void> {
  const { kind } = await send(deps, notice);
  if (kind !== 'failed' || activityAge(deps.clock) > MATTERS_FOR) return;
  const tries = Context.current().info.attempt;
  throw tryAgain('notice_undelivered', 'not delivered again', noticeBackoff(tries, deps.settings.noticeBackoff));
}

async function readNotice(deps: Dependencies, noticeId: NoticeId): Promise<NoticeForDelivery> {
  const notice = await readNoticeForDelivery(deps.ledger, noticeId);
  if (notice === null) throw new Error(`the ledger has no notice ${noticeId}`);
  return notice;
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

function undeliverable(notice: NoticeRecord): NotifyResult {
  return { kind: 'undeliverable', reason: notice.lastError ?? 'undeliverable' };
}

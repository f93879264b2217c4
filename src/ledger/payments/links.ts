import type { CaptureId, PaymentId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { linkState, type LinkState } from '../../domain/payment/link';
import { CONSENT_SESSION } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { openContradiction } from '../attempts/evidence-items';
import { DUEDAY, insertEvent } from '../audit/entries';
import type { OpenedSession } from '../rows/any-draft';
import { type LinkedCycle, type PaymentRecord, requirePayment } from '../rows/payment';
import { type Db, instantToColumn, readRecord } from '../sql/statements';

/** Payment links: one-time payments by which payers pay cycles that were not collected (rule 15). */

/** A link whose session is about to open. */
interface OpeningLink extends LinkedCycle {
  readonly reason: string | null;
}

/**
 * Reads the link of a request, and locks its subscription; null if the payment is not a link. To be called before any lock of the
 * payment is taken, as everywhere.
 */
export async function lockLinkOf(db: Db, requestId: string): Promise<OpeningLink | null> {
  return readRecord(
    db,
    `select l.subscription_id, l.cycle, l.reason from payment_links l join subscriptions s using (subscription_id)
     where l.request_id = $1 for update of s`,
    [requestId],
  );
}

/** Whether the cycle was collected, or its outcome became unknown, while the session was requested: then the link is not opened. */
export async function isClosedToLinks(db: Db, { subscriptionId, cycle }: LinkedCycle): Promise<boolean> {
  const unpaid = await readRecord(
    db,
    `select from cycles where subscription_id = $1 and cycle = $2 and status in ('failed', 'missed')
       and not has_unknown_outcome(subscription_id, cycle)`,
    [subscriptionId, cycle],
  );
  return unpaid === null;
}

interface OpenedLink extends OpeningLink, Actor, Pick<OpenedSession, 'paymentId' | 'requestedRealAt' | 'at'> {
  readonly requestId: string;
  readonly amount: Money;
}

/** Records that the payer can pay now; the reason moves to the audit log. */
export async function recordLinkCreated(db: Db, link: OpenedLink): Promise<void> {
  const { requestId, subscriptionId, cycle, amount, reason, paymentId, at } = link;
  await db.query('update payment_links set reason = null where request_id = $1', [requestId]);
  const expiresAt = toIso(linkExpiry(link));
  await insertEvent(db, {
    ...actorOf(link),
    subscriptionId,
    at,
    type: 'payment_link.created',
    changeKey: `payment_link/${requestId}/created`,
    data: { cycle, amount, linkPaymentId: paymentId, expiresAt, reason },
  });
}

/** Real time at which the consent session of a link ends by itself. */
export function linkExpiry({ requestedRealAt }: Pick<OpenedSession, 'requestedRealAt'>): number {
  return requestedRealAt + CONSENT_SESSION;
}

/** Locks the subscription of a link; nothing for other payments. To be called before the payment is locked. */
export async function lockSubscriptionOfLink(db: Db, paymentId: PaymentId): Promise<void> {
  await db.query(
    `select from subscriptions where subscription_id = (
       select l.subscription_id from payment_links l join payments p using (request_id) where p.payment_id = $1
     ) for update`,
    [paymentId],
  );
}

interface KnownLink extends LinkedCycle {
  readonly state: LinkState;
}

/** Updates the link of a payment that has changed, with what follows from the change. The caller holds the locks of both. */
export async function followLink(db: Db, paymentId: PaymentId, at: Instant): Promise<void> {
  const payment = await requirePayment(db, paymentId);
  const { requestId, status } = payment;
  const link = await readRecord<KnownLink>(
    db,
    'select subscription_id, cycle, state from payment_links where request_id = $1',
    [requestId],
  );
  const state = linkState(status);
  if (link === null || link.state !== 'open' || state === 'open') return;
  const debit = state === 'paid' ? debitOf(payment) : null;
  await db.query('update payment_links set state = $2, paid_at = $3 where request_id = $1', [
    requestId,
    state,
    instantToColumn(debit?.createdAt ?? null),
  ]);
  if (debit !== null) await recordPaid(db, link, debit, at);
}

interface LinkDebit {
  readonly requestId: string;
  readonly paymentId: PaymentId;
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly createdAt: Instant;
}

/** A Single Immediate payment is booked whole, once. */
function debitOf({ requestId, paymentId, captures }: PaymentRecord): LinkDebit {
  const capture = captures.find(({ state }) => state === 'successful');
  if (capture == null || capture.captureId === null)
    throw new Error(`payment ${paymentId} is captured without a debit`);
  const { captureId, amount, createdAt } = capture;
  return { requestId, paymentId, captureId, amount, createdAt };
}

/** The cycle keeps its status, as nothing was collected by the mandate; the subscription is no longer past due for it. */
async function recordPaid(db: Db, link: LinkedCycle, debit: LinkDebit, at: Instant): Promise<void> {
  const { subscriptionId, cycle } = link;
  const { requestId, paymentId, captureId, amount } = debit;
  const collected = await readCollected(db, link);
  const isSecondDebit = collected !== null;
  await clearPastDue(db, link);
  await insertEvent(db, {
    subscriptionId,
    at,
    actor: DUEDAY,
    type: 'payment_link.paid',
    changeKey: `payment_link/${requestId}/paid`,
    data: { cycle, amount, linkPaymentId: paymentId, captureId, isSecondDebit },
  });
  if (collected === null) return;
  const detail = `Payment ${paymentId} was made by link after cycle ${cycle} had been collected: the payer was debited twice. Recommended: refund capture ${captureId} of payment ${paymentId}.`;
  await openContradiction(
    db,
    {
      ...collected,
      subscriptionId,
      cycle,
      amount,
      authorizationId: null,
      detail,
      ledger: { state: 'collected', at: collected.collectedAt },
      service: { state: 'captured', at: debit.createdAt },
    },
    at,
  );
}

/** How the cycle was collected after its link had been created; null if it was not. */
async function readCollected(db: Db, { subscriptionId, cycle }: LinkedCycle) {
  return readRecord<{ readonly paymentId: PaymentId; readonly collectedAt: Instant }>(
    db,
    `select s.payment_id, c.collected_at from cycles c join subscriptions s using (subscription_id)
     where c.subscription_id = $1 and c.cycle = $2 and c.status = 'collected'`,
    [subscriptionId, cycle],
  );
}

/** The subscription is no longer past due (rule 15), unless a later cycle was not collected and is not paid either. */
async function clearPastDue(db: Db, { subscriptionId, cycle }: LinkedCycle): Promise<void> {
  await db.query(
    `update subscriptions set past_due = false
     where subscription_id = $1 and past_due and not exists (
       select from cycles c
       where c.subscription_id = $1 and c.cycle > $2 and c.status in ('failed', 'missed')
         and paid_link(c.subscription_id, c.cycle) is null
     )`,
    [subscriptionId, cycle],
  );
}

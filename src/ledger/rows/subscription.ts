import { escapeLiteral } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { randomUUID } from 'node:crypto';
import type { Language } from '../../contract/notices';
import type { Metadata } from '../../domain/metadata';
import type { Money } from '../../domain/money';
import type { Standing, StandingParts, SubscriptionState, Terms } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { jsonToColumn, type Db } from '../sql/statements';
import { ATTENTION } from './attention-item';
import { PLANNED_ONCE } from '../sql/database';

/** Personal data: stored in the table of payers, and in search words, only; never in logs, histories or the audit log (rule 29). */
export interface PostalAddress {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Two upper-case letters. */
  readonly country: string;
  readonly email?: string | undefined;
}

/** The payer's details as given by the merchant; all null once erased. */
export interface PayerDetails {
  readonly name: string | null;
  readonly email: string | null;
  readonly reference: string | null;
  /** The language for messages to the payer; null if none was given. */
  readonly language: Language | null;
}

export interface PayerRecord extends PayerDetails {
  readonly payerId: string;
}

export interface NewPayer {
  readonly email: string | null;
  readonly reference: string | null;
  readonly language?: Language | null;
  /** Its name is the name of the payer. */
  readonly billingAddress: PostalAddress;
  readonly shippingAddress: PostalAddress | null;
}

/** @returns the payer's new id. */
export async function insertPayer(db: Db, payer: NewPayer): Promise<string> {
  const payerId = randomUUID();
  await db.query(
    `insert into payers (payer_id, name, email, reference, language, billing_address, shipping_address)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      payerId,
      payer.billingAddress.name,
      payer.email,
      payer.reference,
      payer.language ?? null,
      jsonToColumn(payer.billingAddress),
      jsonToColumn(payer.shippingAddress),
    ],
  );
  return payerId;
}

export async function deletePayers(db: Db, payerIds: readonly string[]): Promise<void> {
  await db.query('delete from payers where payer_id = any ($1)', [payerIds]);
}

export type StoppedBy = 'pause' | 'cancel';
export type ConsentState = 'pending' | 'successful' | 'failed' | 'cancelled';

/** A subscription in the ledger. */
export interface SubscriptionRecord
  extends
    Terms,
    StandingParts,
    Pick<SubscriptionState, 'paymentId' | 'status' | 'pendingChange' | 'lastIncreaseAt'>,
    Pick<SubscriptionState, 'cancelledBy' | 'replaces' | 'replacedBy'> {
  readonly workflowId: string;
  readonly standing: Standing;
  readonly stoppedBy: StoppedBy | null;
  /** What the next cycle collects. */
  readonly amount: Money;
  readonly nextDueAt: Instant | null;
  readonly cyclesCollected: number;
  readonly consent: ConsentRecord;
  readonly pausedUntil: Instant | null;
  /** Until when holds stop its attempts; in the past once they have ended, null if there was none. */
  readonly heldUntil: Instant | null;
  readonly payer: PayerRecord;
  readonly metadata: Metadata;
  readonly warnings: readonly string[];
  readonly createdAt: Instant;
}

/** The consent as last answered by the service. */
export interface ConsentRecord {
  readonly status: ConsentState;
  readonly reason: string | null;
  readonly redirectURL: string | null;
  readonly checkedAt: Instant | null;
  /** Real time, epoch milliseconds. */
  readonly requestedRealAt: number | null;
  /** Whether a DELETE of dueday may have ended it: the end is then attributed to the merchant (rule 7). */
  readonly merchantDeleted: boolean;
}

/** SQL to follow the status column: the subscription is neither a draft nor ended. */
export const IS_LIVE_SUBSCRIPTION = `in ('pending_consent', 'active', 'paused')`;

/** Larger numbers of subscriptions are estimated by PostgreSQL, so that a scrape does not read a million rows. */
const COUNTED_EXACTLY = 10_000;

/** SQL expression: the number of live subscriptions. Large numbers are estimates from the last vacuum or analyze. */
export const LIVE_SUBSCRIPTIONS = `(
  select case
    when counted < ${COUNTED_EXACTLY} then counted
    else greatest(counted, (select reltuples::bigint from pg_class where oid = 'subscriptions_live'::regclass))
  end
  from (
    select count(*) as counted from (
      select from subscriptions where status ${IS_LIVE_SUBSCRIPTION} order by subscription_id limit ${COUNTED_EXACTLY}
    ) as first
  ) as live
)`;

/** Columns of {@link SubscriptionRecord}, from `subscriptions s` joined with `payers p`. */
export const SUBSCRIPTION_COLUMNS = `
  s.subscription_id, s.payment_id, s.workflow_id, s.status, s.standing, ${ATTENTION} as attention, s.dunning, s.past_due, s.stopped_by,
  s.repetition, s.amount, s.pending_change, s.last_increase_at, s.consent_amount, s.start_at, s.first_payment_at, s.end_at,
  s.next_due_at, s.on_exhausted, s.cycles_collected, s.paused_until,
  held_until(s.subscription_id) as held_until, s.cancelled_by, s.replaces, s.replaced_by,
  s.metadata, s.warnings, s.created_at, coalesce(s.consent_status, 'pending') as "consent.status",
  s.consent_reason as "consent.reason", s.consent_redirect_url as "consent.redirect_url",
  s.consent_checked_at as "consent.checked_at", s.consent_requested_real_at as "consent.requested_real_at",
  s.merchant_deleted_consent as "consent.merchant_deleted", s.payer_id as "payer.payer_id", ${payerColumns('p')}`;

/** Columns of {@link PayerDetails}, as `payer`. */
export function payerColumns(alias: string): string {
  return `${alias}.name as "payer.name", ${alias}.email as "payer.email", ${alias}.reference as "payer.reference", ${alias}.language as "payer.language"`;
}

/**
 * SQL that locks the row of a subscription, as part of the opening of a transaction: it costs no extra message, and precedes all
 * other locks of its rows. The facts are read in later statements, which see all that was committed before.
 */
export function lockOf(subscriptionId: SubscriptionId): string {
  return `select from subscriptions where subscription_id = ${escapeLiteral(subscriptionId)} for update`;
}

/** The opening of a transaction that changes an attempt, with the lock of its subscription. */
export function beginWithLock(subscriptionId: SubscriptionId): string {
  return `begin; ${PLANNED_ONCE}; ${lockOf(subscriptionId)}`;
}

/**
 * Subscriptions whose next due date the ledger shows as untried: it lies ahead, a pause or another stop came before the first send,
 * or no worker was running.
 */
export const UNTRIED = `subscriptions s
  where s.status in ('active', 'paused')
    and not exists (
      select from cycles k
      where (k.subscription_id, k.due_at) = (s.subscription_id, s.next_due_at) and k.status <> 'scheduled'
    )`;

/** For subscriptions `s`: the instant to which the first attempt of the next cycle is postponed; null if it is not. */
export const POSTPONED_UNTIL = `(
  select c.postponed_until from cycles c
  where (c.subscription_id, c.due_at) = (s.subscription_id, s.next_due_at) and c.status = 'scheduled'
)`;

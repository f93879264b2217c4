import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Repetition } from '../../domain/subscription/schedule';
import type {
  Standing,
  CancelledBy,
  OnExhausted,
  PendingChange,
  SubscriptionStatus,
} from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { instantToColumn, jsonToColumn, type Db, inTransaction, moneyFromColumn } from '../database';

/** Personal data: lives in the table of payers alone, never in logs, histories or the trail (rule 29). */
export interface PostalAddress {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Two upper-case letters. */
  readonly country: string;
  readonly email?: string | undefined;
}

/** As the merchant gave it; all null once erased. */
export interface PayerRecord {
  readonly payerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly reference: string | null;
}

export interface NewPayer {
  readonly email: string | null;
  readonly reference: string | null;
  /** Its name is the payer's. */
  readonly billingAddress: PostalAddress;
  readonly shippingAddress: PostalAddress | null;
}

/** @returns the payer's new id. */
export async function insertPayer(db: Db, payer: NewPayer): Promise<string> {
  const payerId = randomUUID();
  await db.query(
    `insert into payers (payer_id, name, email, reference, billing_address, shipping_address)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      payerId,
      payer.billingAddress.name,
      payer.email,
      payer.reference,
      jsonToColumn(payer.billingAddress),
      jsonToColumn(payer.shippingAddress),
    ],
  );
  return payerId;
}

/**
 * Blanks a payer's personal data, also in answers kept for repeated requests. What concerns money stays. Erasing again
 * changes nothing.
 * @returns false where there is no such payer.
 */
export async function erasePayer(pool: Pool, payerId: string, at: Instant): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update payers
       set name = null, email = null, reference = null, billing_address = null, shipping_address = null,
           erased_at = coalesce(erased_at, $2)
       where payer_id = $1`,
      [payerId, instantToColumn(at)],
    );
    await db.query(
      `update idempotency_keys
       set body = (body::jsonb - 'payer')::json
       where json_typeof(body) = 'object'
         and body ->> 'subscriptionId' in (select subscription_id from subscriptions where payer_id = $1)`,
      [payerId],
    );
    return rowCount === 1;
  });
}

export type Hold = 'pause' | 'cancel';
export type ConsentState = 'pending' | 'successful' | 'failed' | 'cancelled';

/** A subscription as the ledger has it. */
export interface SubscriptionRecord {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId | null;
  readonly workflowId: string;
  readonly status: SubscriptionStatus;
  readonly standing: Standing;
  readonly attention: readonly string[];
  readonly dunning: boolean;
  readonly pastDue: boolean;
  readonly hold: Hold | null;
  readonly repetition: Repetition;
  /** What the next cycle collects. */
  readonly amount: Money;
  readonly pendingChange: PendingChange | null;
  readonly lastIncreaseAt: Instant | null;
  readonly consentAmount: Money;
  readonly startAt: Instant;
  readonly firstPaymentAt: Instant;
  readonly endAt: Instant | null;
  readonly nextDueAt: Instant | null;
  readonly onExhausted: OnExhausted;
  readonly cyclesCollected: number;
  readonly consent: ConsentRecord;
  readonly pausedUntil: Instant | null;
  readonly cancelledBy: CancelledBy | null;
  readonly replaces: SubscriptionId | null;
  readonly replacedBy: SubscriptionId | null;
  readonly payer: PayerRecord;
  readonly warnings: readonly string[];
  readonly createdAt: Instant;
}

/** The consent as the service last told it. */
export interface ConsentRecord {
  readonly status: ConsentState;
  readonly reason: string | null;
  readonly redirectURL: string | null;
  readonly checkedAt: Instant | null;
  /** Real time, epoch milliseconds. */
  readonly requestedRealAt: number | null;
  /** We have sent the DELETE: its end was the merchant's doing (rule 7). */
  readonly merchantDeleted: boolean;
}

/** Columns of {@link SubscriptionRow}, of `subscriptions s` joined with `payers p`. */
export const SUBSCRIPTION_COLUMNS = `s.*, p.name, p.email, p.reference`;

export interface SubscriptionRow {
  subscription_id: string;
  payment_id: string | null;
  workflow_id: string;
  status: SubscriptionStatus;
  standing: Standing;
  attention: string[];
  dunning: boolean;
  past_due: boolean;
  hold: Hold | null;
  repetition: Repetition;
  amount: number;
  pending_change: PendingChange | null;
  last_increase_at: number | null;
  consent_amount: number;
  start_at: number;
  first_payment_at: number;
  end_at: number | null;
  next_due_at: number | null;
  on_exhausted: OnExhausted;
  cycles_collected: number;
  consent_status: ConsentState | null;
  consent_reason: string | null;
  consent_redirect_url: string | null;
  consent_checked_at: number | null;
  consent_requested_real_at: number | null;
  merchant_deleted_consent: boolean;
  paused_until: number | null;
  cancelled_by: CancelledBy | null;
  replaces: string | null;
  replaced_by: string | null;
  warnings: string[];
  created_at: number;
  payer_id: string;
  name: string | null;
  email: string | null;
  reference: string | null;
}

export function toSubscription(row: SubscriptionRow): SubscriptionRecord {
  return {
    subscriptionId: row.subscription_id as SubscriptionId,
    paymentId: row.payment_id as PaymentId | null,
    workflowId: row.workflow_id,
    status: row.status,
    standing: row.standing,
    attention: row.attention,
    dunning: row.dunning,
    pastDue: row.past_due,
    hold: row.hold,
    repetition: row.repetition,
    amount: moneyFromColumn(row.amount),
    pendingChange: row.pending_change,
    lastIncreaseAt: row.last_increase_at,
    consentAmount: moneyFromColumn(row.consent_amount),
    startAt: row.start_at,
    firstPaymentAt: row.first_payment_at,
    endAt: row.end_at,
    nextDueAt: row.next_due_at,
    onExhausted: row.on_exhausted,
    cyclesCollected: row.cycles_collected,
    consent: toConsent(row),
    pausedUntil: row.paused_until,
    cancelledBy: row.cancelled_by,
    replaces: row.replaces as SubscriptionId | null,
    replacedBy: row.replaced_by as SubscriptionId | null,
    payer: { payerId: row.payer_id, name: row.name, email: row.email, reference: row.reference },
    warnings: row.warnings,
    createdAt: row.created_at,
  };
}

function toConsent(row: SubscriptionRow): ConsentRecord {
  return {
    status: row.consent_status ?? 'pending',
    reason: row.consent_reason,
    redirectURL: row.consent_redirect_url,
    checkedAt: row.consent_checked_at,
    requestedRealAt: row.consent_requested_real_at,
    merchantDeleted: row.merchant_deleted_consent,
  };
}

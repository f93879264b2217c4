import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type Db, readRecord, readRecords } from '../sql/statements';
import type { PayerRecord, PostalAddress } from '../rows/subscription';
import { type Unfinished, readUnfinished } from './unfinished';
import { KEPT_ANSWERS, keptAnswersOf, payersOf, readSubjects } from './subjects';

/** The data of a payer for one subscription or one-time payment. */
export interface StoredRecord extends Pick<PayerRecord, 'name' | 'email' | 'language'> {
  readonly kind: 'subscription' | 'payment';
  /** Null for a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  /** Null if the service has not named it yet. */
  readonly paymentId: PaymentId | null;
  /** `draft` before the service has answered. */
  readonly status: string;
  readonly billingAddress: PostalAddress | null;
  readonly shippingAddress: PostalAddress | null;
  readonly returnURL: string | null;
  readonly createdAt: Instant;
}

/** The data that is stored about a payer. */
export interface StoredPayer {
  /** Oldest first. */
  readonly records: readonly StoredRecord[];
  /** Responses stored for repeated requests. */
  readonly keptAnswers: number;
  /** Merchant events stored for delivery or reading. */
  readonly events: number;
  /** What prevents the erasure of the payer. */
  readonly living: readonly Unfinished[];
}

/**
 * Null if no payer is stored under this reference. To be called within one snapshot.
 * @param realNow determines whether a draft may still be on its way
 */
export async function readPayer(db: Db, reference: string, realNow: number): Promise<StoredPayer | null> {
  const records = await readRecords<StoredRecord>(db, RECORDS, [reference]);
  if (records.length === 0) return null;
  const payerIds = await payersOf(db, reference);
  const subjects = await readSubjects(db, payerIds);
  const counts = await readRecord<Pick<StoredPayer, 'keptAnswers' | 'events'>>(db, COUNTS, [
    ...(await keptAnswersOf(db, subjects)),
    subjects.subscriptionIds,
    subjects.paymentIds,
  ]);
  if (counts === null) throw new Error('the counts returned no row');
  return { records, ...counts, living: await readUnfinished(db, payerIds, realNow) };
}

const RECORDS = `
  select r.kind, r.subscription_id, r.payment_id, r.status, y.name, y.email, y.language, y.billing_address,
    y.shipping_address, r.return_url, r.created_at
  from payers y join (
    select payer_id, 'subscription' as kind, subscription_id, payment_id, status, return_url, created_at from subscriptions
    union all
    select payer_id, 'payment', null, payment_id, status, return_url, created_at from payments
  ) r using (payer_id)
  where y.reference = $1 order by r.created_at, r.subscription_id, r.payment_id`;

const COUNTS = `
  select (select count(*) from idempotency_keys k where ${KEPT_ANSWERS}) as kept_answers,
    (select count(*) from merchant_events where subscription_id = any ($3) or payment_id = any ($4)) as events`;

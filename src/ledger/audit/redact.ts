import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import { typesFrom } from './catalogue';
import { type Act, type EventRecord, getEvent, insertEvent } from './entries';

export interface Redaction extends Act {
  readonly entryId: number;
  /** The reason; it appears in the audit log. */
  readonly reason: string;
}

export type RedactResult =
  /** `entry` is the redacted one. */
  | { readonly kind: 'redacted'; readonly entry: EventRecord }
  | { readonly kind: 'unknown' }
  /** It never contained any texts, or all were removed. */
  | { readonly kind: 'no_words' };

/**
 * Removes the texts of one audit entry permanently, and the same texts where they are stored for the same subscription or
 * payment: in attention items, evidence, cancellations, orders, notices and merchant events. The chain of the audit log remains valid.
 */
export async function redactEntry(pool: Pool, redaction: Redaction): Promise<RedactResult> {
  const { entryId } = redaction;
  return inTransaction(pool, async (db): Promise<RedactResult> => {
    const subject = await lockSubject(db, entryId);
    if (subject === null) return { kind: 'unknown' };
    const removed = await removeWords(db, entryId);
    if (removed.length === 0) return { kind: 'no_words' };
    const entry = await getEvent(db, entryId);
    if (entry === null) throw new Error(`the entry ${entryId} disappeared while locked`);
    const texts = [...new Set(removed.map(({ text }) => text))];
    await removeCopies(db, subject, texts, entry);
    await removeFromEvents(db, entry);
    await recordRedaction(db, redaction, entry, removed);
    return { kind: 'redacted', entry };
  });
}

/** The subscription or one-time payment of an entry; all null if it has neither. */
interface EntrySubject {
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId | null;
  /** The payment id of the subscription at the payment service. */
  readonly mandateId: PaymentId | null;
}

/** Locks subscriptions and payments first, as everywhere; then the entry. */
async function lockSubject(db: Db, entryId: number): Promise<EntrySubject | null> {
  const subject = await readRecord<EntrySubject>(
    db,
    `select e.subscription_id, e.payment_id, s.payment_id as mandate_id
     from events e left join subscriptions s using (subscription_id) where e.id = $1`,
    [entryId],
  );
  if (subject === null) return null;
  await db.query('select 1 from subscriptions where subscription_id = $1 for update', [subject.subscriptionId]);
  await db.query('select 1 from payments where payment_id = $1 for update', [subject.paymentId]);
  await db.query('select 1 from events where id = $1 for update', [entryId]);
  return subject;
}

interface RemovedWords {
  readonly field: string;
  readonly text: string;
}

/** Removes the texts of the entry; a trigger removes their salts from the chain. */
async function removeWords(db: Db, entryId: number): Promise<readonly RemovedWords[]> {
  const words = await readRecords<RemovedWords>(
    db,
    `select field, said #>> '{}' as text from events, jsonb_each(data) as f (field, said)
     where id = $1 and may_be_removed(field, said) and not is_removed_text(said #>> '{}') order by field`,
    [entryId],
  );
  if (words.length > 0) await db.query('update events set data = redact_words(data) where id = $1', [entryId]);
  return words;
}

/** Removes the same texts where they are stored with the same subscription or payment, or with the item of the entry. */
async function removeCopies(
  db: Db,
  { subscriptionId, paymentId, mandateId }: EntrySubject,
  texts: readonly string[],
  { data }: EventRecord,
): Promise<void> {
  const isAbout = '(subscription_id = $2 or payment_id = $3)';
  const values = [texts, subscriptionId, paymentId];
  await db.query(
    `update attention_items set
       note = case when note = any ($1) then redacted_text() else note end,
       close_reason = case when close_reason = any ($1) then redacted_text() else close_reason end
     where (${isAbout} or item_id = $4) and (note = any ($1) or close_reason = any ($1))`,
    [...values, data['item'] ?? null],
  );
  await db.query(
    `update notices set
       data = case when data ->> 'reason' = any ($1) then redact_words(data) else data end,
       evidence = case when evidence ->> 'evidence' = any ($1) then redact_words(evidence) else evidence end
     where ${isAbout} and (data ->> 'reason' = any ($1) or evidence ->> 'evidence' = any ($1))`,
    values,
  );
  await db.query(
    `update attempts set evidence = redacted_text(),
       description = case when description = evidence then redacted_text() else description end
     where subscription_id = $2 and evidence = any ($1)`,
    values.slice(0, 2),
  );
  await db.query(
    `update subscriptions set cancellation = redact_words(cancellation)
     where subscription_id = $2 and cancellation ->> 'reason' = any ($1)`,
    values.slice(0, 2),
  );
  await db.query(
    'update orders set reason = redacted_text() where payment_id = any (array[$2, $3]) and reason = any ($1)',
    [texts, paymentId, mandateId],
  );
}

/**
 * Removes the texts from the merchant events of the entry. Like an erasure, this makes a transaction that assigns
 * events their positions in the feed wait.
 */
async function removeFromEvents(db: Db, { type, at, subscriptionId, paymentId }: EventRecord): Promise<void> {
  const types = typesFrom(type);
  if (types.length === 0) return;
  await db.query('select 1 from event_feed for update');
  await db.query(
    `update merchant_events set data = redact_words(data) || jsonb_build_object('text', redacted_text())
     where type = any ($1) and at = $2 and (subscription_id, payment_id) is not distinct from ($3::text, $4::text)`,
    [types, instantToColumn(at), subscriptionId, paymentId],
  );
}

async function recordRedaction(
  db: Db,
  { entryId, reason, at, ...by }: Redaction,
  { subscriptionId, paymentId }: EventRecord,
  removed: readonly RemovedWords[],
): Promise<void> {
  const data = { entry: entryId, fields: removed.map(({ field }) => field), reason };
  await insertEvent(db, { subscriptionId, paymentId, ...actorOf(by), at, type: 'audit.redacted', data });
}

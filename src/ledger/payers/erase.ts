import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { actorOf, type EventData } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { removeDrafts } from '../rows/any-draft';
import { insertEvent, type TimedAct } from '../audit/entries';
import { DRAFT_LIVES, type Living, readLiving } from './living';
import { KEPT_ANSWERS, keptAnswersOf, payersOf, type PayerSubjects, readSubjects } from './subjects';
import { eraseWords, namesAny, termsOf } from './words';

/** The real time shows whether a draft may still be on its way. */
export interface Erasure extends TimedAct {
  /** By which the merchant knows the payer. */
  readonly reference: string;
  readonly reason: string;
}

/** How much of each was erased or removed. */
export interface Erased {
  readonly subscriptions: number;
  readonly payments: number;
  readonly drafts: number;
  readonly keptAnswers: number;
  readonly events: number;
}

export type EraseResult =
  | ({ readonly kind: 'erased' } & Erased)
  | { readonly kind: 'unknown' }
  /** Something is not over; nothing was erased. */
  | { readonly kind: 'living'; readonly living: readonly Living[] }
  /** The reason would keep what is to be erased. */
  | { readonly kind: 'reason_names_payer' };

/**
 * Erases a payer for good (rule 29): addresses, e-mail, name, reference, language, return URLs, drafts, the answers kept
 * for repeated requests, the events for the merchant with their deliveries, and every text that was written about the payer's
 * subscriptions and payments. What concerns money stays, and so do the entries of the audit log.
 */
export async function erasePayer(pool: Pool, erasure: Erasure): Promise<EraseResult> {
  const { reference, realAt } = erasure;
  return inTransaction(pool, async (db): Promise<EraseResult> => {
    const payerIds = await lockPayers(db, await payersOf(db, reference), reference);
    if (payerIds.length === 0) return { kind: 'unknown' };
    const living = await readLiving(db, payerIds, realAt);
    if (living.length > 0) return { kind: 'living', living };
    const terms = await termsOf(db, payerIds);
    if (await namesAny(db, erasure.reason, terms)) return { kind: 'reason_names_payer' };
    return { kind: 'erased', ...(await eraseLocked(db, payerIds, terms, erasure, { reason: erasure.reason })) };
  });
}

/**
 * Erases payers that {@link lockPayers} has locked, of whom nothing lives.
 * @param terms see {@link termsOf}
 * @param why for the trail
 */
export async function eraseLocked(
  db: Db,
  payerIds: readonly string[],
  terms: readonly string[],
  act: TimedAct,
  why: EventData,
): Promise<Erased> {
  const drafts = await deleteDrafts(db, payerIds, act.realAt);
  const subjects = await readSubjects(db, payerIds);
  await eraseWords(db, subjects, terms);
  await blankPayers(db, payerIds, act.at);
  const keptAnswers = await deleteKeptAnswers(db, subjects);
  const events = await deleteEvents(db, subjects);
  const { subscriptionIds, paymentIds } = subjects;
  const erased = { subscriptions: subscriptionIds.length, payments: paymentIds.length, drafts, keptAnswers, events };
  await recordErasure(db, act, subjects, erased, why);
  return erased;
}

/**
 * Subscriptions and payments first, as everywhere. Nothing of them is written until the erasure is.
 * @returns those that are still stored, under this reference
 */
export async function lockPayers(
  db: Db,
  payerIds: readonly string[],
  reference: string | null,
): Promise<readonly string[]> {
  for (const [table, id] of [
    ['subscriptions', 'subscription_id'],
    ['payments', 'request_id'],
  ])
    await db.query(`select 1 from ${table} where payer_id = any ($1) order by ${id} for update`, [payerIds]);
  const locked = await readRecords<{ readonly payerId: string }>(
    db,
    'select payer_id from payers where payer_id = any ($1) and erased_at is null and reference is not distinct from $2 order by payer_id for update',
    [payerIds, reference],
  );
  return locked.map(({ payerId }) => payerId);
}

/** Of those that were given up: a younger one lives. */
async function deleteDrafts(db: Db, payerIds: readonly string[], realAt: number): Promise<number> {
  let deleted = 0;
  for (const table of ['subscriptions', 'payments'] as const) {
    const values = [payerIds, instantToColumn(realAt - DRAFT_LIVES)];
    deleted += await removeDrafts(db, table, 'payer_id = any ($1) and drafted_real_at < $2', values);
  }
  return deleted;
}

async function deleteKeptAnswers(db: Db, subjects: PayerSubjects): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotency_keys k where ${KEPT_ANSWERS}`,
    await keptAnswersOf(db, subjects),
  );
  return rowCount ?? 0;
}

/**
 * With their deliveries and what endpoints answered. The transaction that gives positions waits: it counts the events that
 * it has seen. What an endpoint that is not enabled was to get goes too.
 */
async function deleteEvents(db: Db, { subscriptionIds, paymentIds }: PayerSubjects): Promise<number> {
  const subjects = [...subscriptionIds.map((id) => `subscription/${id}`), ...paymentIds.map((id) => `payment/${id}`)];
  await db.query('select 1 from event_feed for update');
  await db.query('select 1 from webhook_queues where subject = any ($1) order by endpoint_id, subject for update', [
    subjects,
  ]);
  await db.query('delete from webhook_queues where subject = any ($1)', [subjects]);
  const { rowCount } = await db.query(
    'delete from merchant_events where subscription_id = any ($1) or payment_id = any ($2)',
    [subscriptionIds, paymentIds],
  );
  return rowCount ?? 0;
}

/** The words to search by go with them, by triggers. Those erased before keep their instant. */
export async function blankPayers(db: Db, payerIds: readonly string[], at: Instant): Promise<void> {
  for (const table of ['subscriptions', 'payments']) {
    await db.query(`update ${table} set return_url = null, consent_redirect_url = null where payer_id = any ($1)`, [
      payerIds,
    ]);
  }
  await db.query(
    `update payers
     set name = null, email = null, reference = null, language = null, billing_address = null, shipping_address = null,
         former_terms = '{}', erased_at = coalesce(erased_at, $2)
     where payer_id = any ($1)`,
    [payerIds, instantToColumn(at)],
  );
}

/** Once for each of its subscriptions and payments, and once for all of them. */
async function recordErasure(
  db: Db,
  act: TimedAct,
  { subscriptionIds, paymentIds }: PayerSubjects,
  erased: Erased,
  why: EventData,
): Promise<void> {
  const entry = { ...actorOf(act), at: act.at, type: 'payer.erased', data: why } as const;
  for (const subscriptionId of subscriptionIds) await insertEvent(db, { ...entry, subscriptionId });
  for (const paymentId of paymentIds) await insertEvent(db, { ...entry, subscriptionId: null, paymentId });
  await insertEvent(db, { ...entry, subscriptionId: null, data: { ...why, ...erased } });
}

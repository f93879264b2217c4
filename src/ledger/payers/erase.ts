import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { actorOf, type EventData } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { removeDrafts } from '../rows/any-draft';
import { insertEvent, type TimedAct } from '../audit/entries';
import { endUnrecordableItems } from '../attention/unrecordable';
import { DRAFT_LIFE, type Unfinished, readUnfinished } from './unfinished';
import { KEPT_ANSWERS, keptAnswersOf, payersOf, type PayerSubjects, readSubjects } from './subjects';
import { eraseWords, namesAny, termsOf } from './words';

/** A request to erase a payer. Its real time determines whether a draft may still be on its way to the service. */
export interface Erasure extends TimedAct {
  /** The merchant's reference of the payer. */
  readonly reference: string;
  readonly reason: string;
}

/** The number of erased or removed records by kind. */
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
  /** Something has not ended; nothing was erased. */
  | { readonly kind: 'living'; readonly living: readonly Unfinished[] }
  /** The reason contains data that must be erased. */
  | { readonly kind: 'reason_names_payer' };

/**
 * Erases a payer permanently (rule 29): addresses, e-mail, name, reference, language, return URLs, drafts, stored responses to
 * repeated requests, merchant events with their deliveries, and every text written about the subscriptions and payments of the
 * payer. Records of money are kept, and so are the audit entries.
 */
export async function erasePayer(pool: Pool, erasure: Erasure): Promise<EraseResult> {
  const { reference, realAt } = erasure;
  return inTransaction(pool, async (db): Promise<EraseResult> => {
    const payerIds = await lockPayersOf(db, reference);
    if (payerIds.length === 0) return { kind: 'unknown' };
    const living = await readUnfinished(db, payerIds, realAt);
    if (living.length > 0) return { kind: 'living', living };
    const terms = await termsOf(db, payerIds);
    if (await namesAny(db, erasure.reason, terms)) return { kind: 'reason_names_payer' };
    return { kind: 'erased', ...(await eraseLocked(db, payerIds, terms, erasure, { reason: erasure.reason })) };
  });
}

/** The work that an item names if the ledger refuses to erase an expired payer. */
export const ERASING_EXPIRED = 'eraseExpiredPayers';

/**
 * Erases payers that {@link lockPayers} has locked and that have nothing in force. Items about earlier refusals to erase them end
 * with the erasure, as nothing visits an erased payer again.
 * @param terms see {@link termsOf}
 * @param why for the audit log
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
  await endUnrecordableItems(db, ERASING_EXPIRED, payerIds);
  const keptAnswers = await deleteKeptAnswers(db, subjects);
  const events = await deleteEvents(db, subjects);
  const { subscriptionIds, paymentIds } = subjects;
  const erased = { subscriptions: subscriptionIds.length, payments: paymentIds.length, drafts, keptAnswers, events };
  await recordErasure(db, act, subjects, erased, why);
  return erased;
}

/**
 * Locks all payers under a reference, as {@link lockPayers} does, including copies that were created while it waited.
 */
export async function lockPayersOf(db: Db, reference: string): Promise<readonly string[]> {
  let known = await payersOf(db, reference);
  for (;;) {
    const locked = await lockPayers(db, known, reference);
    const found = await payersOf(db, reference);
    if (found.every((id) => known.includes(id))) return locked;
    known = found;
  }
}

/**
 * Locks payers, and before them their subscriptions and payments, as everywhere. Nothing else is written about these before the
 * erasure.
 * @returns those that are still stored under this reference
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

/** Deletes abandoned drafts: a younger one is still in use. */
async function deleteDrafts(db: Db, payerIds: readonly string[], realAt: number): Promise<number> {
  let deleted = 0;
  for (const table of ['subscriptions', 'payments'] as const) {
    const values = [payerIds, instantToColumn(realAt - DRAFT_LIFE)];
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
 * Deletes merchant events with their deliveries and the answers of endpoints. The first lock makes a transaction that assigns
 * positions wait, as that one counts the events that it has seen. Events for a disabled endpoint are deleted too.
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

/** Removes the data of payers; triggers delete the search words with it. Payers erased before keep their instant of erasure. */
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

/** Records the erasure once for each subscription and payment, and once for all of them. */
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

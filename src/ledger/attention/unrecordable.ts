import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { endItem, type NewItem, openItem } from '../rows/attention-item';
import { codeOf, inTransaction } from '../sql/database';
import { type Db, readValues } from '../sql/statements';

/** Writes that PostgreSQL rejects because of their data, and the attention items about them (rule 43). */

/** Whether PostgreSQL rejected a write because of its data: retrying does not help. */
export function isRefusedByLedger(error: unknown): error is Error {
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION && RACE_CONSTRAINTS.some((each) => each === constraintOf(error))) return false;
  return REFUSALS.some((each) => code.startsWith(each));
}

/** Classes of PostgreSQL codes: data that a column cannot hold; a key that is taken or missing, a check, a refusal by a guard. */
const REFUSALS = ['22', '23'];

const UNIQUE_VIOLATION = '23505';

/**
 * Unique constraints that only a race can violate, as the program itself chooses each value. The writer that loses is retried
 * and finds what the winner wrote. They include neither constraints on values of the service, nor those that an update of
 * an existing row can violate.
 */
export const RACE_CONSTRAINTS = [
  // Two workers start the same send of an attempt: the second one reconciles it and does not send.
  'attempts_pkey',
  // The same for a send of a capture or a refund.
  'order_sends_pkey',
  // Two workers start different sends of one order: the second one finds the order under way.
  'order_sends_one_live_or_final_per_order',
  // A change is written twice because the response to the first write was lost: the second one finds it applied.
  'changes_pkey',
] as const;

function constraintOf(error: unknown): unknown {
  return (error as { constraint?: unknown }).constraint;
}

/** Why a write was rejected, without the value: SQLSTATE, and column or constraint if PostgreSQL names one. */
export function describeRefusal(error: Error): string {
  const { table, column } = error as { table?: unknown; column?: unknown };
  const named = [table, column ?? constraintOf(error)].filter((each) => typeof each === 'string');
  return ['SQLSTATE', codeOf(error), ...(named.length === 0 ? [] : ['at', named.join('.')])].join(' ');
}

/** Work whose write may be rejected; each has its own item. */
export interface RefusedWork {
  /** The activity that writes. */
  readonly activity: string;
  /** The subscription, payment, order, notice or payer, or the part of the daily work. */
  readonly id: string;
}

/** The activity that an item names if the ledger refuses to store the result of delivering a notice. */
export const DELIVERING_NOTICE = 'deliverNotice';

/**
 * The activity that an item names if the ledger refuses a write of an attempt; once the attempt is no longer unresolved, the item
 * ends.
 */
export const COLLECTING = 'collectPayment';

/** The subject of the item, as far as the ledger knows it. */
export type Concerned = Pick<NewItem, 'subscriptionId' | 'paymentId' | 'orderId'>;

const KEY = 'unrecordable/';

function keyOf({ activity, id }: RefusedWork): string {
  return `${KEY}${activity}/${id}`;
}

/**
 * Opens an item about a rejected write, in a separate transaction.
 * @param detail what had to be written, and why it was rejected; never the value
 */
export function openUnrecordableItem(
  pool: Pool,
  work: RefusedWork & { readonly about: Concerned },
  detail: string,
  at: Instant,
): Promise<void> {
  const ledger = { state: 'refused', id: work.id, detail };
  const item = { ...work.about, key: keyOf(work), source: 'evidence', kind: 'unrecordable', ledger } as const;
  return inTransaction(pool, (db) => openItem(db, item, at));
}

/** Closes the item: the write has succeeded after all. */
export function endUnrecordableItem(db: Db, work: RefusedWork): Promise<void> {
  return endItem(db, keyOf(work));
}

/** Closes the items of several ids that one activity has processed; most of these have no item. */
export async function endUnrecordableItems(db: Db, activity: string, ids: readonly string[]): Promise<void> {
  const unended = await readValues<string>(
    db,
    `select key from unnest($1::text[]) as key
     join attention_items on item_id = attention_id(key) and (closed_real_at is null or close_reason is not null)`,
    [ids.map((id) => keyOf({ activity, id }))],
  );
  for (const key of unended) await endItem(db, key);
}

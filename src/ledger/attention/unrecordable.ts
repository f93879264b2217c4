import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { endItem, type NewItem, openItem } from '../rows/attention-item';
import { codeOf, inTransaction } from '../sql/database';
import { type Db, readValues } from '../sql/statements';

/** What PostgreSQL refuses to hold for its data, and the item that an operator has of it (rule 43). */

/** Whether PostgreSQL refuses what was to be written for its data: no repetition fixes that. */
export function isRefusedByLedger(error: unknown): error is Error {
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION && RACE_CONSTRAINTS.some((each) => each === constraintOf(error))) return false;
  return REFUSALS.some((each) => code.startsWith(each));
}

/** Classes of PostgreSQL's codes: data that a column cannot hold; a key that is taken or missing, a check, a guard's own refusal. */
const REFUSALS = ['22', '23'];

const UNIQUE_VIOLATION = '23505';

/**
 * Unique constraints that only a race can violate, as the program chooses each value itself. The writer that loses is repeated,
 * and finds what the winner wrote. Constraints over values of the service are not among them, nor are those that an update of
 * an existing row can violate.
 */
export const RACE_CONSTRAINTS = [
  // Two workers begin the same send of an attempt: the second one asks about it and does not send.
  'attempts_pkey',
  // The same for a send of a capture or a refund.
  'order_sends_pkey',
  // Two workers begin different sends of one order: the second one finds the order under way.
  'order_sends_one_live_or_final_per_order',
  // A change is written twice, as the answer to the first write was lost: the second one finds it applied.
  'changes_pkey',
] as const;

function constraintOf(error: unknown): unknown {
  return (error as { constraint?: unknown }).constraint;
}

/** What refused a write, without the value that it refused: SQLSTATE, and column or constraint where PostgreSQL names one. */
export function describeRefusal(error: Error): string {
  const { table, column } = error as { table?: unknown; column?: unknown };
  const named = [table, column ?? constraintOf(error)].filter((each) => typeof each === 'string');
  return ['SQLSTATE', codeOf(error), ...(named.length === 0 ? [] : ['at', named.join('.')])].join(' ');
}

/** Work whose write may be refused, and what it is about: an item for each. */
export interface RefusedWork {
  /** The activity that writes. */
  readonly activity: string;
  /** The subscription, payment, order, notice or payer, or the part of the daily work. */
  readonly id: string;
}

/** Whose item it is, as far as the ledger knows. */
export type Concerned = Pick<NewItem, 'subscriptionId' | 'paymentId' | 'orderId'>;

const KEY = 'unrecordable/';

function keyOf({ activity, id }: RefusedWork): string {
  return `${KEY}${activity}/${id}`;
}

/**
 * An operator is notified of a refused write, in a transaction of its own.
 * @param detail what was to be written, and what refused it; never the value
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

/** It was written after all. */
export function endUnrecordableItem(db: Db, work: RefusedWork): Promise<void> {
  return endItem(db, keyOf(work));
}

/** The same of several that one activity has worked through: most of them have no item. */
export async function endUnrecordableItems(db: Db, activity: string, ids: readonly string[]): Promise<void> {
  const open = await readValues<string>(
    db,
    `select key from unnest($1::text[]) as key
     join attention_items on item_id = attention_id(key) and closed_real_at is null`,
    [ids.map((id) => keyOf({ activity, id }))],
  );
  for (const key of open) await endItem(db, key);
}

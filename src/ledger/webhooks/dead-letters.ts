import type { Pool } from 'pg';
import { type Instant, toIso } from '../../domain/time';
import { endItem, openItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db } from '../sql/statements';

/** One event that was given up at an endpoint. */
export interface DeadLetter {
  readonly eventId: string;
  /** HTTP status of the last try; null if there was no response. */
  readonly status: number | null;
}

/** All dead letters of an endpoint share one item. */
const keyOf = (endpointId: string) => `endpoint/${endpointId}/dead_letter`;

/**
 * Whether a dead delivery of the event `e` waits for an operator: it was not delivered by a replay either. Tests are not listed
 * and cannot be replayed, so they do not wait. @param d the alias of the delivery in the statement
 */
export const waitsForOperator = (d: string) => `not e.is_test and not exists (
    select from webhook_deliveries l
    where l.event_id = ${d}.event_id and l.endpoint_id = ${d}.endpoint_id and l.state = 'delivered'
  )`;

/** Undelivered dead letters, with the alias `d`. */
export const UNDELIVERED = `webhook_deliveries d join merchant_events e using (event_id)
  where d.state = 'dead' and ${waitsForOperator('d')}`;

/** Opens the item, with this dead letter as evidence. The caller has locked the endpoint. @param at business time */
export async function openDeadLetters(
  db: Db,
  endpointId: string,
  { eventId, status }: DeadLetter,
  at: Instant,
): Promise<void> {
  const detail = status === null ? 'no response' : `HTTP ${status}`;
  const ledger = { state: 'dead', at: toIso(at), id: eventId, detail };
  await openItem(db, { key: keyOf(endpointId), source: 'endpoint', kind: 'dead_letter', endpointId, ledger }, at);
}

/** Whether the endpoint `w` has dead letters that wait for an operator. */
export const HAS_DEAD_LETTERS = `exists (
  select from attention_items i
  where i.item_id = attention_id(format('endpoint/%s/dead_letter', w.endpoint_id)) and i.closed_real_at is null
)`;

/** An item ends once its endpoint is enabled and each of its dead letters was delivered or purged. */
const OVER = `closed_real_at is null and source = 'endpoint'
  and exists (select from webhook_endpoints w where w.endpoint_id = i.endpoint_id and w.enabled)
  and (select d.delivery_id from ${UNDELIVERED} and d.endpoint_id = i.endpoint_id order by d.delivery_id desc limit 1) is null`;

/** Ends the item of one endpoint, which the caller has locked, if it is {@link OVER}. */
export async function endDeadLetters(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update attention_items i set closed_real_at = clock_timestamp() where item_id = attention_id($1) and ${OVER}`,
    [keyOf(endpointId)],
  );
}

/** Ends the items of all endpoints that are {@link OVER}, after old events were purged undelivered. */
export async function endPurgedDeadLetters(pool: Pool): Promise<void> {
  await inTransaction(pool, async (db) => {
    await db.query(
      `select from webhook_endpoints where endpoint_id in (
         select endpoint_id from attention_items where source = 'endpoint' and closed_real_at is null
       ) order by endpoint_id for no key update`,
    );
    await db.query(`update attention_items i set closed_real_at = clock_timestamp() where ${OVER}`);
  });
}

/** Ends the item of an endpoint that is deleted. */
export async function dropDeadLetters(db: Db, endpointId: string): Promise<void> {
  await endItem(db, keyOf(endpointId));
}

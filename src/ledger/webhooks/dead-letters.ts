import type { Pool } from 'pg';
import { type Instant, toIso } from '../../domain/time';
import { endItem, openItem } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { type Db } from '../sql/statements';

/** One event that was given up at an endpoint. */
export interface DeadLetter {
  readonly eventId: string;
  /** HTTP status of the last try; null where no answer came. */
  readonly status: number | null;
}

/** All dead letters of an endpoint are one item. */
const keyOf = (endpointId: string) => `endpoint/${endpointId}/dead_letter`;

/**
 * Whether a delivery of the event `e`, given up, waits for a person: it was not delivered by a replay either. A test is in no
 * list and cannot be replayed: it waits for no one. @param d the delivery's name in the statement
 */
export const waitsForPerson = (d: string) => `not e.is_test and not exists (
    select from webhook_deliveries l
    where l.event_id = ${d}.event_id and l.endpoint_id = ${d}.endpoint_id and l.state = 'delivered'
  )`;

/** Dead letters of an endpoint, `d`. */
export const UNDELIVERED = `webhook_deliveries d join merchant_events e using (event_id)
  where d.state = 'dead' and ${waitsForPerson('d')}`;

/** From now on they wait for a person, this one as evidence. The caller has locked the endpoint. @param at business time */
export async function openDeadLetters(
  db: Db,
  endpointId: string,
  { eventId, status }: DeadLetter,
  at: Instant,
): Promise<void> {
  const detail = status === null ? 'no answer' : `answered ${status}`;
  const ledger = { state: 'dead', at: toIso(at), id: eventId, detail };
  await openItem(db, { key: keyOf(endpointId), source: 'endpoint', kind: 'dead_letter', endpointId, ledger }, at);
}

/** Whether some of an endpoint, `w`, wait for a person. */
export const HAS_DEAD_LETTERS = `exists (
  select from attention_items i
  where i.item_id = attention_id(format('endpoint/%s/dead_letter', w.endpoint_id)) and i.closed_real_at is null
)`;

/** An item ends once its endpoint is enabled, and each of its dead letters was delivered or is gone. */
const OVER = `closed_real_at is null and source = 'endpoint'
  and exists (select from webhook_endpoints w where w.endpoint_id = i.endpoint_id and w.enabled)
  and (select d.delivery_id from ${UNDELIVERED} and d.endpoint_id = i.endpoint_id order by d.delivery_id desc limit 1) is null`;

/** Of one endpoint, which the caller has locked. */
export async function endDeadLetters(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update attention_items i set closed_real_at = clock_timestamp() where item_id = attention_id($1) and ${OVER}`,
    [keyOf(endpointId)],
  );
}

/** Of every endpoint: what is too old goes without having been delivered. */
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

/** With their endpoint. */
export async function dropDeadLetters(db: Db, endpointId: string): Promise<void> {
  await endItem(db, keyOf(endpointId));
}

import type { Pool } from '../../src/ledger';
import type { Written } from './judge';

/** The event types of the endpoints; {@link readWritten} reads the same types. */
export const TYPES = ['subscription.*', 'cycle.*'];

/** The progress of events, over all endpoints. */
export interface Standing {
  /** Events that report a collected cycle. */
  readonly collected: number;
  /** Pending deliveries. */
  readonly pending: number;
  /** Events without a position, and endpoints whose deliveries are not created yet. */
  readonly unqueued: number;
  /** Events that were given up for an endpoint, and not delivered to it since. */
  readonly dead: number;
}

export async function readStanding(db: Pool): Promise<Standing> {
  const { rows } = await db.query<Standing>(
    `select
       (select count(*) from merchant_events where type = 'cycle.collected') as collected,
       (select count(*) from webhook_deliveries where state = 'pending') as pending,
       (select count(*) from merchant_events where position is null and not is_test)
         + (select count(*) from webhook_endpoints, event_feed where enabled and fanned_out < placed and endpoint_id <> 'env')
         as unqueued,
       (select count(*) from webhook_deliveries d where state = 'dead' and not exists (
          select from webhook_deliveries l
          where l.event_id = d.event_id and l.endpoint_id = d.endpoint_id and l.state = 'delivered'
        )) as dead`,
  );
  const [standing] = rows;
  if (standing === undefined) throw new Error('a query of counts answered no row');
  return standing;
}

/** The number of the event that was written last; 0 if none was. */
export async function lastNumber(db: Pool): Promise<number> {
  const { rows } = await db.query<{ last: number }>('select coalesce(max(number), 0) as last from merchant_events');
  return rows[0]?.last ?? 0;
}

/** The events of the endpoints' types after this number, in the sequence in which they were written. */
export async function readWritten(db: Pool, after = 0): Promise<readonly Written[]> {
  const { rows } = await db.query<Omit<Written, 'subscriptionId'> & { subscription: string | null }>(
    `select event_id as id, type, subscription_id as subscription, sequence, recorded_real_at as at from merchant_events
     where number > $1 and (type like 'subscription.%' or type like 'cycle.%') order by number`,
    [after],
  );
  return rows.map(({ subscription, ...row }) => ({ ...row, subscriptionId: subscription }));
}

/** Ids of events that were given up for an endpoint, whether or not they were delivered since. */
export async function readDead(db: Pool, endpointId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ event_id: string }>(
    `select event_id from webhook_deliveries where endpoint_id = $1 and state = 'dead'`,
    [endpointId],
  );
  return new Set(rows.map((row) => row.event_id));
}

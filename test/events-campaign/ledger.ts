import type { Pool } from '../../src/ledger';
import type { Written } from './judge';

/** What endpoints are to get; {@link readWritten} reads the same. */
export const TYPES = ['subscription.*', 'cycle.*'];

/** How far events have come, over all endpoints. */
export interface Standing {
  /** Events that report a collected cycle. */
  readonly collected: number;
  /** Deliveries on their way. */
  readonly pending: number;
  /** Events without a place, and endpoints for which deliveries are to be made. */
  readonly unqueued: number;
  /** Events that were given up at an endpoint, and not delivered there since. */
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

/** All that endpoints want, behind the number, in the order of writing. */
export async function readWritten(db: Pool, after = 0): Promise<readonly Written[]> {
  const { rows } = await db.query<Omit<Written, 'subscriptionId'> & { subscription: string | null }>(
    `select event_id as id, type, subscription_id as subscription, sequence, recorded_real_at as at from merchant_events
     where number > $1 and (type like 'subscription.%' or type like 'cycle.%') order by number`,
    [after],
  );
  return rows.map(({ subscription, ...row }) => ({ ...row, subscriptionId: subscription }));
}

/** Ids of events that were given up at an endpoint, delivered since or not. */
export async function readDead(db: Pool, endpointId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ event_id: string }>(
    `select event_id from webhook_deliveries where endpoint_id = $1 and state = 'dead'`,
    [endpointId],
  );
  return new Set(rows.map((row) => row.event_id));
}

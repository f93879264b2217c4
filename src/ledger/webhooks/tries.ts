import { type Db, epochMs, instantToColumn, readRecords } from '../sql/statements';

/** The tries of one hour at one endpoint. */
export interface HourOfTries {
  readonly endpointId: string;
  /** Real time, as epoch ms: the start of a UTC hour. */
  readonly from: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Tries since `fromReal` by endpoint and hour; hours without a try are left out. */
export async function countTriesByHour(db: Db, fromReal: number): Promise<readonly HourOfTries[]> {
  return readRecords<HourOfTries>(
    db,
    `select d.endpoint_id, ${epochMs("date_trunc('hour', t.real_at, 'UTC')")} as from,
       count(*) filter (where ${IS_DELIVERED}) as delivered, count(*) filter (where not (${IS_DELIVERED})) as failed
     from webhook_tries t join webhook_deliveries d using (delivery_id)
     where t.real_at >= $1
     group by 1, 2 order by 1, 2`,
    [instantToColumn(fromReal)],
  );
}

const IS_DELIVERED = 't.error is null and coalesce(t.status between 200 and 299, false)';

import { numberCursor, type Page, type PageOf, toPage } from '../sql/cursor';
import { type Db, epochMs, instantToColumn, readRecords } from '../sql/statements';
import type { TryRecord } from './deliveries';

/** The delivery of one event to one endpoint, as shown to operators. */
export interface DeliveryRecord {
  readonly deliveryId: number;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** Whether it is a sample, sent on request. */
  readonly isTest: boolean;
  /** Whether it is a replay or a resend. */
  readonly again: boolean;
  /** Real time, like all instants here. */
  readonly createdRealAt: number;
  readonly endedRealAt: number | null;
  readonly nextTryRealAt: number;
  /** Why it is not sent yet; null if it is due, being sent, or ended. */
  readonly waitingFor: WaitingFor | null;
  readonly tries: readonly RecordedTry[];
}

/** `until`: epoch ms. */
export type WaitingFor =
  | { readonly kind: 'endpoint' }
  | { readonly kind: 'event'; readonly eventId: string }
  | { readonly kind: 'time'; readonly until: number };

/** For the delivery `d`: its endpoint is disabled, another one of its subject comes first, or its time has not come. */
const WAITING_FOR = `coalesce(
  (select jsonb_build_object('kind', 'endpoint') from webhook_endpoints w where w.endpoint_id = d.endpoint_id and not w.enabled),
  (
    select jsonb_build_object('kind', 'event', 'eventId', first.event_id) from webhook_deliveries first
    where first.endpoint_id = d.endpoint_id and first.subject = d.subject and first.state = 'pending'
      and (first.rank, first.subject_sequence, first.delivery_id) < (d.rank, d.subject_sequence, d.delivery_id)
    order by first.rank, first.subject_sequence, first.delivery_id limit 1
  ),
  (
    select jsonb_build_object('kind', 'time', 'until', ${epochMs('q.next_try_real_at')}) from webhook_queues q
    where q.endpoint_id = d.endpoint_id and q.subject = d.subject and q.next_try_real_at > clock_timestamp()
  )
)`;

/** The columns of {@link DeliveryRecord}; conditions on `d` and `e` follow. */
const DELIVERIES = `
  select d.delivery_id, d.endpoint_id, d.event_id, e.type, d.state, e.is_test, d.rank > 0 as again, d.created_real_at,
    d.ended_real_at, d.next_try_real_at, case when d.state = 'pending' then ${WAITING_FOR} end as waiting_for,
    coalesce(tries.made, '[]') as tries
  from webhook_deliveries d join merchant_events e using (event_id), lateral (
    select jsonb_agg(jsonb_build_object(
      'at', (extract(epoch from t.real_at) * 1000)::bigint,
      'status', t.status, 'ms', t.ms, 'error', t.error, 'answer', t.answer) order by t.try) as made
    from webhook_tries t where t.delivery_id = d.delivery_id
  ) as tries`;

/** A try; its `answer`, the response body, is kept for 7 days. */
export interface RecordedTry extends Pick<TryRecord, 'status' | 'ms' | 'error' | 'answer'> {
  /** Epoch ms. */
  readonly at: number;
}

export interface DeliveryFilter {
  readonly state?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** HTTP status of the last try. */
  readonly status?: number | undefined;
  /** Real time of its creation, inclusive; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Deliveries to one endpoint, newest first. */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<PageOf<DeliveryRecord>> {
  const rows = await readRecords<DeliveryRecord>(
    db,
    `${DELIVERIES}
     where d.endpoint_id = $1 and ($2::bigint is null or d.delivery_id < $2) and ($4::text is null or d.state = $4)
       and ($5::text[] is null or e.type = any ($5)) and ($6::integer is null or d.last_status = $6)
       and ($7::timestamptz is null or d.created_real_at >= $7) and ($8::timestamptz is null or d.created_real_at < $8)
     order by d.delivery_id desc limit $3`,
    [
      endpointId,
      numberCursor.read(page.cursor),
      page.limit + 1,
      filter.state ?? null,
      filter.types ?? null,
      filter.status ?? null,
      instantToColumn(filter.from ?? null),
      instantToColumn(filter.to ?? null),
    ],
  );
  return toPage(rows, page.limit, ({ deliveryId }) => [deliveryId]);
}

/** The most deliveries that are read of one event; each replay adds one. */
const MAX_PER_EVENT = 200;

/** Deliveries of one event to all endpoints, newest first. */
export async function listDeliveriesOf(db: Db, eventId: string): Promise<readonly DeliveryRecord[]> {
  return readRecords<DeliveryRecord>(
    db,
    `${DELIVERIES} where d.event_id = $1 order by d.delivery_id desc limit ${MAX_PER_EVENT}`,
    [eventId],
  );
}

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

import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { type Instant, toIso } from '../../src/domain/time';
import type { Pool } from '../../src/ledger';

/** The rows of the ledger about a subscription, by the names of their columns. */
export interface Written {
  readonly row: Readonly<Record<string, unknown>>;
  readonly cycles: readonly Readonly<Record<string, unknown>>[];
  readonly entries: readonly Entry[];
  readonly notices: readonly Notice[];
  readonly requests: readonly string[];
}

/** An entry of the audit log. */
export interface Entry {
  readonly type: string;
  readonly actor: string;
  readonly key_id: string | null;
  readonly at: Instant;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Notice {
  readonly notice_id: NoticeId;
  readonly type: string;
  readonly cycle: number | null;
  readonly attempt: number | null;
  readonly state: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly last_error: string | null;
}

/** Everything that deciding or steering may write, to compare it before and after. */
export async function written(pool: Pool, { subscriptionId }: { subscriptionId: SubscriptionId }): Promise<Written> {
  const { rows } = await pool.query<Written>(
    `select to_jsonb(s) - 'needs_attention' || jsonb_build_object('attention', array(
         select i.kind || coalesce(':' || i.cycle, '') from attention_items i
         where i.subscription_id = s.subscription_id and i.source = 'standing' and i.closed_real_at is null
         order by i.since, i.number
       )) as row,
       (select coalesce(jsonb_agg(to_jsonb(c) order by c.cycle), '[]') from cycles c where c.subscription_id = $1) as cycles,
       (
         select coalesce(jsonb_agg(jsonb_build_object(
           'type', e.type, 'actor', e.actor, 'key_id', e.key_id, 'at', (extract(epoch from e.at) * 1000)::bigint, 'data', e.data) order by e.id), '[]')
         from events e where e.subscription_id = $1
       ) as entries,
       (
         select coalesce(jsonb_agg(to_jsonb(n) order by n.created_at, n.notice_id), '[]')
         from notices n where n.subscription_id = $1
       ) as notices,
       (select coalesce(jsonb_agg(change_key order by change_key), '[]') from changes where subscription_id = $1) as requests
     from subscriptions s where s.subscription_id = $1`,
    [subscriptionId],
  );
  if (rows[0] === undefined) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  const { row, cycles, notices, ...rest } = rows[0];
  return { ...rest, row: withIso(row), cycles: cycles.map(withIso), notices: notices.map(withIso) };
}

/** The row with its instants as ISO texts, as in the API. */
function withIso<Row extends object>(row: Row): Row {
  const fields = Object.entries(row).map(([name, value]: [string, unknown]): [string, unknown] => [name, isoOf(value)]);
  return Object.fromEntries(fields) as Row;
}

function isoOf(value: unknown): unknown {
  const isInstant = typeof value === 'string' && /^\d{4,}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(value);
  return isInstant ? toIso(Date.parse(value)) : value;
}

/** What was written in between; entries in their sequence. */
export function since(before: Written, after: Written) {
  const entries = after.entries.slice(before.entries.length);
  return {
    entries,
    types: entries.map(({ type }) => type),
    notices: after.notices.filter(({ notice_id: id }) => before.notices.every((each) => each.notice_id !== id)),
    revisions: Number(after.row['revision']) - Number(before.row['revision']),
  };
}

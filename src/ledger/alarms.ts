import { COLLECTION_WINDOW } from '../domain/collection-window';
import { DAY, HOUR, type Instant } from '../domain/instant';
import { instantToColumn } from './column';
import type { Db } from './db';
import { UNTRIED } from './reports';

/** What somebody should look at, counted as it stands now. */
export interface Alarms {
  /** Matters that wait for a person, by their kind. */
  readonly matters: Readonly<Record<string, number>>;
  /** Sends of authorizations, captures and refunds whose outcome has not been known for an hour of real time. */
  readonly unknownForAnHour: number;
  /** Open cycles whose window closes within 24 hours of business time. */
  readonly windowsClosing: number;
  /** Differences that the last reconciliation found; null where there was none yet. */
  readonly ledgerDifferences: number | null;
}

/** @param realNow real time, epoch ms; `now` is business time */
export async function readAlarms(db: Db, now: Instant, realNow: number): Promise<Alarms> {
  const matters = await db.query<{ kind: string; count: number }>(
    `select split_part(matter, ':', 1) as kind, count(*) as count
     from subscriptions, unnest(attention) as matter
     where standing = 'needs_attention'
     group by 1`,
  );
  const counts = await db.query<{ unknown: number; closing: number; untried: number; differences: number | null }>(
    `select
       (select count(*) from (
          select state, unknown_since_real, sending_real_at from attempts
          union all
          select state, unknown_since_real, sending_real_at from order_sends
        ) as sends
        where state in ('sending', 'unknown', 'unresolved') and coalesce(unknown_since_real, sending_real_at) < $1) as unknown,
       (select count(*) from cycles
        where status in ('collecting', 'dunning', 'unresolved') and collect_by > $2 and collect_by <= $3) as closing,
       (select count(*) from ${UNTRIED} and s.next_due_at <= $2
          and least(s.next_due_at + $4::double precision * interval '1 millisecond', s.end_at) between $2 and $3) as untried,
       (select count(d.run_id)
        from (select run_id from reconciliation_runs where state = 'compared' order by begun_real_at desc limit 1) as last
        left join reconciliation_differences d using (run_id)
        group by last.run_id) as differences`,
    [instantToColumn(realNow - HOUR), instantToColumn(now), instantToColumn(now + DAY), COLLECTION_WINDOW],
  );
  const [row] = counts.rows;
  if (row === undefined) throw new Error('a query of counts answered no row');
  return {
    matters: Object.fromEntries(matters.rows.map(({ kind, count }) => [kind, count])),
    unknownForAnHour: row.unknown,
    windowsClosing: row.closing + row.untried,
    ledgerDifferences: row.differences,
  };
}

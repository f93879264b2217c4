import { DAY, HOUR, type Instant } from '../domain/time';
import { ORPHANED } from '../domain/subscription/pauses';
import { instantToColumn } from './column';
import type { Db } from './db';
import { IS_HALTED } from './halt';
import { ATTEMPTS_IN_DOUBT, CLOSING_WINDOWS, CYCLES_IN_VAIN, ORDERS_IN_DOUBT, ORDERS_IN_VAIN } from './pressing';

/** What somebody should look at, counted as it stands now. */
export interface Alarms {
  /** Matters that wait for a person, by their kind. */
  readonly matters: Readonly<Record<string, number>>;
  /** Sends of authorizations, captures and refunds whose outcome has not been known for an hour of real time. */
  readonly unknownForAnHour: number;
  /** Open cycles and orders of which three sends or more were not answered readably and are not found. */
  readonly sentInVain: number;
  /** Open cycles, and due dates that nobody has tried, whose window closes within 24 hours of business time. */
  readonly windowsClosing: number;
  /** Differences that the last reconciliation found; null where there was none yet. */
  readonly ledgerDifferences: number | null;
  /** Whether all sending is halted. */
  readonly isHalted: boolean;
}

/** @param realNow real time, epoch ms; `now` is business time */
export async function readAlarms(db: Db, now: Instant, realNow: number): Promise<Alarms> {
  const matters = await db.query<{ kind: string; count: number }>(
    `select split_part(matter, ':', 1) as kind, count(*) as count
     from (
       select unnest(attention) as matter from subscriptions where standing = 'needs_attention'
       union all select $1 from payments where orphaned_at is not null
     ) as matters
     group by 1`,
    [ORPHANED],
  );
  const counts = await db.query<{
    unknown: number;
    in_vain: number;
    closing: number;
    differences: number | null;
    halted: boolean;
  }>(
    `select
       (select count(*) from (
          select since from (${ATTEMPTS_IN_DOUBT}) as attempts
          union all
          select since from (${ORDERS_IN_DOUBT}) as orders
        ) as sends where since < $3) as unknown,
       (select count(*) from (${CYCLES_IN_VAIN}) as cycles) + (select count(*) from (${ORDERS_IN_VAIN}) as orders) as in_vain,
       (select count(*) from (${CLOSING_WINDOWS}) as windows) as closing,
       (select count(d.run_id)
        from (select run_id from reconciliation_runs where state = 'compared' order by begun_real_at desc limit 1) as last
        left join reconciliation_differences d using (run_id)
        group by last.run_id) as differences,
       ${IS_HALTED} as halted`,
    [instantToColumn(now), instantToColumn(now + DAY), instantToColumn(realNow - HOUR)],
  );
  const [row] = counts.rows;
  if (row === undefined) throw new Error('a query of counts answered no row');
  return {
    matters: Object.fromEntries(matters.rows.map(({ kind, count }) => [kind, count])),
    unknownForAnHour: row.unknown,
    sentInVain: row.in_vain,
    windowsClosing: row.closing,
    ledgerDifferences: row.differences,
    isHalted: row.halted,
  };
}

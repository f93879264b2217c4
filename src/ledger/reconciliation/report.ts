import type { ComparedPart, ComparedPeriod } from '../../domain/coverage';
import type { Period } from '../../domain/time';
import { type Page, type PageOf, numberCursor, toPage } from '../sql/cursor';
import { instantToColumn, type Db, readRecords, readValue } from '../sql/statements';
import { DIFFERENCE_COLUMNS, type DifferenceRecord } from './runs';

/** A run that has compared everything in its period. */
export interface ComparedRun extends ComparedPeriod {
  readonly runId: string;
  readonly payments: number;
  /** Real time. */
  readonly endedRealAt: number;
}

/** Older runs are left out; far fewer are started within the 90 days for which runs are kept. */
const MAX_RUNS = 1000;

/**
 * The runs that have compared a part of the period, newest first.
 * @param upTo a run id: only runs that ended no later than it, so that all pages of a list are based on the same runs
 */
export async function listComparedRuns(db: Db, { from, to }: Period, upTo: string | null): Promise<ComparedRun[]> {
  return readRecords(
    db,
    `select run_id, period_from as "period.from", period_to as "period.to", payments, started_at, ended_real_at
     from reconciliation_runs
     where state = 'compared' and period_from < $2 and period_to > $1
       and ($3::text is null or ended_real_at <= (select ended_real_at from reconciliation_runs where run_id = $3))
     order by started_real_at desc, run_id desc
     limit $4`,
    [instantToColumn(from), instantToColumn(to), upTo, MAX_RUNS],
  );
}

export type RunPart = ComparedPart<Pick<ComparedRun, 'runId'>>;

/**
 * What the run of each part has found in it. A difference that several runs have found is listed once, as it was found
 * last.
 */
export async function listDifferencesOfParts(
  db: Db,
  parts: readonly RunPart[],
  page: Page,
): Promise<PageOf<DifferenceRecord>> {
  const rows = await readRecords<DifferenceRecord>(
    db,
    `${FOUND_IN_PARTS} select ${DIFFERENCE_COLUMNS} from found where number > $4 order by number limit $5`,
    [...columnsOf(parts), numberCursor.read(page.cursor) ?? -1, page.limit + 1],
  );
  return toPage(rows, page.limit, ({ number }) => [number]);
}

export async function countDifferencesOfParts(db: Db, parts: readonly RunPart[]): Promise<number> {
  return (await readValue(db, `${FOUND_IN_PARTS} select count(*) from found`, columnsOf(parts))) ?? 0;
}

/**
 * A difference belongs to a part if one of its two records does; one without records concerns the whole payment, and belongs to
 * every part.
 */
const FOUND_IN_PARTS = `
  with parts as (
    select * from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as p (run_id, part_from, part_to)
  ), found as (
    select distinct on (d.payment_id, d.difference_key) d.*
    from parts p join reconciliation_differences d using (run_id)
    where (d.ledger_at is null and d.service_at is null)
       or (d.ledger_at >= p.part_from and d.ledger_at < p.part_to)
       or (d.service_at >= p.part_from and d.service_at < p.part_to)
    order by d.payment_id, d.difference_key, d.number desc
  )`;

function columnsOf(parts: readonly RunPart[]): [string[], string[], string[]] {
  return [
    parts.map(({ by }) => by.runId),
    parts.map(({ period }) => instantToColumn(period.from)),
    parts.map(({ period }) => instantToColumn(period.to)),
  ];
}

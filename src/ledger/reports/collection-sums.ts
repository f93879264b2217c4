import { inTransaction, type Pool } from '../sql/database';
import { readValue } from '../sql/statements';

/** Changes added up in one transaction. */
export const SUMMED_AT_ONCE = 5_000;

/**
 * Adds committed changes of cycles and refunds to the sums of their hours, in any number of processes: each takes changes that no
 * other one has taken. A report reads what is left as well, so it is exact before and after.
 * @returns how many changes; {@link SUMMED_AT_ONCE} if there may be more
 */
export function sumCollectionChanges(pool: Pool): Promise<number> {
  return inTransaction(pool, async (db) => (await readValue<number>(db, SUM, [SUMMED_AT_ONCE])) ?? 0);
}

// In the order of the key, so that two processes never wait for each other.
const SUM = `
  with taken as (
    delete from collection_changes where number in (
      select number from collection_changes order by number limit $1 for update skip locked
    )
    returning due_at, status, count, amount
  ), added as (
    insert into collection_sums as s (hour, status, count, amount)
    select date_trunc('hour', due_at, 'UTC'), status, sum(count), sum(amount) from taken group by 1, 2 order by 1, 2
    on conflict (hour, status) do update set count = s.count + excluded.count, amount = s.amount + excluded.amount
  )
  select count(*) from taken`;

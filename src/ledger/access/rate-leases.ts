import { type Lease, LATE_AFTER } from '../../domain/call-permits';
import { HOUR, SECOND } from '../../domain/time';
import { type Db, readRecord, readRecords } from '../sql/statements';

/** The leases as seen by a process. Real time by PostgreSQL's clock, epoch ms. */
export interface SeenLeases {
  readonly at: number;
  readonly leases: readonly Lease[];
  /** Whether a restore was noticed and has not been accepted yet: then sending is halted. */
  readonly isRestored: boolean;
}

/** Real ms after which a lease is removed: longer than a permit is blocked after its owner has died, at any usual cap. */
const REMOVED_AFTER = HOUR;

/** Takes a new lease, and removes those of processes that ended long ago. */
export async function takeRateLease(db: Db, leaseId: string): Promise<void> {
  await db.query(
    `with removed as (
       delete from rate_leases where renewed_at < clock_timestamp() - make_interval(secs => $2)
     )
     insert into rate_leases (lease_id, joined_at, renewed_at) values ($1, clock_timestamp(), clock_timestamp())`,
    [leaseId, REMOVED_AFTER / SECOND],
  );
}

/** @returns false if it is missing or too old to be renewed: a new one must be taken. */
export async function renewRateLease(db: Db, leaseId: string): Promise<boolean> {
  const renewed = await readRecord(
    db,
    `update rate_leases set renewed_at = clock_timestamp()
     where lease_id = $1 and renewed_at > clock_timestamp() - make_interval(secs => $2)
     returning lease_id`,
    [leaseId, LATE_AFTER / SECOND],
  );
  return renewed !== null;
}

export async function readRateLeases(db: Db): Promise<SeenLeases> {
  const seen = await readRecords<{ at: number; isRestored: boolean; lease: Lease | null }>(
    db,
    `select seen.at, exists (select from restore_guard where noticed_at is not null) as is_restored, lease_id as "lease?.id", joined_at as "lease?.joined_at", renewed_at as "lease?.renewed_at"
     from (select clock_timestamp() as at) as seen left join rate_leases on true`,
  );
  const [{ at, isRestored } = { at: NaN, isRestored: false }] = seen;
  return { at, isRestored, leases: seen.flatMap(({ lease }) => lease ?? []) };
}

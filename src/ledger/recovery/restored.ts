import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { type Instant, toIso } from '../../domain/time';
import type { Actor, SignedMark, TrailMark } from '../../domain/audit/event';
import type { Logger } from '../../platform/log';
import { inTransaction } from '../sql/database';
import { expireCursors, skipSequences } from '../webhooks/feed';
import { closePassedNotices } from '../rows/closed-notices';
import { type Db, instantToColumn, readRecord, readValue } from '../sql/statements';
import { endHaltItem, lockHalt, openHaltItem, recordSendingSince } from '../halt/halt';
import { isRestoreNoticed } from '../sql/installation';
import { DUEDAY, insertEvent } from '../audit/entries';

/** One moment, by either clock. */
export interface Moment {
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
}

/** What reports, beside the trail and to people, that all sending is halted. */
interface Noticing extends Moment {
  readonly log?: Logger;
}

/** What the ledger knows of the database that it is in. */
interface Guard {
  readonly identity: string;
  readonly current: string | null;
  readonly noticedIdentity: string | null;
  readonly noticedAt: Instant | null;
}

const GUARD = 'select identity, ledger_identity() as current, noticed_identity, noticed_at from restore_guard';

/**
 * Notes that the ledger was restored, once: in the trail, for people, and in the log; cursors of the merchant's events
 * expire. Where the database is another one than before, nothing was sent since that change either.
 * @param seen what else shows that something is missing; the database itself is always looked at
 * @returns the reason, where it was not noticed before; else null
 */
export async function noticeRestore(pool: Pool, now: Noticing, seen: string | null = null): Promise<string | null> {
  const before = await readGuard(pool);
  if (whyRestored(before, seen) === null) return null;
  const noticed = await inTransaction(pool, async (db) => {
    await lockHalt(db);
    const reason = whyRestored(await readGuard(db), seen);
    if (reason === null) return null;
    await db.query(
      'update restore_guard set noticed_identity = ledger_identity(), noticed_at = $1, noticed_real_at = $2, reason = $3',
      [instantToColumn(now.at), instantToColumn(now.realAt), reason],
    );
    await insertEvent(db, { actor: DUEDAY, at: now.at, subscriptionId: null, type: 'halt.begun', data: { reason } });
    await openHaltItem(db, now.at);
    await expireCursors(db);
    return reason;
  });
  if (noticed !== null) now.log?.error({ reason: noticed }, 'all sending is halted: the ledger was restored');
  return noticed;
}

async function readGuard(db: Db): Promise<Guard> {
  const guard = await readRecord<Guard>(db, GUARD);
  if (guard === null) throw new Error('restore_guard has no row: it has one from its migration on');
  return guard;
}

/** Null where nothing is new. A standby does not say what it is. */
function whyRestored({ identity, current, noticedIdentity, noticedAt }: Guard, seen: string | null): string | null {
  if (current !== null && current !== identity && current !== noticedIdentity) {
    return `the ledger's database is ${current}, and was ${identity} (cluster/timeline/database/table): it was restored, moved or failed over, and may lack what was written last`;
  }
  return noticedAt === null ? seen : null;
}

/** What came of asking whether sending may go on after a restore. */
export type Acceptance =
  | { readonly kind: 'none_stands' }
  | { readonly kind: 'accepted' }
  /** `why`: what is still to be done. */
  | { readonly kind: 'stands'; readonly why: string };

/**
 * Accepts the ledger as it is, once everything was compared with the payment service since the restore was noticed, and no
 * difference waits for a person: from then on sending goes on.
 */
export async function acceptRestored(
  pool: Pool,
  { at, ...actor }: Actor & { readonly at: Instant },
): Promise<Acceptance> {
  return accept(pool, at, actor, COMPARED, whyItStands);
}

/**
 * Accepts a database that was failed over or moved, without comparing: an operator vouches that it has all that was ever
 * confirmed. Where something shows that it lacks some, no operator can.
 */
export async function acceptMoved(
  pool: Pool,
  { at, reason, ...actor }: Actor & { readonly at: Instant; readonly reason: string },
): Promise<Acceptance> {
  return accept(pool, at, actor, `accepted without comparing: ${reason}`, ({ isMoved }) =>
    isMoved ? null : 'the database is the same one, and was seen to lack something: it must be compared',
  );
}

async function accept(
  pool: Pool,
  at: Instant,
  actor: Actor,
  reason: string,
  whyNot: (found: Found) => string | null,
): Promise<Acceptance> {
  if (!(await isRestoreNoticed(pool))) return { kind: 'none_stands' };
  return inTransaction(pool, async (db): Promise<Acceptance> => {
    await lockHalt(db);
    const found = await readRecord<Found>(db, FOUND);
    if (found === null) return { kind: 'none_stands' };
    const why = found.isSame ? whyNot(found) : 'the database has changed once more: run dueday reconcile again';
    if (why !== null) return { kind: 'stands', why };
    await db.query(
      `update restore_guard set identity = noticed_identity, accepted_real_at = clock_timestamp(), noticed_identity = null, noticed_at = null,
         noticed_real_at = null, reason = null`,
    );
    await recordSendingSince(db, at);
    await skipSequences(db);
    const data = { reason, since: toIso(found.noticedAt), by: DUEDAY };
    await insertEvent(db, { ...actor, at, subscriptionId: null, type: 'halt.lifted', data });
    await closePassedNotices(db, { ...actor, at });
    await endHaltItem(db);
    return { kind: 'accepted' };
  });
}

const COMPARED = 'everything was compared with the payment service after the restore, and no difference is left';

interface Found {
  readonly noticedAt: Instant;
  /** As it was when it was noticed. */
  readonly isSame: boolean;
  /** It is another one than was accepted last. */
  readonly isMoved: boolean;
  readonly isCompared: boolean;
  readonly differences: number;
}

/** A comparison of everything begins before the first entry of the trail and ends after the restore. */
const FOUND = `
  select g.noticed_at, g.noticed_identity = ledger_identity() as is_same, g.noticed_identity <> g.identity as is_moved,
    exists (
      select from reconciliation_runs r
      where r.state = 'compared' and r.begun_real_at >= g.noticed_real_at and r.span_to > g.noticed_at
        and r.span_from <= coalesce((select at from events order by id limit 1), g.noticed_at)
    ) as is_compared,
    (select count(*) from attention_items where source = 'difference' and closed_real_at is null) as differences
  from restore_guard g where g.noticed_at is not null`;

function whyItStands({ isCompared, differences }: Found): string | null {
  if (!isCompared)
    return 'not everything was compared since it was noticed: run dueday reconcile without --from and --to';
  if (differences === 0) return null;
  return `${differences} ${differences === 1 ? 'difference waits' : 'differences wait'} for a person (dueday attention list): once they are explained and closed, run dueday halt lift`;
}

/**
 * Of the ledger since its first migration, so that one that was restored has the same. What a workflow brings back is believed
 * only with it: whoever may write to Temporal could else halt all sending.
 */
export async function readMarkSecret(db: Db): Promise<Buffer> {
  const secret = await readValue<Buffer>(db, 'select mark_secret from restore_guard');
  if (secret === null) throw new Error('restore_guard has no secret: it has one from its migration on');
  return secret;
}

export function signMark(secret: Buffer, { epoch, entry }: TrailMark): SignedMark {
  return { epoch, entry, mac: macOf(secret, { epoch, entry }).toString('hex') };
}

export function isGenuineMark(secret: Buffer, mark: SignedMark): boolean {
  const given = Buffer.from(mark.mac ?? '', 'hex');
  const own = macOf(secret, mark);
  return given.length === own.length && timingSafeEqual(given, own);
}

function macOf(secret: Buffer, { epoch, entry }: TrailMark): Buffer {
  return createHmac('sha256', secret).update(`audit log position ${epoch}/${entry}`).digest();
}

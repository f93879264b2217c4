import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { counted } from '../../domain/money';
import { type Instant, toIso } from '../../domain/time';
import type { Actor, SignedMark, AuditPosition } from '../../domain/audit/event';
import type { Logger } from '../../platform/log';
import { inTransaction } from '../sql/database';
import { expireCursors, skipSequences } from '../webhooks/feed';
import { DELIVERING_NOTICE, endUnrecordableItems } from '../attention/unrecordable';
import { closePassedNotices } from '../rows/closed-notices';
import { type Db, instantToColumn, readRecord, readValue } from '../sql/statements';
import { endHaltItem, lockHalt, openHaltItem, recordSendingSince } from '../halt/halt';
import { isRestoreNoticed } from '../sql/installation';
import { DUEDAY, insertEvent } from '../audit/entries';

/** One moment on both clocks. */
export interface Moment {
  /** Business time. */
  readonly at: Instant;
  readonly realAt: number;
}

/** The moment, and the log that also reports that all sending is halted. */
interface Noticing extends Moment {
  readonly log?: Logger;
}

/** What the ledger knows about its database. */
interface Guard {
  readonly identity: string;
  readonly current: string | null;
  readonly noticedIdentity: string | null;
  readonly noticedAt: Instant | null;
}

const GUARD = 'select identity, ledger_identity() as current, noticed_identity, noticed_at from restore_guard';

/**
 * Records once that the ledger was restored: in the audit log, as an attention item, and in the log; cursors of the merchant's
 * events expire.
 * @param seen other evidence that something is missing; the database itself is always checked
 * @returns the reason if it is newly noticed; else null
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
    await insertEvent(db, { actor: DUEDAY, at: now.at, subscriptionId: null, type: 'halt.started', data: { reason } });
    await openHaltItem(db, now.at);
    await expireCursors(db);
    return reason;
  });
  if (noticed !== null) now.log?.error({ reason: noticed }, 'all sending is halted: the ledger was restored');
  return noticed;
}

async function readGuard(db: Db): Promise<Guard> {
  const guard = await readRecord<Guard>(db, GUARD);
  if (guard === null) throw new Error('restore_guard has no row, although its migration creates one');
  return guard;
}

/** Why the ledger counts as restored; null if nothing is new. A standby does not report its identity. */
function whyRestored({ identity, current, noticedIdentity, noticedAt }: Guard, seen: string | null): string | null {
  if (current !== null && current !== identity && current !== noticedIdentity) {
    return `the ledger's database is ${current}, but was ${identity} (cluster/timeline/database/table): it was restored, moved or failed over, and may lack the latest writes`;
  }
  return noticedAt === null ? seen : null;
}

/** The result of accepting a restored ledger. */
export type Acceptance =
  | { readonly kind: 'none_pending' }
  | { readonly kind: 'accepted' }
  /** Sending stays halted. `why`: what must still be done. */
  | { readonly kind: 'still_halted'; readonly why: string };

/**
 * Accepts the ledger once everything was compared with the payment service since the restore was noticed, and no difference
 * waits for an operator: from then on sending continues.
 */
export async function acceptRestored(
  pool: Pool,
  { at, ...actor }: Actor & { readonly at: Instant },
): Promise<Acceptance> {
  return accept(pool, at, actor, COMPARED, whyNotCompared);
}

/**
 * Accepts a database that was failed over or moved, without comparing: an operator vouches that no confirmed write is missing.
 * This is refused if the database is still the same: then other evidence shows that data is missing.
 */
export async function acceptMoved(
  pool: Pool,
  { at, reason, ...actor }: Actor & { readonly at: Instant; readonly reason: string },
): Promise<Acceptance> {
  return accept(pool, at, actor, `accepted without comparing: ${reason}`, ({ isMoved }) =>
    isMoved ? null : 'the database is the same one, but some of its data is missing: it must be compared',
  );
}

async function accept(
  pool: Pool,
  at: Instant,
  actor: Actor,
  reason: string,
  whyNot: (found: Found) => string | null,
): Promise<Acceptance> {
  if (!(await isRestoreNoticed(pool))) return { kind: 'none_pending' };
  return inTransaction(pool, async (db): Promise<Acceptance> => {
    await lockHalt(db);
    const found = await readRecord<Found>(db, FOUND);
    if (found === null) return { kind: 'none_pending' };
    const why = found.isSame ? whyNot(found) : 'the database has changed once more: run dueday reconcile again';
    if (why !== null) return { kind: 'still_halted', why };
    await db.query(
      `update restore_guard set identity = noticed_identity, accepted_real_at = clock_timestamp(), noticed_identity = null, noticed_at = null,
         noticed_real_at = null, reason = null`,
    );
    await recordSendingSince(db, at);
    await skipSequences(db);
    const data = { reason, since: toIso(found.noticedAt), by: DUEDAY };
    await insertEvent(db, { ...actor, at, subscriptionId: null, type: 'halt.lifted', data });
    await endUnrecordableItems(db, DELIVERING_NOTICE, await closePassedNotices(db, { ...actor, at }));
    await endHaltItem(db);
    return { kind: 'accepted' };
  });
}

const COMPARED = 'everything was compared with the payment service after the restore, and no difference is left';

interface Found {
  readonly noticedAt: Instant;
  /** Whether the database is the same as when the restore was noticed. */
  readonly isSame: boolean;
  /** Whether it differs from the one accepted last. */
  readonly isMoved: boolean;
  readonly isCompared: boolean;
  readonly differences: number;
}

/** The period of a comparison of everything begins no later than the first audit entry, and ends after the restore was noticed. */
const FOUND = `
  select g.noticed_at, g.noticed_identity = ledger_identity() as is_same, g.noticed_identity <> g.identity as is_moved,
    exists (
      select from reconciliation_runs r
      where r.state = 'compared' and r.started_real_at >= g.noticed_real_at and r.period_to > g.noticed_at
        and r.period_from <= coalesce((select at from events order by id limit 1), g.noticed_at)
    ) as is_compared,
    (select count(*) from attention_items where source = 'difference' and closed_real_at is null) as differences
  from restore_guard g where g.noticed_at is not null`;

function whyNotCompared({ isCompared, differences }: Found): string | null {
  if (!isCompared)
    return 'not everything was compared since the restore was noticed: run dueday reconcile without --from and --to';
  if (differences === 0) return null;
  return `${counted(differences, 'difference waits', 'differences wait')} for an operator (dueday attention list): once they are explained and closed, run dueday halt lift`;
}

/**
 * The secret for the MAC of audit log positions. The first migration created it, so a restored ledger has the same one. A
 * position from a workflow is trusted only with its MAC: otherwise anyone who can write to Temporal could halt all sending.
 */
export async function readMarkSecret(db: Db): Promise<Buffer> {
  const secret = await readValue<Buffer>(db, 'select mark_secret from restore_guard');
  if (secret === null) throw new Error('restore_guard has no secret, although its migration creates one');
  return secret;
}

export function signMark(secret: Buffer, { epoch, entry }: AuditPosition): SignedMark {
  return { epoch, entry, mac: macOf(secret, { epoch, entry }).toString('base64url') };
}

export function isGenuineMark(secret: Buffer, mark: SignedMark): boolean {
  const given = Buffer.from(mark.mac ?? '', 'base64url');
  const own = macOf(secret, mark);
  return given.length === own.length && timingSafeEqual(given, own);
}

/** The length of a mark's MAC. It is short because each history stores two of them per cycle; 128 bits cannot be guessed. */
const MAC_BYTES = 16;

function macOf(secret: Buffer, { epoch, entry }: AuditPosition): Buffer {
  return createHmac('sha256', secret).update(`audit log position ${epoch}/${entry}`).digest().subarray(0, MAC_BYTES);
}

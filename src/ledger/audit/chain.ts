import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { nextDailyAfter } from '../../domain/subscription/schedule';
import type { Instant } from '../../domain/time';
import { type ChainedEntry, type ChainHead, type Link, linkTo } from '../../domain/audit/chain';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords } from '../sql/statements';
import { DUEDAY, insertEvent, lastEntryId } from './entries';

/** Entries chained by one statement. */
const AT_ONCE = 500;

/** Every column of `events`, as {@link ChainedEntry} names them. */
export const ENTRY_COLUMNS = [
  'id',
  'subscription_id',
  'payment_id',
  'change_key',
  'ordinal',
  'at',
  'recorded_at',
  'actor',
  'key_id',
  'type',
  'data',
] as const;

/** The digest that the domain's functions about the chain take as a parameter, from Node's library. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

const newSalt = () => randomBytes(16).toString('hex');

interface LockedHead extends ChainHead {
  readonly settled: number;
}

/**
 * Appends a link to the chain for each committed audit entry that has none, in the order of ids. One process at a time:
 * a second one leaves the work to the first. An entry that is committed late gets its link then. Ids up to the last one
 * count as settled once every transaction has ended that was writing to the audit log when that id was read.
 * @returns whether there may be more; false also if another process is working on it.
 */
export async function chainAuditLog(pool: Pool): Promise<boolean> {
  return inTransaction(pool, chainLocked, READ_COMMITTED);
}

/** Each statement sees what was committed before it. */
const READ_COMMITTED = 'begin isolation level read committed';

async function chainLocked(db: Db): Promise<boolean> {
  const head = await lockHead(db);
  if (head === null) return false;
  const reached = await lastEntryId(db);
  const writers = await readWriters(db);
  const early = writers.length === 0 ? [] : await append(db, head, head.settled);
  if (await areWriting(db, writers)) {
    await moveHead(db, early.at(-1) ?? head, head.settled);
    return early.length === AT_ONCE;
  }
  // Every transaction that was writing has ended: no more entries will appear up to this id.
  const links = await append(db, early.at(-1) ?? head, head.settled);
  const last = links.at(-1);
  const isMore = last !== undefined && links.length === AT_ONCE;
  await moveHead(db, last ?? early.at(-1) ?? head, isMore ? Math.min(reached, last.entryId) : reached);
  return isMore;
}

function lockHead(db: Db): Promise<LockedHead | null> {
  return readRecord<LockedHead>(
    db,
    `select position, encode(hash, 'hex') as hash, settled from audit_head for update skip locked`,
  );
}

/** Locks that each transaction takes before it draws an id, and holds until its end is visible to all others. */
const WRITING = `locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock'
  and database = (select oid from pg_database where datname = current_database())`;

async function readWriters(db: Db): Promise<readonly string[]> {
  const writers = await readRecords<{ readonly writer: string }>(
    db,
    `select virtualtransaction as writer from pg_locks where ${WRITING}`,
  );
  return writers.map(({ writer }) => writer);
}

async function areWriting(db: Db, writers: readonly string[]): Promise<boolean> {
  if (writers.length === 0) return false;
  const still = new Set(await readWriters(db));
  return writers.some((writer) => still.has(writer));
}

async function append(db: Db, head: ChainHead, settled: number): Promise<readonly Link[]> {
  const entries = await readRecords<ChainedEntry>(
    db,
    `select ${ENTRY_COLUMNS.map((column) => `e.${column}`).join(', ')} from events e
     where e.id > $1 and not exists (select from audit_chain c where c.entry_id = e.id and c.entry_id > $1)
     order by e.id limit ${AT_ONCE}`,
    [settled],
  );
  const links: Link[] = [];
  for (const entry of entries) links.push(linkTo(links.at(-1) ?? head, entry, newSalt, sha256));
  if (links.length === 0) return links;
  await db.query(INSERT_LINKS, [
    links.map(({ position }) => position),
    links.map(({ entryId }) => entryId),
    links.map(({ words }) => jsonToColumn(words)),
    links.map(({ hash }) => hash),
  ]);
  return links;
}

const INSERT_LINKS = `
  insert into audit_chain (position, entry_id, words, hash)
  select position, entry_id, words::jsonb, decode(hash, 'hex')
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as link (position, entry_id, words, hash)`;

async function moveHead(db: Db, { position, hash }: ChainHead, settled: number): Promise<void> {
  const values = [position, hash, settled];
  await db.query(`update audit_head set position = $1, hash = decode($2, 'hex'), settled = $3`, values);
}

/** Pending work for the chain. */
export interface ChainWork {
  /** Whether entries may lack their link. */
  readonly isBehind: boolean;
  /** Business time; null before the daily publication has started. */
  readonly publishedAt: Instant | null;
}

export async function readChainWork(db: Db): Promise<ChainWork> {
  // Compares the last entry, at the end of the index: counting the entries beyond `settled` would make the planner scan them
  // all.
  const work = await readRecord<ChainWork>(
    db,
    'select coalesce((select max(id) from events) > settled, false) as is_behind, published_at from audit_head',
  );
  if (work === null) throw new Error('audit_head has no row: its migration inserts one');
  return work;
}

/** Whether the head of the chain must be published: once a day of business time, when the daily work is due. */
export function isHeadDue({ publishedAt }: Pick<ChainWork, 'publishedAt'>, now: Instant): boolean {
  return publishedAt === null || now >= nextDailyAfter(publishedAt);
}

/**
 * Publishes the chain head as an audit entry and a merchant event if it is due: a copy kept elsewhere cannot be changed from
 * here. The first call only starts the daily schedule.
 * @param now business time
 * @returns the published head; null if none was published: it is not due, the chain is empty, this was the first call,
 * or another process is working on the chain.
 */
export async function publishHead(pool: Pool, now: Instant): Promise<ChainHead | null> {
  return inTransaction(pool, async (db) => {
    const head = await readRecord<ChainHead & Pick<ChainWork, 'publishedAt'>>(
      db,
      `select position, encode(hash, 'hex') as hash, published_at from audit_head for update skip locked`,
    );
    if (head === null || !isHeadDue(head, now)) return null;
    await db.query('update audit_head set published_at = $1', [instantToColumn(now)]);
    if (head.publishedAt === null || head.position === 0) return null;
    const { position, hash } = head;
    const data = { entries: position, head: hash };
    await insertEvent(db, { subscriptionId: null, at: now, actor: DUEDAY, type: 'audit.head', data });
    return { position, hash };
  });
}

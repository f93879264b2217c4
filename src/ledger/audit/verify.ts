import type { Pool } from 'pg';
import {
  CHAIN_BEGINNING,
  type ChainedEntry,
  type ChainFault,
  type ChainHead,
  type FollowedChain,
  followLink,
  type Link,
} from '../../domain/audit/chain';
import { type Db, readRecord, readRecords } from '../sql/statements';
import { ENTRY_COLUMNS, sha256 } from './chain';

/** What following the whole chain came to. */
export interface TrailVerdict {
  /** Links that were followed. */
  readonly entries: number;
  /** The hash of the last one, 64 zeros where there is none. */
  readonly head: string;
  readonly faults: number;
  /** Entries that have lost words to an erasure or a redaction: of these, words cannot be compared. */
  readonly withoutWords: number;
  /** Entries that are so young that they have no link yet. */
  readonly unchained: number;
}

/** Links, and entries, that are read at once. */
const AT_ONCE = 1_000;

/**
 * Holds the trail against its chain from the first link to the last, a page at a time; entries written until its end are
 * followed too.
 * @param published a hash that left the house as the head; null where none is asked for
 * @param report hears of each fault as it is found
 */
export async function verifyTrail(
  pool: Pool,
  published: string | null,
  report: (fault: ChainFault) => void,
): Promise<TrailVerdict> {
  let [faults, withoutWords] = [0, 0];
  const tell = (fault: ChainFault) => {
    faults += 1;
    report(fault);
  };
  const known = await readHead(pool);
  const missing = new Set([known.hash, published ?? known.hash].filter((hash) => hash !== CHAIN_BEGINNING.hash));
  let place: FollowedChain = CHAIN_BEGINNING;
  let last: string = CHAIN_BEGINNING.hash;
  for await (const { entry, ...link } of everyLink(pool)) {
    const followed = followLink(place, link, entry, sha256);
    followed.faults.forEach(tell);
    place = followed.place;
    last = link.hash;
    missing.delete(last);
    if (Object.values(link.words).some(({ salt }) => salt === undefined)) withoutWords += 1;
  }
  for (const hash of missing) tell({ entryId: null, text: `the head ${hash} is not in the chain` });
  const unchained = await findUnchained(pool, tell);
  return { entries: place.position, head: last, faults, withoutWords, unchained };
}

/** Before the links are read: those that are appended during the reading stand behind it. */
async function readHead(db: Db): Promise<ChainHead> {
  const head = await readRecord<ChainHead>(db, `select position, encode(hash, 'hex') as hash from trail_head`);
  if (head === null) throw new Error('the ledger has no row in trail_head: its migration made one');
  return head;
}

interface LinkOnRecord extends Link {
  /** Null where the trail has no such entry. */
  readonly entry: ChainedEntry | null;
}

async function* everyLink(db: Db): AsyncGenerator<LinkOnRecord> {
  for (let after = 0; ;) {
    const links: readonly LinkOnRecord[] = await readRecords<LinkOnRecord>(db, LINKS, [after]);
    const last = links.at(-1);
    if (last === undefined) return;
    yield* links;
    after = last.position;
  }
}

const LINKS = `
  select c.position, c.entry_id, c.words, encode(c.hash, 'hex') as hash,
    ${ENTRY_COLUMNS.map((column) => `e.${column} as "entry?.${column}"`).join(', ')}
  from trail_chain c left join events e on e.id = c.entry_id
  where c.position > $1 order by c.position limit ${AT_ONCE}`;

/** Entries that count as chained and have no link are faults; younger ones are counted. */
async function findUnchained(db: Db, tell: (fault: ChainFault) => void): Promise<number> {
  let [unchained, after] = [0, 0];
  for (;;) {
    const page = await readRecords<{ readonly id: number; readonly isChained: boolean; readonly isSettled: boolean }>(
      db,
      `select e.id, c.entry_id is not null as is_chained, e.id <= h.settled as is_settled
       from (select id from events where id > $1 order by id limit ${AT_ONCE}) as e
         cross join trail_head h left join trail_chain c on c.entry_id = e.id
       order by e.id`,
      [after],
    );
    for (const { id, isChained, isSettled } of page) {
      if (isChained) continue;
      if (isSettled) tell({ entryId: id, text: 'it is not in the chain' });
      else unchained += 1;
    }
    const last = page.at(-1);
    if (last === undefined) return unchained;
    after = last.id;
  }
}

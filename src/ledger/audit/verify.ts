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

/** The result of verifying the whole chain. */
export interface AuditVerdict {
  /** Links that were checked, without missing ones. */
  readonly entries: number;
  /** The hash of the last link; 64 zeros if there is none. */
  readonly head: string;
  readonly faults: number;
  /** Entries that have lost texts to an erasure or a redaction: their texts cannot be compared. */
  readonly withoutWords: number;
  /** Entries too young to have a link yet. */
  readonly unchained: number;
}

/** Links, or entries, read per page. */
const AT_ONCE = 1_000;

/**
 * Verifies the audit log against its chain from the first link to the last, page by page; entries written meanwhile are
 * verified too.
 * @param published a hash that was published as the head: a fault if no link has it; null if none is to be checked
 * @param report is called with each fault as it is found
 */
export async function verifyAuditLog(
  pool: Pool,
  published: string | null,
  report: (fault: ChainFault) => void,
): Promise<AuditVerdict> {
  let [entries, faults, withoutWords] = [0, 0, 0];
  const reportFault = (fault: ChainFault) => {
    faults += 1;
    report(fault);
  };
  const known = await readHead(pool);
  const missing = new Set([known.hash, published ?? known.hash].filter((hash) => hash !== CHAIN_BEGINNING.hash));
  let position: FollowedChain = CHAIN_BEGINNING;
  let last: string = CHAIN_BEGINNING.hash;
  for await (const { entry, ...link } of everyLink(pool)) {
    entries += 1;
    const followed = followLink(position, link, entry, sha256);
    followed.faults.forEach(reportFault);
    position = followed.head;
    last = link.hash;
    missing.delete(last);
    if (Object.values(link.words).some(({ salt }) => salt === undefined)) withoutWords += 1;
  }
  for (const hash of missing) reportFault({ entryId: null, text: `the head ${hash} is not in the chain` });
  const unchained = await findUnchained(pool, reportFault);
  return { entries, head: last, faults, withoutWords, unchained };
}

/** Read before the links: those appended during the verification come after it. */
async function readHead(db: Db): Promise<ChainHead> {
  const head = await readRecord<ChainHead>(db, `select position, encode(hash, 'hex') as hash from audit_head`);
  if (head === null) throw new Error('audit_head has no row: its migration inserts one');
  return head;
}

interface RecordedLink extends Link {
  /** Null if the audit log has no such entry. */
  readonly entry: ChainedEntry | null;
}

async function* everyLink(db: Db): AsyncGenerator<RecordedLink> {
  for (let after = 0; ;) {
    const links: readonly RecordedLink[] = await readRecords<RecordedLink>(db, LINKS, [after]);
    const last = links.at(-1);
    if (last === undefined) return;
    yield* links;
    after = last.position;
  }
}

const LINKS = `
  select c.position, c.entry_id, c.words, encode(c.hash, 'hex') as hash,
    ${ENTRY_COLUMNS.map((column) => `e.${column} as "entry?.${column}"`).join(', ')}
  from audit_chain c left join events e on e.id = c.entry_id
  where c.position > $1 order by c.position limit ${AT_ONCE}`;

/** Entries that should be chained but have no link are faults; younger ones are counted. */
async function findUnchained(db: Db, reportFault: (fault: ChainFault) => void): Promise<number> {
  let [unchained, after] = [0, 0];
  for (;;) {
    const page = await readRecords<{
      readonly id: number;
      readonly isChained: boolean;
      readonly mustHaveLink: boolean;
    }>(
      db,
      `select e.id, c.entry_id is not null as is_chained, e.id <= h.settled as must_have_link
       from (select id from events where id > $1 order by id limit ${AT_ONCE}) as e
         cross join audit_head h left join audit_chain c on c.entry_id = e.id
       order by e.id`,
      [after],
    );
    for (const { id, isChained, mustHaveLink } of page) {
      if (isChained) continue;
      if (mustHaveLink) reportFault({ entryId: id, text: 'it is not in the chain' });
      else unchained += 1;
    }
    const last = page.at(-1);
    if (last === undefined) return unchained;
    after = last.id;
  }
}

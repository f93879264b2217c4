/**
 * The hash chain over the audit log. Each entry has a link, whose hash covers the hash of the previous link, the entry's position
 * and its content: an entry that was changed, removed or moved no longer matches. Free text and metadata enter the hash as salted
 * digests, so that they can be removed, with their salts, without breaking the chain.
 */
import { canonical } from '../canonical';
import type { Instant } from '../time';
import type { EventData } from './event';

/** SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export type Digest = (text: string) => string;

/** An audit entry with every column of its row in the ledger. */
export interface ChainedEntry {
  readonly id: number;
  readonly subscriptionId: string | null;
  readonly paymentId: string | null;
  readonly changeKey: string | null;
  readonly ordinal: number;
  readonly at: Instant;
  /** Real time. */
  readonly recordedAt: number;
  readonly actor: string;
  readonly keyId: string | null;
  readonly type: string;
  readonly data: EventData;
}

/** The digest of a value that may be removed: a text, or pairs of metadata. */
export interface Seal {
  /** Absent once the value was removed: without the salt, it cannot be guessed from the digest. */
  readonly salt?: string;
  readonly digest: string;
}

/** Seals by field of the entry's data. */
export type Seals = Readonly<Record<string, Seal>>;

export interface Link {
  /** 1 for the first, without gaps. */
  readonly position: number;
  readonly entryId: number;
  readonly words: Seals;
  readonly hash: string;
}

/** Fields of an entry's data that may contain free text of an operator or of another program. */
export const WORD_FIELDS = ['reason', 'evidence', 'note', 'message', 'description', 'error', 'assignee'] as const;

/** Fields of an entry's data that may be a merchant's metadata, before and after a change. */
const METADATA_FIELDS = ['was', 'is'] as const;

/** What replaces removed text: after the erasure of a payer, or after a redaction. */
const REMOVED: readonly unknown[] = ['[erased]', '[redacted]'];

/** The head of a chain: its number of links, and the hash of the last one. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** The head before the first link. */
export const CHAIN_BEGINNING: ChainHead = { position: 0, hash: '0'.repeat(64) };

/** The link that appends an entry to the head. @param newSalt returns a new random text on each call */
export function linkTo(head: ChainHead, entry: ChainedEntry, newSalt: () => string, digest: Digest): Link {
  const words = sealWords(entry.data, newSalt, digest);
  const position = head.position + 1;
  return { position, entryId: entry.id, words, hash: hashOf(head.hash, position, entry, words, digest) };
}

function sealWords(data: EventData, newSalt: () => string, digest: Digest): Seals {
  const said = [
    ...WORD_FIELDS.filter((field) => typeof data[field] === 'string'),
    ...METADATA_FIELDS.filter((field) => isObject(data[field])),
  ];
  const seals = said.map((field) => {
    const salt = newSalt();
    return [field, { salt, digest: digestOfWords(salt, data[field], digest) }] as const;
  });
  return Object.fromEntries(seals);
}

function isObject(said: unknown): boolean {
  return typeof said === 'object' && said !== null && !Array.isArray(said);
}

function digestOfWords(salt: string, said: unknown, digest: Digest): string {
  return digest(canonical([salt, said]));
}

function hashOf(before: string, position: number, entry: ChainedEntry, words: Seals, digest: Digest): string {
  const content = Object.fromEntries(Object.entries(entry.data).filter(([field]) => !Object.hasOwn(words, field)));
  const digests = Object.fromEntries(Object.entries(words).map(([field, seal]) => [field, seal.digest]));
  return digest(canonical([before, position, { ...entry, data: content }, digests]));
}

/** How far a chain was followed. If the hash is null, the next link's hash is not checked. */
export interface FollowedChain {
  readonly position: number;
  readonly hash: string | null;
}

/** A fault in the chain, as text; `entry` is null if it is unknown. */
export interface ChainFault {
  readonly entryId: number | null;
  readonly text: string;
}

export interface FollowedLink {
  readonly head: FollowedChain;
  readonly faults: readonly ChainFault[];
}

/**
 * Follows the chain by one link, in order of position.
 * @param entry the audit entry with the link's id; null if there is none
 */
export function followLink(head: FollowedChain, link: Link, entry: ChainedEntry | null, digest: Digest): FollowedLink {
  const { position, entryId, hash } = link;
  const gap = position === head.position + 1 ? [] : [missingLinks(head.position + 1, position - 1)];
  const before = gap.length > 0 ? null : head.hash;
  const texts = entry === null ? ['it is missing from the audit log'] : faultsOf(before, link, entry, digest);
  const faults = texts.map((text) => ({ entryId, text: `${text} (position ${position})` }));
  return { head: { position, hash }, faults: [...gap, ...faults] };
}

function missingLinks(from: number, to: number): ChainFault {
  const which = from === to ? `position ${from} is` : `positions ${from} to ${to} are`;
  return { entryId: null, text: `${which} missing from the chain` };
}

function faultsOf(before: string | null, link: Link, entry: ChainedEntry, digest: Digest): string[] {
  const { position, words, hash } = link;
  const faults = Object.entries(words).flatMap(([field, seal]) =>
    isSealed(entry.data[field], seal, digest) ? [] : [`its ${field} was changed`],
  );
  if (before !== null && hashOf(before, position, entry, words, digest) !== hash)
    faults.push('its content or its position in the chain was changed');
  return faults;
}

function isSealed(said: unknown, { salt, digest: sealed }: Seal, digest: Digest): boolean {
  if (salt === undefined) return REMOVED.includes(said);
  return digestOfWords(salt, said, digest) === sealed;
}

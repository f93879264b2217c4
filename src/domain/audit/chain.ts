/**
 * The hash chain over the trail. Each entry has a link, whose hash is that of the link before, of the entry's place and of all
 * that it says: what was changed, taken out or put elsewhere no longer fits. Words count by a salted digest each, so that they
 * can be removed, with their salts, and the chain stands.
 */
import { canonical } from '../canonical';
import type { Instant } from '../time';
import type { EventData } from './event';

/** SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export type Digest = (text: string) => string;

/** An entry of the trail with every column that the ledger has of it. */
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

/** By which words are known that may be removed. */
export interface Seal {
  /** Left out once the words were removed: without it the digest cannot be tried for them. */
  readonly salt?: string;
  readonly digest: string;
}

/** By the field of the entry's data. */
export type Seals = Readonly<Record<string, Seal>>;

export interface Link {
  /** 1 for the first, without gaps. */
  readonly position: number;
  readonly entryId: number;
  readonly words: Seals;
  readonly hash: string;
}

/** Fields of an entry's data that may hold what a person typed, or another program said. */
export const WORD_FIELDS = ['reason', 'evidence', 'note', 'message', 'description', 'error', 'assignee'] as const;

/** What stands in place of words: of those that named a payer who was erased, of those that a person had removed. */
const REMOVED: readonly unknown[] = ['[erased]', '[redacted]'];

/** Where a chain has come to: how many links it has, and the hash of the last one. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** Before the first link. */
export const CHAIN_BEGINNING: ChainHead = { position: 0, hash: '0'.repeat(64) };

/** The link of an entry behind the head. @param newSalt a random text, each time another one */
export function linkTo(head: ChainHead, entry: ChainedEntry, newSalt: () => string, digest: Digest): Link {
  const words = sealWords(entry.data, newSalt, digest);
  const position = head.position + 1;
  return { position, entryId: entry.id, words, hash: hashOf(head.hash, position, entry, words, digest) };
}

function sealWords(data: EventData, newSalt: () => string, digest: Digest): Seals {
  const said = WORD_FIELDS.flatMap((field) => {
    const text = data[field];
    if (typeof text !== 'string') return [];
    const salt = newSalt();
    return [[field, { salt, digest: digestOfWords(salt, text, digest) }] as const];
  });
  return Object.fromEntries(said);
}

function digestOfWords(salt: string, text: string, digest: Digest): string {
  return digest(canonical([salt, text]));
}

function hashOf(before: string, position: number, entry: ChainedEntry, words: Seals, digest: Digest): string {
  const content = Object.fromEntries(Object.entries(entry.data).filter(([field]) => !Object.hasOwn(words, field)));
  const digests = Object.fromEntries(Object.entries(words).map(([field, seal]) => [field, seal.digest]));
  return digest(canonical([before, position, { ...entry, data: content }, digests]));
}

/** How far a chain was followed. The hash is null behind links that are missing. */
export interface FollowedChain {
  readonly position: number;
  readonly hash: string | null;
}

/** What is wrong at one place, in words; null for an entry where none is known. */
export interface ChainFault {
  readonly entryId: number | null;
  readonly text: string;
}

export interface FollowedLink {
  readonly place: FollowedChain;
  readonly faults: readonly ChainFault[];
}

/**
 * Follows the chain by one link, in order of position.
 * @param entry what the trail has under the link's id; null where it has none
 */
export function followLink(place: FollowedChain, link: Link, entry: ChainedEntry | null, digest: Digest): FollowedLink {
  const { position, entryId, hash } = link;
  const gap = position === place.position + 1 ? [] : [missingLinks(place.position + 1, position - 1)];
  const before = gap.length > 0 ? null : place.hash;
  const texts = entry === null ? ['it is missing from the trail'] : faultsOf(before, link, entry, digest);
  const faults = texts.map((text) => ({ entryId, text: `${text} (position ${position})` }));
  return { place: { position, hash }, faults: [...gap, ...faults] };
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
    faults.push('what it says, or its place in the chain, was changed');
  return faults;
}

function isSealed(said: unknown, { salt, digest: sealed }: Seal, digest: Digest): boolean {
  if (salt === undefined) return REMOVED.includes(said);
  return typeof said === 'string' && digestOfWords(salt, said, digest) === sealed;
}

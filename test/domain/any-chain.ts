import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  CHAIN_BEGINNING,
  type ChainedEntry,
  type ChainFault,
  type FollowedChain,
  followLink,
  type Link,
  linkTo,
  WORD_FIELDS,
} from '../../src/domain/audit/chain';

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** A link of the chain with its entry; null if the entry is gone. */
export interface Chained {
  readonly link: Link;
  readonly entry: ChainedEntry | null;
}

const anyId = fc.oneof(fc.constant(null), fc.string({ maxLength: 4 }));
const anyWords = fc.record(
  Object.fromEntries(WORD_FIELDS.map((field) => [field, fc.oneof(fc.string(), fc.constant(null))])),
  { requiredKeys: [] },
);
/** Data as the ledger returns it, after a round trip through JSON. */
const anyData = fc
  .tuple(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()), anyWords)
  .map(([data, words]) => JSON.parse(JSON.stringify({ ...data, ...words })) as ChainedEntry['data']);

export const anyEntry = (id: number): fc.Arbitrary<ChainedEntry> =>
  fc.record({
    id: fc.constant(id),
    subscriptionId: anyId,
    paymentId: anyId,
    changeKey: anyId,
    ordinal: fc.nat(3),
    at: fc.nat(),
    recordedAt: fc.nat(),
    actor: fc.string({ maxLength: 4 }),
    keyId: anyId,
    type: fc.constantFrom('subscription.paused', 'cycle.collected'),
    data: anyData,
  });

/** Entries with their links, their ids not in the order of the chain. */
export function anyChain(length: number): fc.Arbitrary<readonly Chained[]> {
  return fc.tuple(...Array.from({ length }, (_, nth) => anyEntry(100 - nth))).map((entries) => {
    let head = CHAIN_BEGINNING;
    let salts = 0;
    return entries.map((entry) => {
      const link = linkTo(head, entry, () => `salt ${(salts += 1)}`, sha256);
      head = link;
      return { link, entry };
    });
  });
}

/** Follows a chain from its beginning. @returns where it ends, and its faults */
export function follow(chain: readonly Chained[]): {
  readonly head: FollowedChain;
  readonly faults: readonly ChainFault[];
} {
  const faults: ChainFault[] = [];
  let head: FollowedChain = CHAIN_BEGINNING;
  for (const { link, entry } of chain) {
    const followed = followLink(head, link, entry, sha256);
    faults.push(...followed.faults);
    head = followed.head;
  }
  return { head, faults };
}

/** The same chain with one of its pairs as `change` makes it. */
export function changed(chain: readonly Chained[], at: number, change: (pair: Chained) => Chained): readonly Chained[] {
  return chain.map((pair, index) => (index === at ? change(pair) : pair));
}

export const entryOf = ({ entry }: Chained): ChainedEntry => {
  if (entry === null) throw new Error('the pair has no entry');
  return entry;
};

import fc from 'fast-check';
import { CHAIN_BEGINNING, type ChainedEntry, linkTo } from '../../src/domain/audit/chain';
import { anyChain, anyEntry, type Chained, changed, entryOf, follow, sha256 } from './any-chain';

const LENGTH = 5;
const anyPosition = fc.nat(LENGTH - 1);

test('an unchanged audit chain has no fault and ends at its last link', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), (chain) => {
      const last = chain.at(-1)!.link;
      expect(follow(chain)).toEqual({ head: { position: last.position, hash: last.hash }, faults: [] });
    }),
  );
});

const FIELDS = Object.keys({
  id: 0,
  subscriptionId: 0,
  paymentId: 0,
  changeKey: 0,
  ordinal: 0,
  at: 0,
  recordedAt: 0,
  actor: 0,
  keyId: 0,
  type: 0,
} satisfies Record<Exclude<keyof ChainedEntry, 'data'>, 0>);

test.each(FIELDS)('a changed %s of an audit entry is found, and named', (field) => {
  fc.assert(
    fc.property(anyChain(LENGTH), anyPosition, (chain, at) => {
      const forged = changed(chain, at, (pair) => ({ ...pair, entry: { ...entryOf(pair), [field]: 'forged' } }));
      const { entryId, position } = chain[at]!.link;
      const text = `its content or its position in the chain was changed (position ${position})`;
      expect(follow(forged).faults).toEqual([{ entryId, text }]);
    }),
  );
});

test('a changed, a new and a missing field in the data of an audit entry are found', () => {
  fc.assert(
    fc.property(
      anyChain(LENGTH),
      anyPosition,
      fc.string({ maxLength: 5 }),
      fc.jsonValue(),
      (chain, at, field, value) => {
        const { data } = entryOf(chain[at]!);
        const { [field]: before, ...without } = data;
        const becomes = JSON.parse(JSON.stringify({ ...data, [field]: value })) as ChainedEntry['data'];
        fc.pre(JSON.stringify(becomes[field]) !== JSON.stringify(before));
        const put = (entryData: ChainedEntry['data']) =>
          changed(chain, at, (pair) => ({ ...pair, entry: { ...entryOf(pair), data: entryData } }));
        expect(follow(put(becomes)).faults).not.toEqual([]);
        if (before !== undefined) expect(follow(put(without)).faults).not.toEqual([]);
      },
    ),
  );
});

const saying = (words: string) =>
  anyChain(LENGTH).chain((chain) =>
    anyPosition.map((at) => {
      const entries = chain.map((pair, index) =>
        index === at ? { ...entryOf(pair), data: { ...entryOf(pair).data, reason: words } } : entryOf(pair),
      );
      let head = CHAIN_BEGINNING;
      return {
        at,
        chain: entries.map((entry) => {
          const link = linkTo(head, entry, () => 'a salt', sha256);
          head = link;
          return { link, entry };
        }),
      };
    }),
  );
const withReason = (pair: Chained, reason: string): Chained => {
  const entry = entryOf(pair);
  return { ...pair, entry: { ...entry, data: { ...entry.data, reason } } };
};
const withoutSalt = ({ link, entry }: Chained): Chained => {
  const { digest } = link.words['reason']!;
  return { link: { ...link, words: { ...link.words, reason: { digest } } }, entry };
};

test('a changed text of an audit entry is found and named', () => {
  fc.assert(
    fc.property(saying('as Erika asked'), ({ chain, at }) => {
      const { entryId, position } = chain[at]!.link;
      const forged = changed(chain, at, (pair) => withReason(pair, 'as Erich asked'));
      expect(follow(forged).faults).toEqual([{ entryId, text: `its reason was changed (position ${position})` }]);
    }),
  );
});

test.each(['[erased]', '[redacted]'])('texts replaced by %s without their salt leave the chain valid', (shown) => {
  fc.assert(
    fc.property(saying('as Erika asked'), ({ chain, at }) => {
      const removed = changed(chain, at, (pair) => withoutSalt(withReason(pair, shown)));
      expect(follow(removed).faults).toEqual([]);
    }),
  );
});

test('a changed text of an audit entry is found even if its salt was removed', () => {
  fc.assert(
    fc.property(saying('as Erika asked'), ({ chain, at }) => {
      const forged = changed(chain, at, (pair) => withoutSalt(withReason(pair, 'as Erich asked')));
      expect(follow(forged).faults).toHaveLength(1);
    }),
  );
});

test('the digest of a text differs between audit entries because of its salt', () => {
  const entry = { ...fc.sample(anyEntry(1), { numRuns: 1, seed: 1 })[0]!, data: { reason: 'yes' } };
  const [one, other] = ['first', 'second'].map(
    (salt) => linkTo(CHAIN_BEGINNING, entry, () => salt, sha256).words['reason']?.digest,
  );
  expect(one).not.toBe(other);
  expect([one, other]).not.toContain(sha256('yes'));
});

test('a missing audit entry is found, and named', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), anyPosition, (chain, at) => {
      const { entryId, position } = chain[at]!.link;
      const { faults } = follow(changed(chain, at, ({ link }) => ({ link, entry: null })));
      expect(faults).toEqual([{ entryId, text: `it is missing from the audit log (position ${position})` }]);
    }),
  );
});

test('a missing link of the audit chain is found, and the links after it are still checked', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), fc.nat(LENGTH - 2), (chain, at) => {
      const { position } = chain[at]!.link;
      const { faults, head } = follow(chain.filter((_, index) => index !== at));
      expect(faults).toEqual([{ entryId: null, text: `position ${position} is missing from the chain` }]);
      expect(head.position).toBe(LENGTH);
    }),
  );
});

test('two audit entries that were exchanged are found', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), anyPosition, anyPosition, (chain, one, other) => {
      fc.pre(one !== other);
      const swapped = chain.map(({ link }, index) => {
        const from = index === one ? other : index === other ? one : index;
        return { link: { ...link, entryId: chain[from]!.link.entryId }, entry: chain[from]!.entry };
      });
      expect(follow(swapped).faults.length).toBeGreaterThanOrEqual(2);
    }),
  );
});

test('a changed link of the audit chain is found', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), anyPosition, (chain, at) => {
      const hash = sha256('forged');
      const forged = changed(chain, at, ({ link, entry }) => ({ link: { ...link, hash }, entry }));
      expect(follow(forged).faults[0]?.entryId).toBe(chain[at]!.link.entryId);
    }),
  );
});

test('an audit log that was chained again from a changed entry on has another head', () => {
  fc.assert(
    fc.property(anyChain(LENGTH), anyPosition, (chain, at) => {
      let head = CHAIN_BEGINNING;
      for (const [index, pair] of chain.entries()) {
        const entry = index === at ? { ...entryOf(pair), actor: 'forged by eve' } : entryOf(pair);
        head = linkTo(head, entry, () => 'salt', sha256);
      }
      expect(head.hash).not.toBe(chain.at(-1)!.link.hash);
    }),
  );
});

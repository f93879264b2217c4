import fc from 'fast-check';
import {
  framesOf,
  LATE_AFTER,
  type Lease,
  nextStretch,
  RENEW_EVERY,
  sharersAt,
  type Stretch,
  VALID_FOR,
} from '../../src/domain/call-frames';
import { SECOND } from '../../src/domain/time';

/** Epoch ms at which everything here begins. */
const START = Date.parse('2027-01-31T10:00:00.000Z');
const JITTER = 300;

/** Leases that have been renewed all along, and still are. */
const steady = (...ids: string[]): Lease[] =>
  ids.map((id) => ({ id, joinedAt: START - 60 * SECOND, renewedAt: START + 60 * SECOND }));

function stretchesOf(cap: number, leases: readonly Lease[], id: string, span: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = START; ;) {
    const next = nextStretch(framesOf(cap), leases, id, { from, before: START + span });
    if (next === null) return stretches;
    stretches.push(next);
    from = next.until;
  }
}

/** The most instants that any stretch of so many ms holds. */
function mostWithin(instants: readonly number[], ms: number): number {
  const sorted = [...instants].sort((one, other) => one - other);
  return Math.max(0, ...sorted.map((at, index) => sorted.slice(index).filter((each) => each < at + ms).length));
}

const caps = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.05, max: 60, noNaN: true }));

test('in no second, or time of one call, more arrive than the cap allows, however they leave and travel', () => {
  fc.assert(
    fc.property(caps, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat(1000)), (cap, processes, lots) => {
      const ids = Array.from({ length: processes }, (_, index) => `p${index}`);
      const window = Math.max(1, 1 / cap) * SECOND;
      const draw = (most: number) => (most * (lots.next().value as number)) / 1001;
      const arrivals = ids.flatMap((id) =>
        stretchesOf(cap, steady(...ids), id, 4 * window).flatMap(({ from, until, calls }) =>
          Array.from({ length: calls }, () => from + draw(until - from) + draw(JITTER)),
        ),
      );
      expect(mostWithin(arrivals, window)).toBeLessThanOrEqual(Math.max(1, cap));
    }),
    { numRuns: 60 },
  );
});

test.each([
  [10, 1, 7],
  [10, 3, 7],
  [50, 3, 33],
  [0.5, 1, 0.4],
])('of %d calls a second %d processes make %d or more', (cap, processes, least) => {
  const ids = Array.from({ length: processes }, (_, index) => `p${index}`);
  const made = ids.flatMap((id) => stretchesOf(cap, steady(...ids), id, 60 * SECOND));
  expect(made.reduce((sum, { calls }) => sum + calls, 0) / 60).toBeGreaterThanOrEqual(least);
  const shares = ids.map((id) => made.length / stretchesOf(cap, steady(...ids), id, 60 * SECOND).length);
  for (const share of shares) expect(share).toBeCloseTo(processes, 0);
});

test('more processes than calls a second: each has its turn, all the same', () => {
  const ids = Array.from({ length: 25 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  for (const id of ids) expect(stretchesOf(5, steady(...ids), id, 60 * SECOND).length).toBeGreaterThan(5);
});

test('a newcomer has nothing until all have seen it; who renews no more counts for six seconds', () => {
  const lease = { id: 'new', joinedAt: START, renewedAt: START };
  expect(sharersAt([lease], START + VALID_FOR)).toEqual([]);
  expect(sharersAt([lease], START + VALID_FOR + SECOND / 2)).toEqual(['new']);
  expect(sharersAt([lease], START + 6 * SECOND - 1)).toEqual(['new']);
  expect(sharersAt([lease], START + 6 * SECOND)).toEqual([]);
});

/** A process that joins, renews at intervals as drawn, and dies; what is too late to be renewed is joined anew. */
interface Process {
  readonly name: string;
  readonly looks: readonly number[];
}

interface Row extends Lease {
  /** Instants of renewal, the first of them that of joining. */
  readonly renewals: readonly number[];
}

function rowsOf({ name, looks }: Process): Row[] {
  const rows: Row[] = [];
  for (const at of looks) {
    const last = rows.at(-1);
    if (last !== undefined && at - last.renewals.at(-1)! < LATE_AFTER) {
      rows[rows.length - 1] = { ...last, renewedAt: at, renewals: [...last.renewals, at] };
    } else rows.push({ id: `${name}.${rows.length}`, joinedAt: at, renewedAt: at, renewals: [at] });
  }
  return rows;
}

/**
 * The table as a process sees it at an instant, where what was written so lately that its commit hangs is not seen yet.
 */
function seenAt(rows: readonly Row[], at: number, hangs: number): Lease[] {
  return rows.flatMap(({ id, joinedAt, renewals }) => {
    const seen = renewals.filter((each) => each <= at - hangs);
    return seen.length === 0 ? [] : [{ id, joinedAt, renewedAt: seen.at(-1)! }];
  });
}

const intervals = fc.array(fc.integer({ min: RENEW_EVERY / 2, max: 2 * LATE_AFTER }), { minLength: 1, maxLength: 12 });

test('under any joining, lateness and death: no two processes ever hold the same stretch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ begins: fc.nat(8 * SECOND), gaps: intervals }), { minLength: 2, maxLength: 4 }),
      fc.constantFrom(2, 10, 33),
      fc.nat(400),
      (drawn, cap, hangs) => {
        const processes = drawn.map(({ begins, gaps }, index): Process => {
          const looks = gaps.reduce<number[]>((all, gap) => [...all, all.at(-1)! + gap], [START + begins]);
          return { name: `p${index}`, looks };
        });
        const rows = processes.flatMap(rowsOf);
        const held = new Map<number, string>();
        for (const process of processes) {
          for (const looked of process.looks) {
            const own = rowsOf(process).findLast(({ joinedAt }) => joinedAt <= looked)!.id;
            // Its own renewal it knows of; the others' it may not see yet.
            const leases = seenAt(rows, looked, hangs);
            for (let from = looked; ;) {
              const next = nextStretch(framesOf(cap), leases, own, { from, before: looked + VALID_FOR });
              if (next === null) break;
              expect([next.from, held.get(next.from) ?? process.name]).toEqual([next.from, process.name]);
              held.set(next.from, process.name);
              from = next.until;
            }
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

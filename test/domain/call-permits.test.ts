import fc from 'fast-check';
import {
  ARRIVES_WITHIN,
  LATE_AFTER,
  type Lease,
  ownPermits,
  type Permits,
  permitsOf,
  RENEW_EVERY,
  sharersAt,
  VALID_FOR,
} from '../../src/domain/call-permits';
import { SECOND } from '../../src/domain/time';

/** By how many ms the clocks of two processes may differ. */
const CLOCKS_WITHIN = 100;
/** Epoch ms at which every test begins. */
const START = Date.parse('2027-01-31T10:00:00.000Z');

/** Leases of processes that joined a minute ago and renew for two more minutes. */
const steady = (...ids: string[]): Lease[] =>
  ids.map((id) => ({ id, joinedAt: START - 60 * SECOND, renewedAt: START + 120 * SECOND }));

/** The consecutive stretches of time, each with the permits that the process has in it, possibly none. */
function* stretchesOf(permits: Permits, leases: readonly Lease[], id: string, from: number, until: number) {
  for (let at = from; at < until;) {
    const own = ownPermits(permits, leases, id, at);
    yield { from: at, until: Math.min(own.until, until), permits: own.permits };
    at = own.until;
  }
}

test.each([
  [0.05, 1, 20_000],
  [1, 1, 1000],
  [1.99, 1, 1000],
  [2, 2, 1000],
  [100, 100, 1000],
])('a cap of %d calls a second gives %d permits, each for one call in %d ms', (cap, count, interval) => {
  expect(permitsOf(cap)).toEqual({ count, interval });
});

test.each([
  [100, 1, [100]],
  [10, 3, [4, 3, 3]],
  [3, 3, [1, 1, 1]],
])('%d permits are shared among %d processes in fixed numbers: %j', (cap, processes, shares) => {
  const ids = Array.from({ length: processes }, (_, index) => `p${index}`);
  for (const [index, id] of ids.entries()) {
    for (const { permits } of stretchesOf(permitsOf(cap), steady(...ids), id, START, START + 60 * SECOND)) {
      expect(permits).toHaveLength(shares[index]!);
    }
  }
});

test('with more processes than permits, each process has a permit some of the time, and nearly three quarters of the permitted time is used', () => {
  const ids = Array.from({ length: 25 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  const used = ids.map((id) =>
    [...stretchesOf(permitsOf(5), steady(...ids), id, START, START + 60 * SECOND)].reduce(
      (sum, { from, until, permits }) => sum + (until - from) * permits.length,
      0,
    ),
  );
  for (const each of used) expect(each).toBeGreaterThan(5 * SECOND);
  const inAll = used.reduce((sum, each) => sum + each, 0);
  expect(inAll / (5 * 60 * SECOND)).toBeGreaterThan(0.73);
});

test('a new process shares permits once all others have seen it; a process that stops renewing still shares them for six seconds', () => {
  const lease = { id: 'new', joinedAt: START, renewedAt: START };
  expect(sharersAt([lease], START + VALID_FOR)).toEqual([]);
  expect(sharersAt([lease], START + VALID_FOR + SECOND / 2)).toEqual(['new']);
  expect(sharersAt([lease], START + 6 * SECOND - 1)).toEqual(['new']);
  expect(sharersAt([lease], START + 6 * SECOND)).toEqual([]);
});

test('a permit that no process held is used at once; a permit that another process held rests until its last call has arrived, and for a second more', () => {
  const permits = permitsOf(4);
  const [first, second] = [
    { id: 'a', joinedAt: START, renewedAt: START + 60 * SECOND },
    { id: 'b', joinedAt: START + 10 * SECOND, renewedAt: START + 60 * SECOND },
  ];
  const of = (id: string, at: number) => ownPermits(permits, [first, second], id, at);
  expect(of('a', START + 3.5 * SECOND)).toEqual({ permits: [0, 1, 2, 3], until: expect.any(Number) });
  expect(of('a', START + 13.5 * SECOND - 1).permits).toEqual([0, 1, 2, 3]);
  expect(of('a', START + 13.5 * SECOND).permits).toEqual([0, 2]);
  const noteWait = START + 13.5 * SECOND + SECOND + ARRIVES_WITHIN + CLOCKS_WITHIN;
  expect(of('b', noteWait - 1)).toEqual({ permits: [], until: noteWait });
  expect(of('b', noteWait).permits).toEqual([1, 3]);
});

/** A process that joins, renews at random intervals, and dies. A process that renews too late joins again. */
interface Process {
  readonly name: string;
  readonly looks: readonly number[];
}

interface Row extends Lease {
  /** Instants of renewal, starting with the instant of joining. */
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
 * The table of leases as a process sees it at an instant, without writes of the last `hangs` ms, whose commits are still in progress.
 */
function seenAt(rows: readonly Row[], at: number, hangs: number): Lease[] {
  return rows.flatMap(({ id, joinedAt, renewals }) => {
    const seen = renewals.filter((each) => each <= at - hangs);
    return seen.length === 0 ? [] : [{ id, joinedAt, renewedAt: seen.at(-1)! }];
  });
}

interface Held {
  readonly process: string;
  readonly permit: number;
  readonly from: number;
  readonly until: number;
}

const intervals = fc.array(fc.integer({ min: RENEW_EVERY / 2, max: 2 * LATE_AFTER }), { minLength: 1, maxLength: 12 });

test('whenever processes join, lag or die, each permit rests before it passes to another process', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ begins: fc.nat(8 * SECOND), gaps: intervals }), { minLength: 2, maxLength: 4 }),
      fc.constantFrom(0.4, 1, 2, 10),
      fc.nat(400),
      (drawn, cap, hangs) => {
        const processes = drawn.map(({ begins, gaps }, index): Process => {
          const looks = gaps.reduce<number[]>((all, gap) => [...all, all.at(-1)! + gap], [START + begins]);
          return { name: `p${index}`, looks };
        });
        const rows = processes.flatMap(rowsOf);
        const permits = permitsOf(cap);
        const held: Held[] = [];
        for (const process of processes) {
          for (const looked of process.looks) {
            const own = rowsOf(process).findLast(({ joinedAt }) => joinedAt <= looked)!.id;
            // The process knows its own renewal, but may not see the latest renewals of others yet.
            const leases = seenAt(rows, looked, hangs);
            for (const stretch of stretchesOf(permits, leases, own, looked, looked + VALID_FOR)) {
              const { from, until } = stretch;
              held.push(...stretch.permits.map((permit) => ({ process: process.name, permit, from, until })));
            }
          }
        }
        const tooSoon = held.flatMap((one) =>
          held.filter(
            ({ process, permit, from, until }) =>
              process !== one.process &&
              permit === one.permit &&
              one.from <= from &&
              from < one.until + permits.interval + ARRIVES_WITHIN + CLOCKS_WITHIN - 1e-3 &&
              until > from,
          ),
        );
        expect(tooSoon).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

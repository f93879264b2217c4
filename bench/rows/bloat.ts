import { startAll, type Stops } from '../../src/embedded/server-life';
import { startTemporaryPostgres } from '../../src/embedded/postgres/temporary';
import { createPool, migrate, type Pool } from '../../src/ledger';
import { eachOf } from '../../test/support/each-of';
import { silentLog } from '../../test/support/silent-log';
import { type Subscribed, subscribe } from '../../test/ledger/ledger-fixture';
import { atMost, type Outcome, type Row, type RowOrder } from '../row';
import { collectCycle, doJobs } from '../worlds/collected';
import { type HotTable, readHotTables } from '../worlds/tables';

/** How many cycles are collected at the same time. */
const AT_ONCE = 8;
/** How many cycles are collected between two runs of the jobs: about as many as in a second. */
const BETWEEN_JOBS = 100;
const TENTHS = 10;
/** The number of tenths after which a table must not grow faster than its rows. */
const SETTLED = 2;
const FLAT = 1.3;
/** Bytes. A few pages more or less are a large share of a smaller table. */
const SMALL = 1024 * 1024;
/** Months of business time pass in minutes here: autovacuum's default interval of a minute would be days. */
const NAPTIME = '5s';

/** Enough subscriptions for ten cycles of each; more cycles of each if that would be more than 5,000 subscriptions. */
const subscriptionsFor = (cycles: number) => Math.min(5_000, Math.max(AT_ONCE, Math.ceil(cycles / TENTHS)));

async function openLedger(stops: Stops): Promise<{ readonly ledger: Pool }> {
  const postgres = await startTemporaryPostgres(silentLog());
  stops.push(() => postgres.stop());
  await migrate({ databaseUrl: postgres.url });
  const ledger = createPool({ databaseUrl: postgres.url, max: AT_ONCE, keepsStatements: true });
  stops.push(() => ledger.end());
  await ledger.query(`alter system set autovacuum_naptime = '${NAPTIME}'`);
  await ledger.query('select pg_reload_conf()');
  return { ledger };
}

/** Collects the cycles with these numbers: one of each subscription, then the next one of each. */
async function collect(ledger: Pool, all: readonly Subscribed[], from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BETWEEN_JOBS) {
    await eachOf(Math.min(to - first, BETWEEN_JOBS), AT_ONCE, (index) => {
      const n = first + index;
      return collectCycle(ledger, all[n % all.length]!, Math.floor(n / all.length));
    });
    await doJobs(ledger);
  }
}

const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(2);
const percent = (part: number, whole: number) => (whole === 0 ? 'none' : `${Math.round((100 * part) / whole)} %`);

function describeTable({ name, live, dead, size, updates, hot, vacuums }: HotTable, before?: HotTable): string {
  const made = updates - (before?.updates ?? 0);
  const share = percent(hot - (before?.hot ?? 0), made);
  return `  ${name.padEnd(20)} ${live} live, ${dead} dead, ${megabytes(size)} MB, HOT ${share} of ${made} updates, ${vacuums} vacuums`;
}

interface Growth {
  readonly name: string;
  /** Its largest size after it has settled, and the size that its rows explain, in bytes. */
  readonly size: number;
  readonly explained: number;
  readonly ratio: number;
}

/** For each table that is not small, its largest size in relation to what its rows explain. The one that grew most comes first. */
function growthOf(tenths: readonly (readonly HotTable[])[]): readonly Growth[] {
  const settled = tenths[SETTLED - 1] ?? [];
  const later = tenths.slice(SETTLED).flat();
  const growth = settled.flatMap((then) =>
    later
      .filter(({ name, size }) => name === then.name && size > SMALL)
      .map(({ name, size, live }): Growth => {
        const explained = then.size * Math.max(1, live / Math.max(1, then.live));
        return { name, size, explained, ratio: size / explained };
      })
      .toSorted(byRatio)
      .slice(0, 1),
  );
  return growth.toSorted(byRatio);
}

const byRatio = (one: Growth, other: Growth) => other.ratio - one.ratio;

async function measure(ledger: Pool, { size: cycles, say }: RowOrder): Promise<readonly (readonly HotTable[])[]> {
  const subscribed: Subscribed[] = [];
  await eachOf(subscriptionsFor(cycles), AT_ONCE, async () =>
    subscribed.push(await subscribe(ledger, { repetition: 'WEEKLY' })),
  );
  await doJobs(ledger);
  const tenths: (readonly HotTable[])[] = [];
  let before = await readHotTables(ledger);
  for (let tenth = 1; tenth <= TENTHS; tenth += 1) {
    const [from, to] = [tenth - 1, tenth].map((n) => Math.floor((n * cycles) / TENTHS)) as [number, number];
    const began = performance.now();
    await collect(ledger, subscribed, from, to);
    const perSecond = ((to - from) / (performance.now() - began)) * 1000;
    const tables = await readHotTables(ledger);
    say(`${to} of ${cycles} cycles, ${perSecond.toFixed(0)} a second`);
    for (const table of tables)
      say(
        describeTable(
          table,
          before.find(({ name }) => name === table.name),
        ),
      );
    tenths.push(tables);
    before = tables;
  }
  return tenths;
}

/** The growth of the table that has grown most beyond its rows; a ratio of one if all tables are small. */
function outcomeOf([worst]: readonly Growth[]): Outcome {
  const name = `largest size of ${worst?.name ?? 'a table'}, of the size after a fifth plus its rows since`;
  const [size, explained] = worst === undefined ? [SMALL, SMALL] : [worst.size, worst.explained];
  return { target: atMost(name, FLAT), unit: 'bytes', subject: [size], reference: [explained] };
}

export const bloat: Row = {
  about: 'Size of the tables whose rows change, while cycles are collected through the ledger alone',
  temporal: 'no Temporal',
  counts: 'cycles collected',
  size: 100_000,
  pairs: 1,
  async run(order) {
    const running = await startAll(openLedger);
    try {
      const growth = growthOf(await measure(running.ledger, order));
      for (const { name, ratio } of growth)
        order.say(
          `${name}: ${ratio <= FLAT ? 'flat' : 'grows'}, ${ratio.toFixed(2)} times the size that its rows explain`,
        );
      const isFlat = growth.every(({ ratio }) => ratio <= FLAT);
      order.say(`size stayed flat: ${isFlat ? 'yes' : 'no'}; ${growth.length} tables above 1 MB`);
      const settings = {
        subscriptions: subscriptionsFor(order.size),
        connections: AT_ONCE,
        autovacuum_naptime: NAPTIME,
      };
      return { outcomes: [outcomeOf(growth)], settings };
    } finally {
      await running.stop();
    }
  },
};

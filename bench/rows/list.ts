import { DAY, toIso } from '../../src/domain/time';
import { createPool, migrate } from '../../src/ledger';
import { NOW } from '../../test/ledger/ledger-fixture';
import { percentile } from '../../test/storm/measure';
import { atMost, interleave, outcomeOf, type Row, type RowOrder } from '../row';
import { type Api, startApi } from '../worlds/api';
import { fillMerchant, merchantOf } from '../worlds/merchant';
import { createDatabase, type World } from '../worlds/world';

/** Subscriptions in the small ledger that the large one is compared with. */
const FEW = 1_000;
/** Calls per question; fewer if they take more than {@link LONG_ENOUGH} ms together: the p99 is then the slowest call. */
const CALLS = 100;
const LONG_ENOUGH = 10_000;
const WARM_UP = 5;
/** Small enough that the small ledger fills the page too, so that both return equally many rows. */
const PAGE = 20;
const DEADLINES = 2;

const MONTH = `from=${toIso(NOW - 30 * DAY)}&to=${toIso(NOW)}`;

/** For each question, the paths to request one after the other in a ledger with a given number of subscriptions. */
const QUESTIONS: Readonly<Record<string, (subscriptions: number) => readonly string[]>> = {
  list: () =>
    ['', '&status=paused', '&sort=dueAt', `&${encodeURIComponent('metadata[shop]')}=north`].map(subscriptions),
  search: (count) => [
    ...['müller', 'ada koch'].map((words) => subscriptions(`&q=${encodeURIComponent(words)}`)),
    ...[0.3, 0.6, 0.9].map((place) => subscriptions(`&q=customer-${Math.round(place * count)}`)),
  ],
  audit: () => ['', '&actor=till', '&type=consent.requested'].map((filter) => `/v1/audit?limit=${PAGE}${filter}`),
  deadlines: () => [`/v1/reports/deadlines?limit=${DEADLINES}`],
  collections: () => [`/v1/reports/collections?${MONTH}`],
  metrics: () => ['/metrics'],
};
const NAMES = Object.keys(QUESTIONS);

function subscriptions(filter: string): string {
  return `/v1/subscriptions?limit=${PAGE}${filter}`;
}

/** The results by question. */
type Asked = Readonly<Record<string, { readonly calls: number; /** Ms. */ readonly p99: number }>>;

async function ask(api: Api, count: number): Promise<Asked> {
  const asked: Record<string, Asked[string]> = {};
  for (const name of NAMES) {
    const paths = QUESTIONS[name]!(count);
    const each = async (index: number) => api.get(paths[index % paths.length]!);
    for (let index = 0; index < WARM_UP; index += 1) await each(index);
    const took: number[] = [];
    const until = performance.now() + LONG_ENOUGH;
    while (took.length < CALLS && performance.now() < until) took.push(await each(took.length));
    asked[name] = { calls: took.length, p99: percentile(took, 99) };
  }
  return asked;
}

/** The admin API over a small ledger on the same server. */
async function startApiOfFew(world: World): Promise<Api> {
  const databaseUrl = await createDatabase(world.ledger, world.databaseUrl, 'few');
  await migrate({ databaseUrl });
  const ledger = createPool({ databaseUrl, max: 2 });
  await fillMerchant(ledger, FEW);
  await ledger.end();
  return startApi({ ...world, databaseUrl });
}

async function measure(world: World, order: RowOrder) {
  const [ofMany, ofFew] = [await startApi(world), await startApiOfFew(world)];
  const measured = await interleave(
    order,
    () => ask(ofMany, order.size),
    () => ask(ofFew, FEW),
  );
  await Promise.all([ofMany.program.stop(), ofFew.program.stop()]);
  return measured;
}

export const list: Row = {
  about:
    'What operators and programs request all day, from a large ledger compared with one of a thousand subscriptions',
  counts: 'subscriptions in the ledger',
  size: 1_000_000,
  pairs: 3,
  async run(order) {
    const world = await merchantOf(order.size, order.say);
    const measured = await measure(world, order);
    const { rows } = await world.ledger.query<{ events: number }>('select count(*) as events from events');
    const fewest = Math.min(...measured.subject.map(({ collections }) => collections!.calls));
    return {
      outcomes: NAMES.map((name) =>
        outcomeOf(measured, atMost(`p99 of ${name}`, 2), 'ms', (asked) => asked[name]!.p99),
      ),
      settings: {
        'entries of the audit log': rows[0]?.events ?? 0,
        'in the small ledger': FEW,
        'calls each': CALLS,
        'of collections': fewest,
      },
    };
  },
};

import { cut, type Fault, healthyDays, STRETCHES, withFault } from './healthy-days';
import { evaluateRules, installedPromtool, notationOf, readFirings, type Series } from './rules-engine';

/**
 * The alert rules over days at real steps of 15 s, evaluated by Prometheus's own engine where it is installed or built: it takes some
 * 5 ms of a processor for each step. No alert can change while no series does, so only the stretches in which one changes are evaluated.
 */

test("values of a series are written in promtool's notation", () => {
  expect(notationOf([5])).toBe('5');
  expect(notationOf([5, 5, 5, 7])).toBe('5+0x2 7');
  expect(notationOf([1, 3, 5, 4, 3])).toBe('1+2x2 4-1x1');
  expect(notationOf([null, null, 5, null, null, null, 5])).toBe('_x2 5 stale _x2 5');
  expect(notationOf([0.1, 0.25])).toBe('0.1+0.15x1');
});

test("promtool's output is read as the alerts that fired, with their times", () => {
  const said = `Unit Testing:  /tmp/trial.yaml
  FAILED:
    expr: "min by (alertname) (x)", time: 1h0m0s,
        exp: nil
        got: {alertname="DuedayHalted"} 2.4E+02, {alertname="DuedayLedgerAway"} 6E+01
    expr: "max by (alertname) (x)", time: 1h0m0s,
        exp: nil
        got: {alertname="DuedayHalted"} 9E+02, {alertname="DuedayLedgerAway"} 1.2E+03
`;
  expect(Object.fromEntries(readFirings(said))).toEqual({
    DuedayHalted: { first: 240, last: 900 },
    DuedayLedgerAway: { first: 60, last: 1200 },
  });
  expect(readFirings('  SUCCESS\n').size).toBe(0);
});

const promtool = installedPromtool();
const withEngine = promtool === null ? test.skip : test;
const evaluate = (series: readonly Series[]) => evaluateRules(promtool!, series);

const healthy = healthyDays();
const DAYS = [0, 86_400, 172_800];

/**
 * How much a series grew in the minute before each scrape; NaN if it was missing. Counts are rounded, because they grow by whole
 * numbers.
 */
function growthOf({ series, values }: Series): readonly number[] {
  const isCount = /_(?:total|bucket|count)\{/.test(series);
  return values.map((value, n) => {
    const grown = (value ?? NaN) - (values[n - 4] ?? NaN);
    return isCount ? Math.floor(grown / 2) : grown;
  });
}

test('outside of the stretches that are evaluated, each series of a healthy day changes as in the minute before', () => {
  const isWithin = (t: number) =>
    [...DAYS, 259_200].some((day) => STRETCHES.some(({ from, to }) => t >= day + from && t < day + to));
  const between = healthy[0]!.values.flatMap((_, n) => (isWithin(n * 15) ? [] : [n]));
  expect(between.length).toBeGreaterThan(10_000);
  const strange = healthy.flatMap((each) => {
    const growth = growthOf(each);
    const at = between.find((n) => !(Math.abs(growth[n]! - growth[n - 1]!) <= 1));
    return at === undefined ? [] : [`${each.series} at ${at * 15} s`];
  });
  expect(strange).toEqual([]);
});

withEngine.each(STRETCHES)('in three healthy days no alert fires: $what', async ({ from, to }) => {
  // The second day stands for all others, with the end of the day before.
  expect([...(await evaluate(cut(healthy, DAYS[1]! + from, DAYS[1]! + to))).keys()]).toEqual([]);
});

/** Two hours into a day, in seconds; rates have ten minutes of good time before them. */
const [FROM, SINCE, WITHIN] = [6_600, 7_200, 300];
const good = cut(healthy, FROM, SINCE + WITHIN + 15);

const of =
  (...names: string[]) =>
  (series: string) =>
    names.some((name) => series.startsWith(`${name}{`));

withEngine.each<[string, string, Fault]>([
  [
    'Temporal is gone',
    'DuedayTemporalSilent',
    (series, at) => (of('dueday_temporal_last_poll_seconds')(series) ? at : undefined),
  ],
  [
    'the ledger takes no write',
    'DuedayLedgerNotWritten',
    (series, at) => (of('dueday_ledger_last_commit_seconds')(series) ? at : undefined),
  ],
  ['PostgreSQL is gone', 'DuedayLedgerAway', (series) => (of('dueday_ledger_up')(series) ? 0 : undefined)],
  ['the API is gone', 'DuedayLedgerAway', (series) => (series.includes('instance="api"') ? null : undefined)],
  [
    'all workers are gone',
    'DuedayWorkerNotPolling',
    (series) => (series.includes('instance="worker-') ? null : undefined),
  ],
  ['the ledger was restored', 'DuedayHalted', (series) => (of('dueday_halted')(series) ? 1 : undefined)],
  [
    'the payment service is gone, its circuit half open now and then',
    'DuedayCircuitOpen',
    (series) => (of('dueday_payment_service_circuit')(series) ? 0 : undefined),
  ],
  [
    'tomorrow more falls due than the cap can do',
    'DuedayCapTooLow',
    (series) => (of('dueday_hours_to_collect')(series) ? 30 : undefined),
  ],
  [
    'no process places events',
    'DuedayEventsNotPlaced',
    (series, at) => (of('dueday_event_placing_lag_seconds')(series) ? at : undefined),
  ],
])('%s: %s fires within five minutes, and nothing before', async (_what, alert, fault) => {
  const fired = await evaluate(withFault(good, SINCE - FROM, fault));
  expect([...fired.keys()]).toContain(alert);
  expect(Math.min(...[...fired.values()].map(({ first }) => first))).toBeGreaterThanOrEqual(SINCE - FROM);
});

/** Long enough for an alert that waits for an hour. */
const longer = cut(healthy, FROM, SINCE + 3_900);
const ON_ITEMS = ['DuedayPossibleDoubleDebit', 'DuedayAttention', 'DuedayAttentionUnhandled'];

/** The alerts on attention items if from `SINCE` on so many of a kind are open, in an installation of so many subscriptions. */
async function alertsOn(days: readonly Series[], kind: string, items: number, live: number) {
  const without = days.map(({ series, values }) =>
    series.includes('notice_undeliverable')
      ? { series: series.replace('notice_undeliverable', kind), values: values.map(() => 0) }
      : { series, values },
  );
  const fired = await evaluate(
    withFault(without, SINCE - FROM, (series) => {
      if (of('dueday_live_subscriptions')(series)) return live;
      return series.includes(`kind="${kind}"`) ? items : undefined;
    }),
  );
  return Object.fromEntries([...fired].filter(([alert]) => ON_ITEMS.includes(alert)));
}

withEngine.each([
  { live: 5, few: 2, many: 3 },
  { live: 20_000, few: 20, many: 21 },
  { live: 1_000_000, few: 1_000, many: 1_001 },
])(
  'with $live subscriptions, $many items of one kind raise an alert after an hour, and $few do not',
  async ({ live, few, many }) => {
    expect(await alertsOn(longer, 'capture_failed', few, live)).toEqual({});
    const fired = await alertsOn(longer, 'capture_failed', many, live);
    expect(fired).toEqual({ DuedayAttention: { first: SINCE - FROM + 3_600, last: expect.any(Number) as number } });
  },
);

withEngine.each(['installation', 'hold_loses_windows', 'dead_letter'])(
  'with a million subscriptions, one item %s raises an alert, as it concerns many',
  async (kind) => {
    expect(Object.keys(await alertsOn(longer, kind, 1, 1_000_000))).toEqual(['DuedayAttention']);
  },
);

withEngine.each(['contradiction', 'debit_after_cancel', 'debit_unknown', 'authorization_unknown'])(
  'with a million subscriptions, one item %s raises an alert with the scrape that shows it',
  async (kind) => {
    const fired = await alertsOn(good, kind, 1, 1_000_000);
    expect(fired).toEqual({ DuedayPossibleDoubleDebit: { first: SINCE - FROM, last: expect.any(Number) as number } });
  },
);

withEngine('an item that no operator takes within a day raises an alert', async () => {
  const ageing: Fault = (series, at) => (of('dueday_oldest_unhandled_item_seconds')(series) ? 86_400 + at : undefined);
  const fired = await evaluate(withFault(longer, SINCE - FROM, ageing));
  expect(fired.get('DuedayAttentionUnhandled')?.first).toBe(SINCE - FROM + 15 + 900);
});

import { healthyDays, withFault } from './healthy-days';
import { evaluateRules, installedPromtool, notationOf, readFirings, type Series } from './rules-engine';

/** The alert rules over days at real steps of 15 s, evaluated by Prometheus's own engine where it is installed or built. */

test('values are written as promtool reads them', () => {
  expect(notationOf([5])).toBe('5');
  expect(notationOf([5, 5, 5, 7])).toBe('5+0x2 7');
  expect(notationOf([1, 3, 5, 4, 3])).toBe('1+2x2 4-1x1');
  expect(notationOf([null, null, 5, null, null, null, 5])).toBe('_x2 5 stale _x2 5');
  expect(notationOf([0.1, 0.25])).toBe('0.1+0.15x1');
});

test('what promtool answers is read as the alerts that fired, and when', () => {
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

/** Two hours into a day, in seconds; rates have half an hour of good time before them. */
const [SINCE, UNTIL] = [7_200, 9_000];
const WITHIN = 300;

let healthy: readonly Series[];
beforeAll(() => {
  healthy = healthyDays();
});

withEngine('three healthy days with a storm at midnight, and a release each day: no alert fires', async () => {
  expect([...(await evaluate(healthy)).keys()]).toEqual([]);
});

const of =
  (...names: string[]) =>
  (series: string) =>
    names.some((name) => series.startsWith(`${name}{`));

withEngine.each<[string, string, (series: string, at: number) => number | null | undefined]>([
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
    'no process takes up events',
    'DuedayEventsNotPlaced',
    (series, at) => (of('dueday_event_placing_lag_seconds')(series) ? at : undefined),
  ],
])('%s: %s fires within five minutes, and nothing before', async (_what, alert, fault) => {
  const fired = await evaluate(withFault(healthy, SINCE, UNTIL, fault));
  expect(Math.min(...[...fired.values()].map(({ first }) => first))).toBeGreaterThan(SINCE);
  expect((fired.get(alert)?.first ?? Infinity) - SINCE).toBeLessThanOrEqual(WITHIN);
});

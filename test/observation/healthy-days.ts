import { DAY, SECOND } from '../../src/domain/time';
import { type Series, SCRAPED_EVERY } from './rules-engine';

/**
 * The series that alerts ask for, over days on which nothing is wrong, at each scrape: two workers and an API, each replaced once a
 * day by a new release; at midnight ten thousand fall due in one instant behind a cap of a hundred calls a second, and from then on one every
 * ten seconds. Polls that find nothing are answered after a minute. Whatever changes does so within {@link STRETCHES}.
 */

const DAYS = 3;
const SCRAPES = (DAYS * DAY) / SCRAPED_EVERY;
/** Subscriptions due in one instant; and the attempts a second that the cap permits, with five calls for each. */
const STORM = 10_000;
const ATTEMPTS_PER_SECOND = 100 / 5;
/** One in this many attempts fails, because the payer has insufficient funds. */
const REFUSED = 50;
/** Subscriptions in force: a month of storms and of what falls due beside them. */
const LIVE = 600_000;
const QUEUES = ['billing', 'billing/ledger', 'billing/interactive', 'billing/collecting'];
/** The second of the day at which each process is replaced; it does not answer for a moment then. */
const REPLACED = { 'worker-1': 50_400, 'worker-2': 50_520, api: 50_640 };
const AWAY = 40;
type Instance = keyof typeof REPLACED;

/** Seconds of a day, before midnight if negative. */
export interface Stretch {
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** What happens each day, with the time for which alert rules remember it: at most 30 minutes, and then the time of `for`. */
export const STRETCHES: readonly Stretch[] = [
  { what: 'a storm at midnight', from: -300, to: 3_900 },
  { what: 'an attention item that an operator resolves', from: 35_940, to: 37_980 },
  { what: 'a release', from: 50_100, to: 53_400 },
];

/** @param t seconds since the first midnight */
type Value = (t: number) => number;

const ofDay = (t: number) => t % (DAY / SECOND);
const isAway = (instance: Instance, t: number) => {
  const since = ofDay(t) - REPLACED[instance];
  return since >= 0 && since < AWAY;
};
const startOf = (instance: Instance, t: number) => {
  const today = t - ofDay(t) + REPLACED[instance] + AWAY;
  return t >= today ? today : Math.max(0, today - DAY / SECOND);
};

function gauge(name: string, instance: Instance, labels: string, value: Value): Series {
  const values = Array.from({ length: SCRAPES }, (_, n) => {
    const t = (n * SCRAPED_EVERY) / SECOND;
    return isAway(instance, t) ? null : value(t);
  });
  return { series: `${name}{instance="${instance}"${labels === '' ? '' : `,${labels}`}}`, values };
}

/** Counts from the start of its process. */
const counter = (name: string, instance: Instance, labels: string, total: Value) =>
  gauge(name, instance, labels, (t) => Math.round(total(t) - total(startOf(instance, t))));

/** Attempts sent since the first midnight, of both workers. */
const sent: Value = (t) => {
  const ofStorms = Math.floor(t / (DAY / SECOND)) * STORM + Math.min(STORM, ofDay(t) * ATTEMPTS_PER_SECOND);
  return ofStorms + Math.floor(t / 10);
};
/** How many of them were sent later than this many seconds after their planned instant. */
const laterThan =
  (bound: number): Value =>
  (t) => {
    const days = Math.floor(t / (DAY / SECOND));
    const late = (seconds: number) =>
      Math.max(0, Math.min(STORM, seconds * ATTEMPTS_PER_SECOND) - bound * ATTEMPTS_PER_SECOND);
    return days * late(DAY / SECOND) + late(ofDay(t));
  };
const within =
  (bound: number): Value =>
  (t) =>
    (sent(t) - laterThan(bound)(t)) / 2;

/** How many of the subscriptions due at midnight are not collected yet. */
const waiting: Value = (t) => Math.max(0, STORM - ofDay(t) * ATTEMPTS_PER_SECOND);
const inStorm: Value = (t) => (waiting(t) > 0 ? 1 : 0);

const BOUNDS: readonly (readonly [string, number])[] = [
  ['60', 60],
  ['300', 300],
  ['600', 600],
  ['900', 900],
  ['+Inf', Infinity],
];

function ofWorker(worker: Instance): readonly Series[] {
  const ofQueue = QUEUES.flatMap((queue, n) => [
    gauge(
      'temporal_num_pollers',
      worker,
      `namespace="default",task_queue="${queue}",poller_type="workflow_task"`,
      () => 5,
    ),
    gauge('dueday_temporal_last_poll_seconds', worker, `task_queue="${queue}"`, (t) =>
      inStorm(t) ? 0 : (t + 13 * n) % 60,
    ),
    // One failure an hour: a connection that the server closes.
    counter('temporal_long_request_failure_total', worker, `task_queue="${queue}"`, (t) => Math.floor(t / 3600)),
  ]);
  const ofBound = BOUNDS.flatMap(([le, bound]) => [
    counter('dueday_attempt_lateness_seconds_bucket', worker, `le="${le}"`, within(bound)),
    counter(
      'temporal_activity_schedule_to_start_latency_seconds_bucket',
      worker,
      `task_queue="billing/collecting",le="${le}"`,
      within(bound),
    ),
  ]);
  const calls = (outcome: string, share: number) =>
    counter(
      'dueday_payment_service_calls_total',
      worker,
      `operation="initiate",outcome="${outcome}"`,
      (t) => (sent(t) * share) / 2,
    );
  return [
    ...ofQueue,
    ...ofBound,
    calls('accepted', 1 - 1 / REFUSED),
    calls('rejected', 1 / REFUSED - 1 / 1000),
    calls('unknown', 1 / 1000),
    ...ofProcess(worker),
  ];
}

function ofProcess(instance: Instance): readonly Series[] {
  return [
    gauge('dueday_payment_service_circuit', instance, 'state="closed"', () => 1),
    gauge('dueday_ledger_last_commit_seconds', instance, '', () => 0),
    // Callers wait for a connection in the first minutes of a storm, now and then.
    gauge('dueday_database_connections_wanted', instance, 'pool="collecting"', (t) =>
      inStorm(t) && t % 60 < 45 ? 3 : 0,
    ),
  ];
}

function ofApi(): readonly Series[] {
  const api = (name: string, value: Value, labels = '') => gauge(`dueday_${name}`, 'api', labels, value);
  const [day, calls] = [DAY / SECOND, 5 / 100];
  return [
    ...ofProcess('api'),
    api('ledger_up', () => 1),
    api('halted', () => 0),
    api('due_not_tried', waiting),
    api('least_window_seconds', () => 5 * day - 600),
    api('windows_closing_within_a_day', () => 0),
    api('unknown_outcomes_for_an_hour', () => 0),
    api('sent_without_answer', () => 0),
    api('oldest_notice_seconds', (t) => (ofDay(t) < 1200 ? 90 : 2)),
    api('ledger_differences', () => 0),
    api('oldest_uncompared_seconds', () => 6 * day),
    api('live_subscriptions', () => LIVE),
    // An attention item that an operator resolves within half an hour.
    api('attention_items_open', (t) => (ofDay(t) > 36_000 && ofDay(t) < 37_800 ? 1 : 0), 'kind="unresolved"'),
    // With so many subscriptions, a few items always wait for payers' answers. An operator assigns each on the next morning.
    api('attention_items_open', () => 3, 'kind="notice_undeliverable"'),
    api('oldest_unhandled_item_seconds', (t) => ofDay(t + day - 37_200)),
    api('event_placing_lag_seconds', (t) => (inStorm(t) ? 20 : 1)),
    api('webhook_lag_seconds', (t) => (ofDay(t) < 1200 ? 300 : 1), 'endpoint="ep_1"'),
    ...['consents', 'payments', 'workflows'].map((check) => api('daily_check_age_seconds', ofDay, `check="${check}"`)),
    // The day before, the next day is counted as well.
    api('hours_to_collect', () => (STORM * calls) / 3600 + 0.5),
    api('hours_to_collect_allowed', () => 24),
    api('cap_wait_seconds', (t) => (inStorm(t) ? STORM * calls : 0)),
    api('late_beyond_cap_seconds', () => 0),
    ...['200', '503'].map((status) =>
      counter('dueday_admin_request_seconds_count', 'api', `status="${status}"`, (t) =>
        status === '200' ? t : t / 1000,
      ),
    ),
  ];
}

export function healthyDays(): readonly Series[] {
  return [...ofWorker('worker-1'), ...ofWorker('worker-2'), ...ofApi()];
}

/** The scrapes from one second to another. */
export function cut(days: readonly Series[], from: number, to: number): readonly Series[] {
  const [first, end] = [from, to].map((t) => (t * SECOND) / SCRAPED_EVERY);
  return days.map(({ series, values }) => ({ series, values: values.slice(first, end) }));
}

/** The value that a fault gives a series, this many seconds after its beginning; undefined if it changes nothing. */
export type Fault = (series: string, at: number) => number | null | undefined;

/** The series with a fault that begins after this many seconds. */
export function withFault(days: readonly Series[], after: number, fault: Fault): readonly Series[] {
  return days.map(({ series, values }) => ({
    series,
    values: values.map((value, n) => {
      const at = (n * SCRAPED_EVERY) / SECOND - after;
      const changed = at < 0 ? undefined : fault(series, at);
      return changed === undefined ? value : changed;
    }),
  }));
}

import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';
import { evaluateRules, SCRAPED_EVERY, type Series } from '../observation/rules-engine';
import type { Fault, Finding } from './fault';
import { linesSince, type Stage, untilCollected } from './stage';

/** The result of a fault. */
export interface Verdict {
  readonly fault: string;
  /** Whether each kind of report would have notified an operator. */
  readonly detections: readonly Finding[];
  /** Whether the other promises were kept. */
  readonly promises: readonly Finding[];
  /** Alerts that are not about this fault. */
  readonly falseAlarms: readonly string[];
  /** What Prometheus would have scraped, from a minute before it on. */
  readonly series: readonly Series[];
}

/** Real ms. */
const ALERTED_WITHIN = 5 * MINUTE;
const READY_ANSWERS_WITHIN = 2 * SECOND;
/** The most log lines of a process within a minute. */
const FEW_LINES = 20;
/** Attempts that an outage has delayed are late. */
const FOLLOWS = ['DuedayAttemptsLate', 'DuedayDueNotTried'];
/** Real ms without a fault that the alert rules see before each fault. */
const BEFORE = MINUTE;

/** Plays a fault and its end, and asks everything that an operator could have asked. */
export async function play(stage: Stage, fault: Fault, promtool: string): Promise<Verdict> {
  const { recording } = stage;
  // Waits, so that the end of the previous fault is not part of this one.
  await pause(BEFORE + SCRAPED_EVERY);
  const payers = await stage.subscribe(fault.dueIn);
  const since = recording.now() - BEFORE;
  await fault.begin(stage);
  const [began, beganReal] = [recording.now(), Date.now()];
  const metric = watchMetric(stage, fault, began);
  await pause(fault.lasts / 2);
  const doctor = await askDoctor(stage, fault);
  const looked = (await fault.look?.(stage)) ?? [];
  await pause(Math.max(0, began + fault.lasts - recording.now()));
  const logs = linesSince(stage, beganReal);
  const ended = recording.now();
  const atTheEnd = await fault.end(stage);
  await stage.ready();
  const readyAfter = Math.round((recording.now() - ended) / SECOND);
  await untilCollected(stage, payers);
  metric.stop();
  const series = recording.series(since);
  const fired = await evaluateRules(promtool, series);
  const alertAt = fault.alert === null ? undefined : fired.get(fault.alert)?.first;
  const alertAfter = alertAt === undefined ? null : Math.round(alertAt - (began - since) / SECOND);
  const expected = [fault.alert, ...fault.alsoFires, ...FOLLOWS];
  return {
    fault: fault.name,
    detections: [
      ...readiness(stage, fault, began, ended),
      ...doctor,
      ...metric.found(),
      ...(fault.alert === null ? [] : [alerted(fault.alert, alertAfter)]),
      ...looked,
    ],
    promises: [
      slowestReadiness(stage, began, ended),
      {
        what: `no process writes more than ${FEW_LINES} lines a minute, each JSON`,
        holds: logs.most <= FEW_LINES && logs.unstructured.length === 0,
        found: `at most ${logs.most}, ${logs.unstructured.length} are none ${logs.unstructured[0] ?? ''}; ${logs.loudest}`,
      },
      ...atTheEnd,
      { what: 'it is ready again, and what fell due is debited', holds: true, found: `ready after ${readyAfter} s` },
    ],
    falseAlarms: [...fired.keys()].filter((alert) => !expected.includes(alert)),
    series,
  };
}

function alerted(alert: string, after: number | null): Finding {
  return {
    what: `${alert} fires within ${ALERTED_WITHIN / MINUTE} minutes`,
    holds: after !== null && after * SECOND <= ALERTED_WITHIN,
    found: after === null ? 'it did not fire' : `after ${after} s`,
  };
}

function readiness({ recording }: Stage, fault: Fault, from: number, to: number): readonly Finding[] {
  return fault.unready.map((part) => {
    const first = recording.readiness.find(({ at, says }) => from <= at && at <= to && says.includes(part));
    return {
      what: `/readyz says: ${part}`,
      holds: first !== undefined,
      found: first === undefined ? 'no' : `${first.instance} after ${Math.round((first.at - from) / SECOND)} s`,
    };
  });
}

/** The slowest answer of `/readyz`, compared with `/healthz`, which a busy machine answers just as late. */
function slowestReadiness({ recording }: Stage, from: number, to: number): Finding {
  const asked = recording.readiness.filter(({ at }) => from <= at && at <= to);
  const [slowest] = asked.toSorted((one, other) => other.took - other.lag - (one.took - one.lag));
  const { instance, took, lag } = slowest ?? { instance: '', took: Infinity, lag: 0 };
  return {
    what: '/readyz answers within two seconds whatever is down',
    holds: took - lag <= READY_ANSWERS_WITHIN,
    found: `${asked.length} answers, the slowest of the ${instance} after ${Math.round(took)} ms, /healthz after ${Math.round(lag)}`,
  };
}

async function askDoctor({ env }: Stage, { doctor }: Fault): Promise<readonly Finding[]> {
  if (doctor === null) return [];
  const { code, stdout } = await runDueday(['doctor'], { ...env, ...doctor.env });
  const line = doctor.says.exec(stdout) === null ? null : lineOf(stdout, doctor.says);
  return [
    {
      what: 'dueday doctor says it',
      holds: line !== null,
      found: `exit ${code}: ${line ?? stdout.trim().replaceAll(/\s+/g, ' ')}`,
    },
  ];
}

function lineOf(text: string, beginning: RegExp): string {
  const line = text.split('\n').find((each) => beginning.test(each)) ?? '';
  return line.trim().replaceAll(/\s+/g, ' ');
}

/** When a metric first shows the fault. */
function watchMetric({ recording }: Stage, { metric }: Fault, began: number) {
  let shownAt: number | null = null;
  const timer = setInterval(() => {
    if (metric === null || shownAt !== null) return;
    const values = recording.latest(metric.name);
    if (values.size > 0 && metric.shows(values)) shownAt = recording.now() - began;
  }, SECOND);
  return {
    stop: () => clearInterval(timer),
    found: (): readonly Finding[] =>
      metric === null
        ? []
        : [
            {
              what: `${metric.name} shows it`,
              holds: shownAt !== null,
              found: shownAt === null ? 'no' : `after ${Math.round(shownAt / SECOND)} s`,
            },
          ],
  };
}

import { dirname } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { isStop } from '../../activities';
import { DAY } from '../../src/domain/time';
import { traceActivities, traceCalls } from '../../src/platform/tracing/temporal';
import { traceIdsOf } from '../../src/platform/tracing/subject';
import { currentLogFields } from '../../src/platform/log';
import { inTraceOf } from '../../src/platform/tracing';
import { ActivityDriver } from '../activities/activity-driver';
import { HandClock } from '../../src/simulation/hand-clock';
import { historiesOf, readHistory, recordedHistories } from '../replay/recording';
import { builtWorkflows } from '../support/built-workflows';
import { quietRuntime } from '../support/quiet-runtime.cjs';
import { testWorkflows } from '../support/temporal';
import { inOrder, START, step, StepWorld } from '../support/step-world';
import type { ReceivedSpan } from './otlp-receiver';
import { traced } from './traces-on';

/** Traces across Temporal: workflows know nothing of them. */

const activity = [traceActivities(isStop)];
const world = StepWorld.skippingTime({ workflow: [traceCalls], activity });

/** The ended spans of this activity for this cycle. */
function runsOf(spans: readonly ReceivedSpan[], activityType: string, cycle: number): ReceivedSpan[] {
  return spans.filter(
    ({ name, attributes }) => name === `RunActivity:${activityType}` && attributes['dueday.cycle'] === cycle,
  );
}

test('every cycle is one trace, across timers, its retry, and runs that continue as new', async () => {
  const lives: Awaited<ReturnType<typeof world.begin>>[] = [];
  const attempts = Array.from({ length: 14 }, (_, cycle) =>
    step('wait', { until: START + (cycle + 1) * 30 * DAY, then: { cycle, attempt: 0 } }),
  );
  const retry = step('wait', { until: START + 31 * DAY, then: { cycle: 0, attempt: 1 } });
  const [first, ...later] = attempts;
  const { spans } = await traced(async () => {
    const begin = () => world.begin('cycles over many runs', inOrder(first!, retry, ...later));
    const life = await inTraceOf({}, 'POST /v1/subscriptions', begin);
    await life.pass(15 * 30 * DAY);
    lives.push(life);
  });
  const [life] = lives;
  const subscriptionId = life!.id;
  const traceOf = (cycle: number) => traceIdsOf({ subscriptionId, cycle })?.traceId;
  expect((await life!.runs()).length).toBeGreaterThan(1);
  expect(runsOf(spans, 'collectPayment', 0).map(({ attributes }) => attributes['dueday.attempt'])).toEqual([0, 1]);
  for (const cycle of [0, 1, 12, 13]) {
    const traces = new Set(runsOf(spans, 'collectPayment', cycle).map(({ traceId }) => traceId));
    expect(traces).toEqual(new Set([traceOf(cycle)]));
  }
  const [answered] = runsOf(spans, 'collectPayment', 1);
  expect(answered?.attributes['dueday.outcome']).toBe('wait');

  // The call that started the workflow has its own trace, linked to the subscription's; its ids are in a header.
  const [call] = spans.filter(({ name }) => name === 'StartWorkflow:subscription');
  expect(call?.links).toEqual([traceIdsOf({ subscriptionId })]);
  const histories = await historiesOf(world.env.client, life!.handle.workflowId);
  const header = histories[0]?.events?.[0]?.workflowExecutionStartedEventAttributes?.header?.fields?.['_tracer-data'];
  expect(defaultPayloadConverter.fromPayload(header!)).toEqual({
    traceparent: `00-${call?.traceId}-${call?.spanId}-01`,
  });

  // The history was recorded with traces, and is replayed without them.
  for (const history of histories) await Worker.runReplayHistory(testWorkflows(), history);
});

test('recorded histories replay while traces are exported, with the interceptors that a worker has for activities', async () => {
  quietRuntime();
  // Only the histories of the release in progress: test/replay replays all of them.
  const files = recordedHistories();
  const release = dirname(files.at(-1)!);
  const histories = files
    .filter((file) => dirname(file) === release)
    .map((file) => ({ workflowId: file, history: JSON.parse(readHistory(file)) as unknown }));
  const failed: string[] = [];
  let replayed = 0;
  const { spans } = await traced(async () => {
    const options = { ...builtWorkflows(), interceptors: { activity } };
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
      replayed += 1;
      if (error !== undefined) failed.push(workflowId);
    }
  });
  expect(failed).toEqual([]);
  expect(replayed).toBe(histories.length);
  expect(replayed).toBeGreaterThan(20);
  expect(spans).toEqual([]);
});

const input = { subscriptionId: 'gym', cycle: 3, attempt: 1, paymentId: 'pay_1', amount: { value: 1999 } };

/** The fields of a line that an activity logs. */
async function logged(): Promise<Record<string, unknown>> {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = pino({ base: {}, timestamp: false, mixin: currentLogFields }, { write });
  const work = async () => log.info({ cycle: 4 }, 'a line');
  await new ActivityDriver(new HandClock()).drive(work, {
    as: { activityType: 'collectPayment', input, interceptors: activity },
  });
  return lines[0] ?? {};
}

test('lines that an activity logs have subscription, cycle and attempt even without tracing, and their own fields take precedence', async () => {
  const about = { subscriptionId: 'gym', attempt: 1, paymentId: 'pay_1' };
  expect(await logged()).toEqual({ level: 30, msg: 'a line', ...about, cycle: 4 });
});

test('lines that an activity logs have the trace of the cycle if there is one', async () => {
  const lines: Record<string, unknown>[] = [];
  const { spans } = await traced(async () => lines.push(await logged()));
  const [span] = spans;
  expect(lines[0]).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId });
  expect(span?.traceId).toBe(traceIdsOf({ subscriptionId: 'gym', cycle: 3 })?.traceId);
});

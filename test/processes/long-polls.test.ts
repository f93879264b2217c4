import { MINUTE, SECOND } from '../../src/domain/time';
import { LongPolls, watchPolls } from '../../src/process/observation/long-polls';
import { createTelemetry } from '../../src/platform/metrics';
import { waitUntil } from '../support/wait-until';

const QUEUE = 'billing/collecting';

/** A page of Core's metrics in its own form: all requests include the failed ones. */
function page(all: number, failed: number, taskQueue = QUEUE): string {
  const labels = `namespace="default",operation="PollActivityTaskQueue",task_queue="${taskQueue}"`;
  return `# TYPE temporal_long_request_total counter
temporal_long_request_failure_total{${labels},status_code="TRANSPORT_ERROR"} ${failed}
temporal_long_request_latency_seconds_count{${labels}} ${all}
temporal_long_request_total{${labels}} ${all}
temporal_num_pollers{poller_type="activity_task",task_queue="${taskQueue}"} 10
`;
}

function watched() {
  let now = 0;
  const polls = new LongPolls([QUEUE], () => now);
  return {
    polls,
    age: () => polls.ages().get(QUEUE),
    at: (ms: number, text: string) => {
      now = ms;
      polls.read(text);
    },
  };
}

test('the age of the last answered poll grows while polls fail, however many are open', () => {
  const { at, age } = watched();
  at(15 * SECOND, page(3, 0));
  expect(age()).toBe(0);
  at(30 * SECOND, page(40, 37));
  at(200 * SECOND, page(400, 397));
  expect(age()).toBe(185);
  at(215 * SECOND, page(401, 397));
  expect(age()).toBe(0);
});

test('before the first poll is answered, the age counts from the start of the watch', () => {
  const { at, age } = watched();
  at(45 * SECOND, page(10, 10));
  expect(age()).toBe(45);
});

test('answered polls of another task queue do not count for this one', () => {
  const { at, age } = watched();
  at(60 * SECOND, page(10, 0, 'billing/ledger'));
  expect(age()).toBe(60);
});

test('two consecutive readings with only failures count as unanswered polls, one does not', () => {
  const { polls, at } = watched();
  at(15 * SECOND, page(3, 0));
  at(30 * SECOND, page(4, 1));
  expect(polls.unanswered()).toEqual([]);
  at(45 * SECOND, page(14, 11));
  expect(polls.unanswered()).toEqual([QUEUE]);
  at(60 * SECOND, page(15, 11));
  expect(polls.unanswered()).toEqual([]);
});

test('polls of Temporal that neither fail nor are answered count as unanswered after two minutes', () => {
  const { polls, at } = watched();
  at(0, page(3, 0));
  at(2 * MINUTE, page(3, 0));
  expect(polls.unanswered()).toEqual([]);
  at(2 * MINUTE + 1, '');
  expect(polls.unanswered()).toEqual([QUEUE]);
});

test("a failed reading of Core's metrics leaves the watch running, and the metric shows each task queue", async () => {
  const polls = new LongPolls([QUEUE]);
  let isAsked = false;
  const watching = watchPolls(polls, () => {
    isAsked = true;
    return Promise.reject(new Error('no answer'));
  });
  await waitUntil('Core is asked', () => isAsked);
  await watching.stop();
  const { registry, showPolls } = createTelemetry({});
  showPolls(() => new Map([[QUEUE, 240]]));
  expect(await registry.getSingleMetricAsString('dueday_temporal_last_poll_seconds')).toContain(
    `{task_queue="${QUEUE}"} 240`,
  );
});

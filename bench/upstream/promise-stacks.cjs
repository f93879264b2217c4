/**
 * Measures what it costs that the SDK captures a stack for each promise of a workflow: a workflow that creates 20,000 promises is
 * replayed with the SDK's promise hook and without it. Needs no server: `node bench/upstream/promise-stacks.cjs` runs itself once
 * for each. In debug mode workflows run on the main thread, where the hook can be disabled.
 */
const { execFileSync } = require('node:child_process');

const PROMISES = 20_000;
const WITHOUT = '--without-hook';

function historyOf(workflowType) {
  const payload = (value) => ({
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from(JSON.stringify(value)).toString('base64'),
  });
  const taskQueue = { name: 'replay', kind: 'TASK_QUEUE_KIND_NORMAL' };
  const events = [
    {
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
      workflowExecutionStartedEventAttributes: {
        workflowType: { name: workflowType },
        taskQueue,
        input: { payloads: [payload(PROMISES)] },
        originalExecutionRunId: 'f0000000-0000-4000-8000-000000000000',
        firstExecutionRunId: 'f0000000-0000-4000-8000-000000000000',
        workflowTaskTimeout: '10s',
        attempt: 1,
      },
    },
    {
      eventType: 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
      workflowTaskScheduledEventAttributes: { taskQueue, startToCloseTimeout: '10s', attempt: 1 },
    },
    { eventType: 'EVENT_TYPE_WORKFLOW_TASK_STARTED', workflowTaskStartedEventAttributes: { scheduledEventId: '2' } },
    {
      eventType: 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
      workflowTaskCompletedEventAttributes: { scheduledEventId: '2', startedEventId: '3' },
    },
    {
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
      workflowExecutionCompletedEventAttributes: { workflowTaskCompletedEventId: '4' },
    },
  ];
  return {
    events: events.map((event, index) => ({
      eventId: String(index + 1),
      eventTime: '2026-11-01T00:00:00Z',
      ...event,
    })),
  };
}

async function replay() {
  if (process.argv.includes(WITHOUT)) require('node:v8').promiseHooks.createHook = () => () => undefined;
  const { bundleWorkflowCode, DefaultLogger, Runtime, Worker } = require('@temporalio/worker');
  const logger = new DefaultLogger('ERROR');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath: require.resolve('./many-promises.cjs'), logger });
  Runtime.install({ logger });
  const options = { workflowBundle, debugMode: true };
  await Worker.runReplayHistory(options, historyOf('manyPromises'), 'warm-up');
  const before = process.cpuUsage();
  await Worker.runReplayHistory(options, historyOf('manyPromises'), 'measured');
  const { user } = process.cpuUsage(before);
  process.stdout.write(`${Math.round(user / 1000)}\n`);
  process.exit(0);
}

function compare() {
  const [hooked, bare] = [[], [WITHOUT]].map((flags) =>
    Number(execFileSync(process.execPath, [__filename, '--replay', ...flags], { encoding: 'utf8' })),
  );
  process.stdout.write(`a replay of ${PROMISES} promises: ${hooked} ms of processor, ${bare} ms without the hook\n`);
}

if (process.argv.includes('--replay')) void replay();
else compare();

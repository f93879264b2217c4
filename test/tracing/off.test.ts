import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { trace } from '@opentelemetry/api';
import type { WorkflowSignalInput } from '@temporalio/client';
import { inSpan, inTraceOf, startTracing } from '../../src/platform/tracing';
import { traceCalls } from '../../src/platform/tracing/temporal';
import { silentLog } from '../support/silent-log';
import { openOtlpReceiver } from './otlp-receiver';
import { traced } from './traces-on';

const ROOT = join(__dirname, '../..');
const ABOUT = `{ role: 'api', version: '0', instance: 'a child', log: { info() {}, warn() {}, debug() {} } }`;
const SUBJECT = { subscriptionId: 'gym', cycle: 3 };

/** The packages of OpenTelemetry that a process has loaded once it has started as `daemon` does. */
function loadedWith(endpoint: string): string[] {
  const program = `
    require('./src/process/daemon');
    require('./src/platform/tracing').startTracing({ endpoint: ${endpoint}, ...${ABOUT} }).then(() => {
      const packages = Object.keys(require.cache).map((path) => /node_modules\\/@opentelemetry\\/([^/]+)/.exec(path)?.[1]);
      process.stdout.write([...new Set(packages)].filter(Boolean).sort().join());
      process.exit();
    });`;
  const args = ['-r', './test/support/typescript.cjs', '-e', program];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).split(',');
}

test('without an endpoint nothing of the SDK is loaded', () => {
  expect(loadedWith('undefined')).toEqual(['api']);
  expect(loadedWith(`'http://127.0.0.1:1'`)).toEqual(
    expect.arrayContaining(['sdk-trace-base', 'exporter-trace-otlp-http']),
  );
});

/** One signal as the client sends it, and the headers with which it left. */
async function headersOfSignal(): Promise<readonly string[]> {
  const input: WorkflowSignalInput = {
    ...{ signalName: 'steered', args: [1], headers: {} },
    workflowExecution: { workflowId: 'subscription/gym' },
  };
  let sent: readonly string[] = [];
  await traceCalls.signal?.(input, async ({ headers }) => {
    sent = Object.keys(headers);
  });
  return sent;
}

test('without an endpoint work is done without spans and without headers', async () => {
  const receiver = await openOtlpReceiver();
  const off = await startTracing({
    ...{ endpoint: undefined, role: 'api', version: '0', instance: 'the test', log: silentLog() },
  });
  const seen = await inTraceOf(SUBJECT, 'a root', async () => [
    trace.getActiveSpan()?.isRecording() ?? false,
    await inSpan('a child', async () => 'done'),
    await headersOfSignal(),
  ]);
  expect(seen).toEqual([false, 'done', []]);
  await off.stop();
  expect(receiver.spans()).toEqual([]);
  await receiver.close();
});

test('with an endpoint, work outside of any trace has neither spans nor headers, and work within a trace has both', async () => {
  const headers: unknown[] = [];
  const { spans } = await traced(async () => {
    headers.push(await headersOfSignal());
    await inSpan('part of nothing', async () => undefined);
    await inTraceOf(SUBJECT, 'a root', async () => headers.push(await headersOfSignal()));
  });
  expect(headers).toEqual([[], ['_tracer-data']]);
  expect(spans.map(({ name }) => name)).toEqual(['SignalWorkflow:steered', 'a root']);
});

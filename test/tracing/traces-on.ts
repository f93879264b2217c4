import { startTracing, type Tracing } from '../../src/platform/tracing';
import { silentLog } from '../support/silent-log';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver';

/** What a collector got. */
export interface Traces {
  /** In the order in which they ended. */
  readonly spans: readonly ReceivedSpan[];
  /** As it came: all that left the process. */
  readonly text: string;
}

/** Traces of this process, while they are exported to a collector of the test's own. */
export interface TracesOn {
  readonly receiver: OtlpReceiver;
  /** Ends tracing, which sends what is left. */
  stop(): Promise<Traces>;
}

/** One at a time in a process. */
export async function traceToReceiver(): Promise<TracesOn> {
  const receiver = await openOtlpReceiver();
  const about = { role: 'worker', version: '0.0.0', instance: 'the test', log: silentLog() };
  const tracing: Tracing = await startTracing({ endpoint: receiver.url, ...about });
  return {
    receiver,
    async stop() {
      await tracing.stop();
      await receiver.close();
      return { spans: receiver.spans(), text: receiver.text() };
    },
  };
}

/** What was traced while the work ran. */
export async function traced(work: () => Promise<unknown>): Promise<Traces> {
  const tracing = await traceToReceiver();
  try {
    await work();
  } catch (error) {
    await tracing.stop();
    throw error;
  }
  return tracing.stop();
}

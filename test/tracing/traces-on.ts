import { startTracing, type Tracing } from '../../src/platform/tracing';
import { silentLog } from '../support/silent-log';
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver';

/** What a collector received. */
export interface Traces {
  /** The exported spans, in the order in which they ended. */
  readonly spans: readonly ReceivedSpan[];
  /** Everything that left the process, unparsed. */
  readonly text: string;
}

/** Tracing of this process, exported to the test's own collector. */
export interface TracesOn {
  readonly receiver: OtlpReceiver;
  /** Stops tracing, which exports the remaining spans. */
  stop(): Promise<Traces>;
}

/** Starts tracing to a new collector. A process may do so only once at a time. */
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

/** Does the work with tracing on. @returns what was exported */
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

import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { payloadFromJson, type PayloadJson, payloadToJson } from '../../src/payload-encryption';
import type { Order } from './workflows';

/** Orders that are under way at once. */
const AT_ONCE = 100;

const COPIED = 'copiedPayload';

/** An input that is a payload as it was found in a history. */
export function copied(payload: Payload): Readonly<Record<string, PayloadJson>> {
  return { [COPIED]: payloadToJson(payload) };
}

/** Someone who can reach Temporal's port and has no key: their own worker schedules activities on dueday's task queues. */
export class Stranger {
  private constructor(
    private readonly client: Client,
    private readonly worker: Worker,
    private readonly taskQueue: string,
    private readonly connections: readonly { close(): Promise<void> }[],
  ) {}

  static async open(address: string): Promise<Stranger> {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
    });
    const [connection, native] = await Promise.all([
      Connection.connect({ address }),
      NativeConnection.connect({ address }),
    ]);
    const taskQueue = `stranger-${randomUUID()}`;
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: require.resolve('./workflows'),
      logger: new DefaultLogger('ERROR'),
    });
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowBundle,
      dataConverter: { payloadCodecs: [COPYING] },
    });
    return new Stranger(new Client({ connection }), worker, taskQueue, [connection, native]);
  }

  /** Sends each once. Whether it is refused, fails or ends does not count; the records are compared afterwards. */
  async send(orders: readonly Order[]): Promise<void> {
    await this.worker.runUntil(async () => {
      for (let first = 0; first < orders.length; first += AT_ONCE)
        await Promise.all(orders.slice(first, first + AT_ONCE).map((order) => this.sendOne(order)));
    });
  }

  /** Every payload that Temporal has of activities so far, as their inputs. */
  async findInputs(): Promise<readonly Payload[]> {
    const found: Payload[] = [];
    for await (const { workflowId, runId } of this.client.workflow.list()) {
      const { events } = await this.client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? [])
        found.push(...(scheduled?.input?.payloads ?? []));
    }
    return found;
  }

  async close(): Promise<void> {
    for (const each of this.connections) await each.close();
  }

  private async sendOne(order: Order): Promise<void> {
    const workflowId = `stranger/${order.activity}/${randomUUID()}`;
    const { taskQueue } = this;
    const handle = await this.client.workflow.start('schedule', { workflowId, taskQueue, args: [order] });
    await handle.result().catch(() => undefined);
  }
}

/** Puts a payload that was copied in the place of the input that names it. */
const COPYING: PayloadCodec = {
  encode: async (payloads) => payloads.map((payload) => copyIn(payload) ?? payload),
  decode: async (payloads) => payloads,
};

function copyIn(payload: Payload): Payload | null {
  if (Buffer.from(payload.metadata?.['encoding'] ?? []).toString() !== 'json/plain') return null;
  const input = defaultPayloadConverter.fromPayload<Readonly<Record<string, PayloadJson>> | null>(payload);
  const found = typeof input === 'object' ? input?.[COPIED] : undefined;
  return found === undefined ? null : payloadFromJson(found);
}

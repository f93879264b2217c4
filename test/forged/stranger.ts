import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { argumentOf } from '../../src/contract/bound-values';
import { payloadFromJson, type PayloadJson, payloadToJson } from '../../src/platform/payload-encryption';
import type { Order } from './workflows';

/** The number of forged activities that run at once. */
const AT_ONCE = 100;

const COPIED = 'copiedPayload';

/** An input that is a payload as it was found in a history. */
export function copied(payload: Payload): Readonly<Record<string, PayloadJson>> {
  return { [COPIED]: payloadToJson(payload) };
}

/**
 * An outsider who can reach Temporal's port and has no key: the outsider's worker schedules activities on dueday's task
 * queues.
 */
export class Stranger {
  private constructor(
    private readonly client: Client,
    /** Sends copied payloads as they were found. */
    private readonly copying: Client,
    /** Creates a new worker each time, because a worker can run only once. */
    private readonly createWorker: () => Promise<Worker>,
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
    const createWorker = () =>
      Worker.create({ connection: native, taskQueue, workflowBundle, dataConverter: { payloadCodecs: [COPYING] } });
    const copying = new Client({ connection, dataConverter: { payloadCodecs: [COPYING] } });
    return new Stranger(new Client({ connection }), copying, createWorker, taskQueue, [connection, native]);
  }

  /**
   * Schedules each activity once. Whether it is refused, fails or ends is ignored; the records are compared afterwards.
   */
  async send(orders: readonly Order[]): Promise<void> {
    const worker = await this.createWorker();
    await worker.runUntil(async () => {
      for (let first = 0; first < orders.length; first += AT_ONCE)
        await Promise.all(orders.slice(first, first + AT_ONCE).map((order) => this.sendOne(order)));
    });
  }

  /**
   * Sends each payload that was sealed for a workflow to this workflow as every signal. Then takes over the workflow's
   * id, so that the payloads belong to it, and sends each of them to every activity, and as the input of every other
   * type of workflow.
   */
  async impersonate(workflowId: string, known: Impersonated, payloads: readonly Payload[]): Promise<void> {
    const handle = this.copying.workflow.getHandle(workflowId);
    for (const payload of payloads)
      for (const signal of known.signals) await handle.signal<unknown[]>(signal, copied(payload));
    const id = { workflowId, workflowIdConflictPolicy: 'TERMINATE_EXISTING' } as const;
    const worker = await this.createWorker();
    await worker.runUntil(async () => {
      const options = { ...id, taskQueue: this.taskQueue, args: [known.orders(payloads.map(copied))] };
      await this.client.workflow.execute('schedule', options);
    });
    for (const payload of payloads)
      for (const type of known.types.filter((each) => purposeOf(payload) !== argumentOf('workflow', each))) {
        const options = { ...id, taskQueue: known.taskQueue, args: [copied(payload)] };
        await this.copying.workflow.execute(type, options).catch(() => undefined);
      }
  }

  /** One payload for each purpose that Temporal has of the workflow: of its messages and activities, both ways. */
  async findSealed(workflowId: string): Promise<readonly Payload[]> {
    const found = new Map<string, Payload>();
    for await (const { runId } of this.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const { events } = await this.client.workflow.getHandle(workflowId, runId).fetchHistory();
      for (const payload of events?.flatMap(payloadsIn) ?? []) found.set(purposeOf(payload), payload);
    }
    found.delete('');
    return [...found.values()];
  }

  /** Every input of an activity that Temporal has so far. */
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
    const handle = await this.client.workflow.start('schedule', { workflowId, taskQueue, args: [[order]] });
    await handle.result().catch(() => undefined);
  }
}

/** What a stranger knows of the workflows of an installation. */
export interface Impersonated {
  readonly taskQueue: string;
  readonly signals: readonly string[];
  readonly types: readonly string[];
  /** Each of the inputs to each activity. */
  readonly orders: (inputs: readonly unknown[]) => readonly Order[];
}

function payloadsIn(value: unknown): readonly Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return 'metadata' in value && 'data' in value ? [value as Payload] : Object.values(value).flatMap(payloadsIn);
}

function purposeOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.['bound-to'] ?? []).toString();
}

/** Replaces an input that names a copied payload by that payload. */
const COPYING: PayloadCodec = {
  encode: async (payloads) => payloads.map((payload) => copyIn(payload) ?? payload),
  decode: async (payloads) => payloads.map(withoutSealed),
};

/** Replaces a sealed result, which the stranger cannot read: an activity that got a copy of its own input may have accepted it. */
function withoutSealed(payload: Payload): Payload {
  return purposeOf(payload) === '' ? payload : defaultPayloadConverter.toPayload(null);
}

function copyIn(payload: Payload): Payload | null {
  if (Buffer.from(payload.metadata?.['encoding'] ?? []).toString() !== 'json/plain') return null;
  const input = defaultPayloadConverter.fromPayload<Readonly<Record<string, PayloadJson>> | null>(payload);
  const found = typeof input === 'object' ? input?.[COPIED] : undefined;
  return found === undefined ? null : payloadFromJson(found);
}

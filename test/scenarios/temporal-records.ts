import type { Client } from '@temporalio/client';
import { interactiveQueue } from '../../src/contract/workflows';

/** All that Temporal keeps of one workflow, as text. */
export interface TemporalRecord {
  readonly workflowId: string;
  readonly text: string;
}

/** Histories, search attributes, memo and summaries of every workflow of the base and the interactive task queue, payloads unpacked. */
export async function everythingInTemporal(client: Client, taskQueue: string): Promise<TemporalRecord[]> {
  const records: TemporalRecord[] = [];
  const query = `TaskQueue in ('${taskQueue}', '${interactiveQueue(taskQueue)}')`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const [history, description] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    const { raw, memo, typedSearchAttributes } = description;
    const parts = [history, raw, memo, typedSearchAttributes.getAll()];
    records.push({ workflowId, text: parts.map(readable).join('\n') });
  }
  return records;
}

/** JSON in which bytes, which is how payloads are kept, read as the text that they hold. */
function readable(value: unknown): string {
  return JSON.stringify(unpacked(value));
}

function unpacked(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return value.map(unpacked);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unpacked(each)]));
}

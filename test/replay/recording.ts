import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { PathName } from './paths';
import { scrub } from './scrub';

export const HISTORIES = join(__dirname, 'histories');
/** A chain of continued runs repeats itself. */
const RUNS_KEPT = 2;

type History = Parameters<typeof historyToJSON>[0];

/** Where `RECORD_HISTORIES` is set: keeps the histories of a workflow's first runs as `<path>.<run>.json`. */
export async function recordHistories(env: TestWorkflowEnvironment, workflowId: string, path: PathName): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  mkdirSync(HISTORIES, { recursive: true });
  const histories = await historiesOf(env.client, workflowId);
  histories.slice(0, RUNS_KEPT).forEach((history, index) => {
    writeFileSync(
      join(HISTORIES, fileOf(path, index)),
      `${JSON.stringify(scrub(JSON.parse(historyToJSON(history))))}\n`,
    );
  });
}

export function fileOf(path: string, run: number): string {
  return `${path.replace(/ /g, '-')}.${run}.json`;
}

/** Oldest run first. */
export async function historiesOf(client: Client, workflowId: string): Promise<History[]> {
  const histories: History[] = [];
  let runId: string | null | undefined;
  do {
    const history: History = await client.workflow.getHandle(workflowId, runId ?? undefined).fetchHistory();
    histories.unshift(history);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  } while (runId !== undefined && runId !== null && runId !== '');
  return histories;
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { PathName } from './paths';
import { scrub } from './scrub';

/** A folder for each release: its histories must continue to replay, and are never recorded again. */
const RELEASES = join(__dirname, 'histories');
/** The histories of the release in progress. Until it is published, its folder may be removed and recorded again. */
const HISTORIES = join(RELEASES, '1.0');
/** How many runs of a workflow are kept: later continued runs are like earlier ones. */
const RUNS_KEPT = 2;

type History = Parameters<typeof historyToJSON>[0];

/** Where `RECORD_HISTORIES` is set: keeps the histories of a workflow's first runs, see {@link keepHistory}. */
export async function recordHistories(env: TestWorkflowEnvironment, workflowId: string, path: PathName): Promise<void> {
  if (process.env['RECORD_HISTORIES'] !== '1') return;
  mkdirSync(HISTORIES, { recursive: true });
  const histories = (await historiesOf(env.client, workflowId)).filter(hasDecided);
  histories.slice(0, RUNS_KEPT).forEach((history, run) => {
    keepHistory(path, run, `${JSON.stringify(scrub(JSON.parse(historyToJSON(history))))}\n`);
  });
}

/** A run that has not yet completed a workflow task has nothing to replay. */
function hasDecided({ events }: History): boolean {
  return events?.some(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes) ?? false;
}

/** Stores a history of the release in progress: the first that is recorded of each path. None is ever overwritten. */
export function keepHistory(path: PathName, run: number, text: string): void {
  const file = fileOf(path, run);
  const kept = join(HISTORIES, file);
  const before = recordedHistories().findLast((each) => each.endsWith(`/${file}`));
  if (existsSync(kept) || (before !== undefined && eventsOf(readHistory(before)) === eventsOf(text))) return;
  writeFileSync(kept, text);
}

function eventsOf(history: string): string {
  const { events } = JSON.parse(history) as { readonly events: readonly { readonly eventType: string }[] };
  return events.map(({ eventType }) => eventType).join();
}

/** Every recorded history as `<release>/<file>`, oldest release first. */
export function recordedHistories(): string[] {
  return readdirSync(RELEASES)
    .sort()
    .flatMap((release) => readdirSync(join(RELEASES, release)).map((file) => `${release}/${file}`))
    .filter((file) => file.endsWith('.json'));
}

export function readHistory(file: string): string {
  return readFileSync(join(RELEASES, file), 'utf8');
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

import { type Config, loadQuietly } from '../../config';
import { counted } from '../../domain/money';
import { BadInputError, CommandError, reaching } from '../../process/command-error';
import { withTemporal, workerConverter } from '../../process/temporal';
import { withSilentRuntime, replayNewest } from '../../process/versions/replay';
import { workflowCode } from '../../platform/workflow-bundle';
import { print, printTable } from '../output';

export interface ReplayArguments {
  /** How many histories of each kind to replay, as typed. */
  readonly newest?: string;
}

const NEWEST = 100;
const MAX_HISTORIES = 100_000;

/**
 * Replays a cluster's newest running workflows in this build; exit code 1 if one cannot be replayed.
 * @throws CommandError
 */
export async function verifyReplay({ newest }: ReplayArguments): Promise<void> {
  const count = readCount(newest);
  const config = loadQuietly(['TEMPORAL_ADDRESS']);
  const failed = await withSilentRuntime(() => replayHere(config, count));
  if (failed > 0) throw new CommandError(`${counted(failed, 'history', 'histories')} cannot be replayed`);
}

/** @throws BadInputError */
export function readCount(text: string | undefined): number {
  if (text === undefined) return NEWEST;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_HISTORIES) return count;
  throw new BadInputError([
    `--newest: expected a number of histories, 1 to ${MAX_HISTORIES}; got ${JSON.stringify(text)}`,
  ]);
}

/**
 * Replays the newest running workflows of each kind, and prints each failure and the counts of each kind.
 * @returns the number of failures
 */
export async function replayHere(config: Config, newest: number): Promise<number> {
  const code = await workflowCode();
  return reaching('the histories cannot be read', async () => {
    const counts = new Map<string, { replayed: number; failed: number }>();
    await withTemporal(config, async ({ client }) => {
      const taskQueue = config.TEMPORAL_TASK_QUEUE;
      const replaying = { client, code, dataConverter: workerConverter(config), taskQueue };
      for await (const { kind, workflowId, runId, fault } of replayNewest(replaying, newest)) {
        const count = counts.get(kind) ?? { replayed: 0, failed: 0 };
        counts.set(kind, count);
        count[fault === null ? 'replayed' : 'failed'] += 1;
        if (fault !== null) print(`${workflowId}, run ${runId}: ${fault}`);
      }
    });
    const all = [...counts.entries()];
    if (all.length > 0)
      printTable([
        ['KIND', 'REPLAYED', 'FAILED'],
        ...all.map(([kind, { replayed, failed }]) => [kind, String(replayed), String(failed)]),
      ]);
    const sum = (result: 'replayed' | 'failed') => all.reduce((before, [, count]) => before + count[result], 0);
    print(`replay: ${sum('replayed') + sum('failed')} histories, ${sum('failed')} failed`);
    return sum('failed');
  });
}

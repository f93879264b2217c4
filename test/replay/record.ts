/**
 * Records the histories of the release under way anew, all of them, by walking every path: `node -r ./test/support/typescript.cjs test/replay/record.ts`.
 * Only where the workflows were changed on purpose; histories that no longer replay break what runs in production.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORIES, readHistory, recordedHistories } from './recording';

const root = join(__dirname, '..', '..');
rmSync(HISTORIES, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), 'test/workflows'], {
  cwd: root,
  env: { ...process.env, RECORD_HISTORIES: '1' },
  stdio: 'inherit',
});
for (const file of readdirSync(HISTORIES)) if (isAsBefore(file)) rmSync(join(HISTORIES, file));
process.exit(status ?? 1);

/** Whether the newest release before has the same events: that history is kept already. */
function isAsBefore(file: string): boolean {
  const before = recordedHistories().findLast(
    (each) => each.endsWith(`/${file}`) && !HISTORIES.endsWith(each.split('/')[0]!),
  );
  return (
    before !== undefined && eventsOf(readHistory(before)) === eventsOf(readFileSync(join(HISTORIES, file), 'utf8'))
  );
}

function eventsOf(history: string): string {
  const { events } = JSON.parse(history) as { readonly events: readonly { readonly eventType: string }[] };
  return events.map(({ eventType }) => eventType).join();
}

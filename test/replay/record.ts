/**
 * Records the histories of the release under way anew, all of them, by walking every path: `node -r ./test/support/typescript.cjs test/replay/record.ts`.
 * Only where the workflows were changed on purpose; histories that no longer replay break what runs in production.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORIES } from './recording';

const root = join(__dirname, '..', '..');
rmSync(HISTORIES, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [require.resolve('jest/bin/jest'), 'test/workflows'], {
  cwd: root,
  env: { ...process.env, RECORD_HISTORIES: '1' },
  stdio: 'inherit',
});
process.exit(status ?? 1);

import { chmod, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { runOutside } from '../outside-command';

/** The two servers that Temporal's SDK can download, by the names of its functions. */
export type SdkServer = 'createLocal' | 'createTimeSkipping';

/** The SDK writes into the folder as soon as its host answers; without a file by then, the host is unreachable. */
const REACH_MS = 10_000;
const DOWNLOAD_MS = 10 * 60_000;

/** Runs in a separate process, because a hanging download in the SDK cannot be cancelled. */
const DOWNLOAD_SCRIPT = `
const [sdk, create, downloadDir, version] = process.argv.slice(1);
const { TestWorkflowEnvironment } = require(sdk);
TestWorkflowEnvironment[create]({ server: { executable: { type: 'cached-download', downloadDir, version } } })
  .then((environment) => environment.teardown())
  .catch((error) => { console.error(error.message.split('\\n')[0]); process.exit(1); });`;

/** Lets the SDK download a server to `file` in the folder, and start it once to verify that it runs here. */
export async function downloadBySdk(
  server: SdkServer,
  version: string,
  folder: string,
  file: string,
  reachMs = REACH_MS,
): Promise<void> {
  const unreachable = new AbortController();
  const reach = setTimeout(() => void giveUpIfEmpty(folder, reachMs, unreachable), reachMs);
  try {
    await runOutside({
      command: process.execPath,
      args: ['-e', DOWNLOAD_SCRIPT, require.resolve('@temporalio/testing'), server, folder, version],
      giveUp: AbortSignal.any([unreachable.signal, AbortSignal.timeout(DOWNLOAD_MS)]),
    });
  } finally {
    clearTimeout(reach);
  }
  const [downloaded] = await readdir(folder);
  if (downloaded === undefined) throw new Error('the SDK downloaded nothing');
  await rename(join(folder, downloaded), join(folder, file));
  await chmod(join(folder, file), 0o755);
}

async function giveUpIfEmpty(folder: string, reachMs: number, unreachable: AbortController): Promise<void> {
  if ((await readdir(folder)).length === 0)
    unreachable.abort(new Error(`no answer from its download host in ${reachMs / 1000} seconds`));
}

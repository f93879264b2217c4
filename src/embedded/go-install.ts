import type { Logger } from '../platform/log';
import { readOutput, runOutside } from './outside-command';

export interface GoInstall {
  /** The name to show, such as `Temporal v1.5.1`. */
  what: string;
  /** How long it takes, as text. */
  duration: string;
  /** `module/path@version`: programs of one module in one version. */
  packages: readonly string[];
  /** The target folder; each program is named after the last part of its path. */
  folder: string;
  log: Logger;
  /** Gets the progress with each line of output. */
  report: (progress: string) => void;
}

/**
 * Omits debug information and, as Temporal does for its own server, the gRPC modules of Google's storage client: a fifth less
 * work.
 */
const LEAN = ['-ldflags=-s -w', '-gcflags=all=-dwarf=false', '-tags=disable_grpc_modules'];

/**
 * Builds programs of a Go module with the user's own Go, without C.
 * @throws if Go is missing, or too old for the module, or if the build fails: with its last lines
 */
export async function installByGo({ what, duration, packages, folder, log, report }: GoInstall): Promise<void> {
  const goVersion = await readOutput('go', ['env', 'GOVERSION']);
  log.info(`building ${what} with ${goVersion}: once, ${duration}`);
  const progress = { fetched: 0, compiled: 0 };
  await runOutside({
    command: 'go',
    args: ['install', '-v', ...LEAN, ...packages],
    // Without C, only Go is needed.
    env: { GOBIN: folder, CGO_ENABLED: '0' },
    onLine: (line) => {
      if (line.startsWith('go: downloading')) progress.fetched++;
      else progress.compiled++;
      report(`${progress.fetched} modules fetched, ${progress.compiled} packages compiled`);
    },
  });
}

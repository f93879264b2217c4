import type { Logger } from '../platform/log';
import { askOutside, runOutside } from './outside-command';

export interface GoInstall {
  /** For people: `Temporal v1.5.1`. */
  what: string;
  /** How long it takes, in words. */
  duration: string;
  /** `module/path@version`: programs of one module, in one version. */
  packages: readonly string[];
  /** Gets the programs, each named after the last part of its path. */
  folder: string;
  log: Logger;
  /** Hears with each line how far it is. */
  report: (howFar: string) => void;
}

/**
 * Without what only a debugger reads, and, as Temporal builds its own server, without the gRPC that Google's storage would
 * bring: a fifth less to do.
 */
const LEAN = ['-ldflags=-s -w', '-gcflags=all=-dwarf=false', '-tags=disable_grpc_modules'];

/**
 * Builds programs of a Go module, by the user's own Go and no C.
 * @throws where Go is not installed, or too old for the module, or the build fails: with its last lines
 */
export async function installByGo({ what, duration, packages, folder, log, report }: GoInstall): Promise<void> {
  const goVersion = await askOutside('go', ['env', 'GOVERSION']);
  log.info(`building ${what} with ${goVersion}: once, ${duration}`);
  const progress = { fetched: 0, compiled: 0 };
  await runOutside({
    command: 'go',
    args: ['install', '-v', ...LEAN, ...packages],
    // Without C: nothing but Go is needed.
    env: { GOBIN: folder, CGO_ENABLED: '0' },
    onLine: (line) => {
      if (line.startsWith('go: downloading')) progress.fetched++;
      else progress.compiled++;
      report(`${progress.fetched} modules fetched, ${progress.compiled} packages compiled`);
    },
  });
}

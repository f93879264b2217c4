import { DefaultLogger, Runtime } from '@temporalio/worker';

/** For a test file that starts no environment: workers say every start and stop otherwise. */
export function quietRuntime(): void {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}

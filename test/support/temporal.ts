import type { ClientOptions } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkerOptions } from '@temporalio/worker';
import { quietRuntime } from './quiet-runtime.cjs';
import { silentLog } from './silent-log';
import { partOfRun } from './test-run';
import { startTimeSkippingTemporal } from './time-skipping/server';

/** A Temporal of the test file's own, whose clock skips waiting. Costs 1.5 s; end it with `teardown()` in `afterAll`. */
export async function startTimeSkippingEnv(
  client: Pick<ClientOptions, 'interceptors'> = {},
): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  // Throws with the reason if the run has no server.
  partOfRun('timeSkippingServer');
  const server = await startTimeSkippingTemporal(silentLog(), silentLog());
  const env = await connectSkipping(server.address, client);
  const disconnect = env.teardown.bind(env);
  env.teardown = async () => {
    await disconnect();
    await server.stop();
  };
  return env;
}

/** What the SDK's own `createTimeSkipping` calls, which cannot be given a server that already runs. */
type Create = (options: {
  readonly server: { readonly type: 'existing' };
  readonly address: string;
  readonly supportsTimeSkipping: true;
  readonly client: ClientOptions;
}) => Promise<TestWorkflowEnvironment>;

/** The teardown of this environment only disconnects; it does not stop the server. */
function connectSkipping(address: string, client: ClientOptions): Promise<TestWorkflowEnvironment> {
  const { create } = TestWorkflowEnvironment as unknown as { readonly create: Create };
  const server = { type: 'existing' } as const;
  return create.call(TestWorkflowEnvironment, { server, address, supportsTimeSkipping: true, client });
}

/** The development server that the whole run shares: real time, list, count and search attributes. End it with `teardown()` too. */
export async function connectDevServerEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  return TestWorkflowEnvironment.createFromExistingServer({ address: partOfRun('temporal').address });
}

/**
 * The workflows for `Worker.create`, run in this thread: a separate thread takes longer to load than most tests run.
 * Tests of real processes run the workflows in separate threads, which is the default.
 */
export function testWorkflows(): Pick<WorkerOptions, 'workflowBundle' | 'debugMode'> {
  return { workflowBundle: partOfRun('workflowBundle'), debugMode: true };
}

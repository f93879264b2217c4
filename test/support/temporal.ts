import type { ClientOptions } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkerOptions } from '@temporalio/worker';
import { provideTemporal } from '../../src/embedded/temporal/program';
import { startTimeSkippingTemporal } from '../../src/embedded/temporal/time-skipping-temporal';
import { connectSkipping } from '../../src/simulation/skipping-temporal';
import { quietRuntime } from './quiet-runtime.cjs';
import { silentLog } from './silent-log';
import { partOfRun } from './test-run';

/** A Temporal of the test file's own, whose clock skips waiting. Costs 1.5 s; end it with `teardown()` in `afterAll`. */
export async function startTimeSkippingEnv(
  client: Pick<ClientOptions, 'interceptors'> = {},
): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  // Throws the reason where the run could not have it.
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

/** The development server that the whole run shares: real time, list, count and search attributes. End it with `teardown()` too. */
export async function connectDevServerEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  return TestWorkflowEnvironment.createFromExistingServer({ address: partOfRun('temporal').address });
}

/** A development server of the test file's own, set as the pairs of dynamic configuration say. Costs 2 s; end it with `teardown()`. */
export async function startDevServerEnv(
  dynamicConfig: Readonly<Record<string, number>>,
): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { path } = await provideTemporal(silentLog());
  const extraArgs = Object.entries(dynamicConfig).flatMap(([key, value]) => [
    '--dynamic-config-value',
    `${key}=${value}`,
  ]);
  return TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path }, extraArgs } });
}

/**
 * The workflows for `Worker.create`, run in this thread: one of their own takes longer to load than most tests last.
 * Tests of real processes have them in threads, as is the default.
 */
export function testWorkflows(): Pick<WorkerOptions, 'workflowBundle' | 'debugMode'> {
  return { workflowBundle: partOfRun('workflowBundle'), debugMode: true };
}

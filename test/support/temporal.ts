import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { partOfRun } from './test-run';

let runtimeIsQuiet = false;

/** A Temporal of the test file's own, whose clock skips waiting. Costs 1.5 s; end it with `teardown()` in `afterAll`. */
export async function startTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { path } = partOfRun('timeSkippingServer');
  return TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}

/** The development server that the whole run shares: real time, list, count and search attributes. End it with `teardown()` too. */
export async function connectDevServerEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  return TestWorkflowEnvironment.createFromExistingServer({ address: partOfRun('temporal').address });
}

/** For `Worker.create({ workflowBundle, … })`. */
export function workflowBundle(): { codePath: string } {
  return partOfRun('workflowBundle');
}

/** Workers report every start and stop otherwise. */
function quietRuntime(): void {
  if (runtimeIsQuiet) return;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  runtimeIsQuiet = true;
}

import { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes';
import { provideTimeSkippingServer } from '../embedded/time-skipping-server';
import type { Logger } from '../log';

/** Temporal's number for the type Keyword. */
const KEYWORD = 2;
/** gRPC's own number: registered by the server already. */
const ALREADY_EXISTS = 6;
const TRIES = 3;

/** Temporal whose clock skips whatever nobody works in. End it with `teardown`. */
export async function startSkippingTemporal(log: Logger): Promise<TestWorkflowEnvironment> {
  const path = await provideTimeSkippingServer(log);
  const env = await startPatiently(path, TRIES);
  await registerSearchAttributes(env).catch(async (error: unknown) => {
    await env.teardown();
    throw error;
  });
  return env;
}

/** The SDK gives the server five seconds to come up, which a busy machine may not have. */
async function startPatiently(path: string, triesLeft: number): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (error) {
    if (triesLeft === 1 || !/did not start within/.test(String(error))) throw error;
    return startPatiently(path, triesLeft - 1);
  }
}

async function registerSearchAttributes(env: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
  try {
    await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  } catch (error) {
    if ((error as { code?: unknown }).code !== ALREADY_EXISTS) throw error;
  }
}

import type { ClientOptions } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES } from '../contract/workflows';
import type { Stops } from '../embedded/server-life';
import { startTimeSkippingTemporal } from '../embedded/temporal/time-skipping-temporal';
import type { Logger } from '../log';

/** Temporal's number for the type Keyword. */
const KEYWORD = 2;
/** gRPC's own number: registered by the server already. */
const ALREADY_EXISTS = 6;

/** Temporal whose clock skips the time in which no activity runs. */
export async function startSkippingTemporal(
  { progress, log }: { readonly progress: Logger; readonly log: Logger },
  stops: Stops,
): Promise<TestWorkflowEnvironment> {
  const server = await startTimeSkippingTemporal(progress, log);
  stops.push(() => server.stop());
  const env = await connectSkipping(server.address);
  stops.push(() => env.teardown());
  await registerSearchAttributes(env);
  return env;
}

/** What the SDK's own `createTimeSkipping` calls; it offers no way to hand it a server that runs already. */
type Create = (options: {
  readonly server: { readonly type: 'existing' };
  readonly address: string;
  readonly supportsTimeSkipping: true;
  readonly client: ClientOptions;
}) => Promise<TestWorkflowEnvironment>;

/** Its teardown leaves the server to whoever started it. */
export function connectSkipping(address: string, client: ClientOptions = {}): Promise<TestWorkflowEnvironment> {
  const { create } = TestWorkflowEnvironment as unknown as { readonly create: Create };
  const server = { type: 'existing' } as const;
  return create.call(TestWorkflowEnvironment, { server, address, supportsTimeSkipping: true, client });
}

async function registerSearchAttributes(env: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
  try {
    await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  } catch (error) {
    if ((error as { code?: unknown }).code !== ALREADY_EXISTS) throw error;
  }
}

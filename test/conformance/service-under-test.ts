import { createControlledWorld, type ServiceAddress, type World } from '../../src/conformance';
import { createClock } from '../../src/platform/clock';
import { createLogger } from '../../src/platform/log';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox';

export const CREDENTIALS = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

export interface ServiceUnderTest {
  readonly sandbox: Sandbox;
  readonly service: ServiceAddress;
  readonly world: World;
  readonly close: () => Promise<void>;
}

/** The simulator on a socket of its own, as `dueday sandbox` starts it, and a world that uses its control routes. */
export async function openService(options: Partial<SandboxOptions> = {}): Promise<ServiceUnderTest> {
  const sandbox = createSandbox({
    clock: createClock(null),
    logger: createLogger('silent'),
    ...CREDENTIALS,
    ...options,
  });
  const { url } = await sandbox.listen(0);
  const service = { baseUrl: url, tokenUrl: `${url}/oauth/token`, timeoutMs: 10_000 };
  const world = createControlledWorld(service);
  return { sandbox, service, world, close: () => sandbox.close() };
}

import { CommandError } from '../../process/command-error';
import { type Access, accessOf, ask, askList } from './call';
import { showList } from './terminal';

export interface TriggerArguments {
  /** Its id; every enabled one where left out. */
  readonly endpoint?: string;
  readonly json?: boolean;
}

/**
 * Sends endpoints a sample of a type, marked as a test, and shows what is on its way.
 * @throws CommandError as `callApi` does, and where no endpoint could get it
 */
export async function triggerEvent(type: string, { endpoint, json = false }: TriggerArguments): Promise<void> {
  const access = accessOf(process.env);
  const endpoints = endpoint === undefined ? await listEnabled(access) : [endpoint];
  if (endpoints.length === 0) throw new CommandError('no endpoint is enabled: dueday endpoints create makes one');
  const queued: Record<string, unknown>[] = [];
  for (const id of endpoints) queued.push(await ask(access, 'testWebhookEndpoint', { path: { id }, body: { type } }));
  showList(queued, {}, json || !process.stdout.isTTY);
}

interface Endpoint {
  readonly endpointId: string;
  readonly enabled: boolean;
  /** Of the environment, which gets notices. */
  readonly readOnly: boolean;
}

async function listEnabled(access: Access): Promise<readonly string[]> {
  const all = await askList<Endpoint>(access, 'listWebhookEndpoints', {});
  return all.filter(({ enabled, readOnly }) => enabled && !readOnly).map(({ endpointId }) => endpointId);
}

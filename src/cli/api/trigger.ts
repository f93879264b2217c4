import { CommandError } from '../../process/command-error';
import { type Access, accessOf, ask, askList } from './call';
import { showList } from './terminal';

export interface TriggerArguments {
  /** The id of one endpoint; by default every enabled endpoint gets the event, except that of the environment. */
  readonly endpoint?: string;
  readonly json?: boolean;
}

/**
 * Sends endpoints a sample event, marked as a test, and shows the queued deliveries.
 * @throws CommandError as `callApi` does, and if no endpoint is enabled
 */
export async function triggerEvent(type: string, { endpoint, json = false }: TriggerArguments): Promise<void> {
  const access = accessOf(process.env);
  const endpoints = endpoint === undefined ? await listEnabled(access) : [endpoint];
  if (endpoints.length === 0) throw new CommandError('no endpoint is enabled: create one with dueday endpoints create');
  const queued: Record<string, unknown>[] = [];
  for (const id of endpoints) queued.push(await ask(access, 'testWebhookEndpoint', { path: { id }, body: { type } }));
  showList(queued, {}, json || !process.stdout.isTTY);
}

interface Endpoint {
  readonly endpointId: string;
  readonly enabled: boolean;
  /** The endpoint configured by the environment, which gets notices. */
  readonly readOnly: boolean;
}

async function listEnabled(access: Access): Promise<readonly string[]> {
  const all = await askList<Endpoint>(access, 'listWebhookEndpoints', {});
  return all.filter(({ enabled, readOnly }) => enabled && !readOnly).map(({ endpointId }) => endpointId);
}

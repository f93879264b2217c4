import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../src/contract/workflows';
import type { Check } from '../support/campaign';
import { runScript } from './programs';
import type { TemporalCluster } from './temporal-cluster';

const PAGE = join(__dirname, '..', '..', 'docs', 'guides', 'deploy.md');

/** The command of docs/guides/deploy.md for the administrator of a cluster. @throws if the page has no such command */
export function commandOfOperator(): string {
  const commands = [...readFileSync(PAGE, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, command]) => command ?? '',
  );
  const found = commands.find((command) => command.includes('search-attribute create'));
  if (found === undefined) throw new Error('docs/guides/deploy.md does not say how search attributes are registered');
  return found;
}

/**
 * Registers the search attributes with {@link commandOfOperator}, before any program of ours starts, which would do so
 * itself.
 * @returns a check that the cluster then has each of them, as a keyword
 */
export async function registerAsOperator(cluster: TemporalCluster): Promise<Check> {
  await runScript(commandOfOperator(), cluster.programs, { TEMPORAL_ADDRESS: cluster.address });
  return areRegistered(cluster);
}

async function areRegistered({ programs, address }: TemporalCluster): Promise<Check> {
  const listed = await runScript('temporal operator search-attribute list --namespace default', programs, {
    TEMPORAL_ADDRESS: address,
  });
  const lines = listed.split('\n').map((line) => line.trim().split(/\s+/));
  const names = SEARCH_ATTRIBUTES.map(({ name }) => name);
  const missing = names.filter(
    (name) => !lines.some(([listedName, type]) => listedName === name && type === 'Keyword'),
  );
  const found = missing.length === 0 ? names.join(', ') : `without ${missing.join(', ')}: ${listed}`;
  return { name: "the operator's command has registered the search attributes", holds: missing.length === 0, found };
}

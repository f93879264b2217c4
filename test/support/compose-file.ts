import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly restart?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, null>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

/** docker-compose.yml, as it is. */
export const composeText = readFileSync(join(__dirname, '..', '..', 'docker-compose.yml'), 'utf8');

export const compose = parse(composeText, { merge: true }) as ComposeFile;

/** Replaces `${NAME:-default}` by the default, as on a machine where no variable is set. */
function withDefaults(value: string): string {
  return value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
}

/** The variables of a service on a machine where nothing is set. */
export function composeEnvironment(service: string): Record<string, string> {
  const entries = Object.entries(compose.services[service]?.environment ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, withDefaults(value)]));
}

/** The content of a file that compose writes into a container. @throws if there is no such file */
export function composeContent(config: string): string {
  const found = compose.configs[config];
  if (found === undefined) throw new Error(`docker-compose.yml has no config ${config}`);
  return found.content.replaceAll('$$', '$');
}

/** The version that a service's image is pinned to: `1.32.1`. @throws if there is no such service, or no tag */
export function composeVersion(service: string): string {
  const tag = /:v?([^:/]+)$/.exec(compose.services[service]?.image ?? '')?.[1];
  if (tag === undefined) throw new Error(`docker-compose.yml pins no image of ${service}`);
  return tag;
}

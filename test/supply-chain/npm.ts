import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Check } from '../support/campaign';

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Real ms in which npm answers, even if it asks a registry. */
const TIMEOUT = 120_000;

export interface Component {
  readonly 'bom-ref': string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** Runs npm. @returns its output, whatever its exit code */
async function npm(root: string, args: readonly string[]): Promise<Said> {
  const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { stdout, stderr };
}

/** A document of CycloneDX, as far as it is read here. */
export interface Sbom {
  readonly bomFormat?: string;
  readonly components?: readonly Component[];
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly metadata?: { readonly component?: { readonly 'bom-ref': string } };
}

/**
 * The bill of materials of these packages and ours, in CycloneDX. npm itself lists everything in the lock file; if it is to omit
 * development, it also omits packages that production and development both need.
 * @param kept as `name@version`
 * @throws Error if npm fails, or omits one
 */
export async function readSbom(root: string, kept: ReadonlySet<string>): Promise<Sbom> {
  const { stdout, stderr } = await npm(root, ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);
  const sbom = parse(stdout) as Sbom | null;
  if (sbom?.bomFormat !== 'CycloneDX') throw new Error(`npm sbom gave no CycloneDX document: ${stderr.trim()}`);
  return narrowed(sbom, kept);
}

/** The part of the bill of materials about these packages and ours. @throws Error if it lacks one */
export function narrowed(sbom: Sbom, kept: ReadonlySet<string>): Sbom {
  const components = sbom.components?.filter((each) => kept.has(each['bom-ref'])) ?? [];
  const told = new Set(components.map((each) => each['bom-ref']));
  const missing = [...kept].filter((each) => !told.has(each));
  if (missing.length > 0) throw new Error(`npm sbom lacks ${missing.join(', ')}`);
  const ours = sbom.metadata?.component?.['bom-ref'];
  const dependencies = (sbom.dependencies ?? [])
    .filter(({ ref }) => kept.has(ref) || ref === ours)
    .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => kept.has(ref)) }));
  return { ...sbom, components, dependencies };
}

/** The known vulnerabilities; null if the registry's advisories could not be fetched. */
export type Vulnerabilities = { readonly total: number; readonly text: string } | null;

/** Known vulnerabilities of the packages that run. */
export async function askVulnerabilities(root: string): Promise<Vulnerabilities> {
  return readVulnerabilities((await npm(root, ['audit', '--json', '--omit', 'dev'])).stdout);
}

/** The check of known vulnerabilities, which fails if they could not be fetched. */
export function advisoriesCheck(vulnerabilities: Vulnerabilities): Check {
  const name = 'known vulnerabilities';
  if (vulnerabilities === null)
    return { name, holds: false, found: "not checked: the registry's advisories did not answer" };
  return { name, holds: vulnerabilities.total === 0, found: vulnerabilities.text };
}

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'] as const;

/** Reads the output of `npm audit --json`. An output without counts is null, and never read as 0. */
export function readVulnerabilities(said: string): Vulnerabilities {
  const report = parse(said) as { error?: unknown; metadata?: { vulnerabilities?: Record<string, unknown> } } | null;
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined || report?.error !== undefined || typeof counts['total'] !== 'number') return null;
  const found = SEVERITIES.flatMap((each) => (counts[each] === 0 ? [] : [`${String(counts[each])} ${each}`]));
  return {
    total: counts['total'],
    text: [counts['total'], ...(found.length > 0 ? [`(${found.join(', ')})`] : [])].join(' '),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

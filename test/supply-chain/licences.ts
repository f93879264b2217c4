import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of package-lock.json, by its folder. */
export interface Locked {
  readonly folder: string;
  readonly version: string;
  /** The licence that the package declares, in SPDX; null if it declares none. */
  readonly licence: string | null;
  readonly integrity: string | null;
  /** The address of the package; null if it is the registry's own. */
  readonly resolved: string | null;
  /** Whether it is used in development, and in production at most as an optional package. */
  readonly isDev: boolean;
}

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        version?: string;
        license?: string;
        integrity?: string;
        resolved?: string;
        dev?: boolean;
        devOptional?: boolean;
      }
    >
  >;
}

/** Every package that `npm ci` would install, except ours. */
export function readLock(root: string): readonly Locked[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, each]) => ({
      folder,
      version: each.version ?? '',
      licence: each.license ?? SAID_IN_ITS_FILE[nameAndVersion({ folder, version: each.version ?? '' })] ?? null,
      integrity: each.integrity ?? null,
      resolved: each.resolved ?? null,
      isDev: each.dev === true || each.devOptional === true,
    }));
}

/** Packages whose package.json names no licence, and whose file LICENSE is its text. */
const SAID_IN_ITS_FILE: Readonly<Record<string, string>> = { 'unionfs@4.6.0': 'Unlicense' };

/** Licences under which a package may be part of what runs: none asks anything of dueday's own source. */
const PERMITTED: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'Unlicense'],
  // A licence for data, such as a table of browsers.
  'CC-BY-4.0',
]);

/** `A AND B` needs both, `A OR B` one of them. */
export function isPermitted(licence: string | null): boolean {
  if (licence === null) return false;
  const text = licence.replace(/[()]/g, '');
  if (text.includes(' OR ')) return text.split(' OR ').some(isPermitted);
  return text.split(' AND ').every((each) => PERMITTED.has(each));
}

/** How many packages are under each licence, the most frequent first. */
export function countLicences(packages: readonly Locked[]): readonly (readonly [licence: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence ?? 'none', (counts.get(licence ?? 'none') ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/**
 * Packages whose content the lock file does not fix, or that do not come from the registry. For packages of the registry the lock
 * file has no address.
 */
export function withoutFixedContent(packages: readonly Locked[]): readonly Locked[] {
  return packages.filter(({ integrity, resolved }) => integrity?.startsWith('sha512-') !== true || resolved !== null);
}

/** The package as `name@version`, which is the same for one that is installed twice. */
export function nameAndVersion({ folder, version }: Pick<Locked, 'folder' | 'version'>): string {
  return `${folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}

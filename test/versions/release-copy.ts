import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';
import { buildIdOf } from '../../src/workflow-code';
import { requireFreshBuild } from '../support/fresh-build';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** Another release than this one, in a folder as it is deployed from. */
export interface ReleaseCopy {
  /** What `node` runs. */
  readonly program: string;
  readonly buildId: string;
}

/** What the program is made of; the console is not built, and not missed. */
const SOURCES = ['src', 'workflows', 'activities'];
const BUNDLE = 'dist/workflow-bundle.js';

/**
 * The release of a commit, built from its sources with the packages of this checkout.
 * @throws Error where this checkout has no such commit, as one without its history
 */
export async function releaseOfCommit(commit: string, folder: string): Promise<ReleaseCopy> {
  const archive = join(folder, 'release.tar');
  const kept = ['bin', 'package.json', ...SOURCES];
  await run('git', ['archive', '--output', archive, commit, ...kept], { cwd: ROOT }).catch((error: unknown) => {
    throw new Error(`the release of ${commit} is not to be had: ${String(error)}`);
  });
  await run('tar', ['-xf', archive, '-C', folder]);
  const files = SOURCES.flatMap((each) => sourcesBelow(folder, each));
  await Promise.all(files.map((file) => compile(folder, file)));
  writeFileSync(join(folder, 'dist/deterministic.tsbuildinfo'), '');
  return bundled(folder);
}

function sourcesBelow(folder: string, part: string): readonly string[] {
  const names = readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.startsWith('console/')).map((name) => join(part, name));
}

async function compile(folder: string, file: string): Promise<void> {
  const { code } = await transformFile(join(folder, file), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    // What is an ES module is imported as one, and finds in ours what they export.
    module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true },
    swcrc: false,
  });
  const compiled = join(folder, 'dist', file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(compiled), { recursive: true });
  writeFileSync(compiled, code);
}

export interface Changes {
  /** In compiled files: what stands there once, and what is to stand there. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** Migrations by their names. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** The release that follows this one: its built program with changes. @throws Error where there is nothing to change */
export async function releaseAfter(changes: Changes, folder: string): Promise<ReleaseCopy> {
  requireFreshBuild();
  const isCode = (path: string) => !/\.(map|d\.ts)$/.test(path) && !path.endsWith('dist/console');
  for (const part of ['bin', 'dist', 'package.json', 'src/ledger/migrations'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: isCode });
  for (const [file, from, to] of changes.edits) {
    const path = join(folder, 'dist', file);
    const before = readFileSync(path, 'utf8');
    if (before.split(from).length !== 2) throw new Error(`${file}: expected ${JSON.stringify(from)} once`);
    writeFileSync(path, before.replace(from, to));
  }
  for (const [name, sql] of Object.entries(changes.migrations))
    writeFileSync(
      join(folder, 'src/ledger/migrations', `${name}.sql`),
      `-- Up Migration\n\n${sql}\n\n-- Down Migration\n`,
    );
  rmSync(join(folder, BUNDLE));
  return bundled(folder);
}

async function bundled(folder: string): Promise<ReleaseCopy> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, ['dist/src/cli/bundle-workflows.js'], { cwd: folder });
  const code = readFileSync(join(folder, BUNDLE), 'utf8');
  return { program: join(folder, 'bin/dueday.js'), buildId: buildIdOf({ workflowBundle: { code } }) };
}

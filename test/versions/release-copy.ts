import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildIdOf } from '../../src/platform/workflow-bundle';
import { requireFreshBuild } from '../support/fresh-build';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** Another release, in a folder as for a deployment. */
export interface ReleaseCopy {
  /** The program for `node`. */
  readonly program: string;
  readonly buildId: string;
}

const BUNDLE = 'dist/workflow-bundle.js';

export interface Changes {
  /** Replacements in compiled files: text that occurs once, and its replacement. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** Migrations by name. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** The next release: this built program with changes. @throws Error if a text to replace does not occur exactly once */
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
    writeFileSync(join(folder, 'src/ledger/migrations', `${name}.sql`), `${sql}\n`);
  rmSync(join(folder, BUNDLE));
  return bundle(folder);
}

async function bundle(folder: string): Promise<ReleaseCopy> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, ['dist/src/cli/bundle-workflows.js'], { cwd: folder });
  const code = readFileSync(join(folder, BUNDLE), 'utf8');
  return { program: join(folder, 'bin/dueday.js'), buildId: buildIdOf({ workflowBundle: { code } }) };
}

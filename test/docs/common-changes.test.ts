import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** docs/explain/architecture.md lists the files that each common change touches. The lists must be short and complete. */

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const CHANGES: readonly [name: string, most: number][] = [
  ['Another retry', 3],
  ['Another repetition', 3],
  ['A steering route', 5],
  ['A notice channel', 4],
  ['An event type', 1],
];

/** The lines below the change's name: the path first, then its content. */
function listed(change: string): readonly { readonly path: string; readonly names: readonly string[] }[] {
  const [, section = ''] = read('docs/explain/architecture.md').split(`\n**${change}**`);
  const [list = ''] = section.split(/\n(?:\*\*|## )/);
  return list
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => {
      const [path = '', ...names] = [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
      return { path, names };
    });
}

test.each(CHANGES)('the change “%s” touches at most %i files', (change, most) => {
  expect(listed(change).length).toBeGreaterThan(0);
  expect(listed(change).length).toBeLessThanOrEqual(most);
});

test.each(CHANGES.flatMap(([change]) => listed(change).map(({ path, names }) => [change, path, names] as const)))(
  'for the change “%s”, %s contains what the list of the page names',
  (_change, path, names) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    const isFolder = statSync(join(ROOT, path)).isDirectory();
    const text = isFolder ? filesOf(path).map((name) => `${name}\n${read(join(path, name))}`) : [read(path)];
    for (const name of names) expect(text.join('\n')).toContain(name);
  },
);

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/**
 * Every source file, as a path from the root, except those that quote the reference (conformance) or only use the
 * program (simulation).
 */
const PROGRAM = ['src', 'workflows', 'activities'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.ts') && !/^src\/(conformance|simulation)\//.test(path)),
);

const naming = (pattern: RegExp) => PROGRAM.filter((path) => pattern.test(read(path))).toSorted();
const codeOf = (change: string) =>
  listed(change)
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.ts'))
    .toSorted();

test.each<[string, RegExp]>([
  ['Another retry', /\bMAX_RETRIES = /],
  ['Another repetition', /\bHALF_YEARLY: /],
  ['A steering route', /\b(refuseAcknowledge|acknowledgeUpdate|acknowledge: 'to|asks: 'acknowledge'|ACKNOWLEDGE = )/],
  ['An event type', /'attention\.acknowledged': \{/],
])('no file outside its list has to change for “%s”', (change, pattern) => {
  expect(naming(pattern)).toEqual(codeOf(change));
});

test('a notice channel is created only in the table of channels', () => {
  expect(naming(/\bcreateEmailChannel\b/)).toEqual(['src/notices/email-channel.ts', 'src/notices/payer-channels.ts']);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/explain/security.md'), 'utf8');

/** The numbers of the requirements of ASVS 5.0, levels 1 and 2. */
const REQUIREMENTS = readFileSync(join(__dirname, 'asvs-5.0.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ')[0] ?? '');

const ROWS = PAGE.split('\n').flatMap((line) => {
  const [numbers = '', state = '', how = '', shownBy = ''] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  const isRow = /^\d+\.\d+\.\d+(, \d+\.\d+\.\d+)*$/.test(numbers);
  return isRow ? [{ numbers: numbers.split(', '), state, how, shownBy }] : [];
});

test('docs/explain/security.md lists each requirement of levels 1 and 2 exactly once, and no others', () => {
  expect(REQUIREMENTS).toHaveLength(253);
  const named = [...PAGE.matchAll(/(?<![\d.])\d{1,2}\.\d{1,2}\.\d{1,2}(?![\d.])/g)].map(([number]) => number);
  expect(named.toSorted()).toEqual(REQUIREMENTS.toSorted());
});

test('each row of docs/explain/security.md says how its requirements are met, and has one of the states that the page explains', () => {
  expect(ROWS.flatMap(({ numbers }) => numbers).length).toBeGreaterThan(140);
  expect(ROWS.filter(({ how }) => how.length < 10)).toEqual([]);
  const states = new Set([...PAGE.matchAll(/_([\w ]+)_: /g)].map(([, state]) => state));
  expect(ROWS.filter(({ state }) => !states.has(state))).toEqual([]);
});

test('the row of every requirement that is met names existing tests', () => {
  const isShown = ({ state, shownBy }: (typeof ROWS)[number]) => state !== 'met' || shownBy.startsWith('`');
  expect(ROWS.filter((row) => !isShown(row))).toEqual([]);
  const lines = PAGE.slice(PAGE.indexOf('## Requirements')).split('\n');
  const files = lines.flatMap((line) =>
    [...(line.split('|').at(-2) ?? '').matchAll(/`([\w-]+\/[\w-]+)`/g)].map(([, file]) => file),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(join(ROOT, 'test', `${file}.test.ts`)))).toEqual([]);
});

test('every credential in the threat model names existing tests, or the duty that limits it', () => {
  const section = PAGE.slice(
    PAGE.indexOf('### What each credential permits'),
    PAGE.indexOf('## What an operator must do'),
  );
  const rows = section.split('\n').filter((line) => /^\| (?!credential or access|-)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  const wrong = rows.filter((row) => {
    const shownBy = row.split('|').at(-2)?.trim() ?? '';
    const files = [...shownBy.matchAll(/`([\w/-]+)`/g)].map(([, file]) => `test/${file}.test.ts`);
    const isShown = files.length > 0 && files.every((file) => existsSync(join(ROOT, file)));
    return !isShown && !/^–: .+ \(dut(y|ies) \d+/.test(shownBy);
  });
  expect(wrong).toEqual([]);
});

test('every section to which docs/explain/security.md links on the same page exists and is longer than a sentence', () => {
  const anchors = new Set([...PAGE.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor));
  expect(anchors.size).toBeGreaterThan(4);
  for (const anchor of anchors) {
    const section = PAGE.split('\n## ').find((each) => each.toLowerCase().startsWith(`${anchor}\n`));
    expect([anchor, (section ?? '').length > 200]).toEqual([anchor, true]);
  }
});

test('the console stores only its theme, time zone, columns and the shortcut setting in the browser', () => {
  const folder = join(ROOT, 'src/console');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const keeping = files.filter((name) =>
    /localStorage|sessionStorage|indexedDB|document\.cookie|caches\./.test(textOf(name)),
  );
  expect(keeping).toEqual(['stored.ts']);
  const storing = files.filter((name) => /\bstore\(/.test(textOf(name)) && name !== 'stored.ts');
  const stored = storing.map((name) => /['`]dueday\.(\w+)/.exec(textOf(name))?.[1]);
  expect(stored.toSorted()).toEqual(['columns', 'keys', 'theme', 'zone']);
});

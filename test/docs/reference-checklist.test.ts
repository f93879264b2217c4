import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROWS } from '../../src/conformance';
import { type TestTitle, testTitles } from './test-titles';

const ROOT = join(__dirname, '../..');
const CHECKLIST = readFileSync(join(ROOT, 'docs/reference/reference-checklist.md'), 'utf8');

interface Rule {
  readonly words: string;
  readonly rows: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

const TEST = /^ {2}- `(test\/\S+\.test\.ts)`: `([^`]+)`$/;
const ROWS_LINE = /^ {2}- rows: ((?:`[^`]+`(?:, )?)+)$/;

/** Reads the rules, each with the rows and tests below it. Throws at any other line, so that no line is overlooked. */
function readRules(text: string): readonly Rule[] {
  const rules: Rule[] = [];
  for (const line of text.slice(text.indexOf('\n## ')).split('\n')) {
    if (line === '' || line.startsWith('## ')) continue;
    const [test, rows, last] = [TEST.exec(line), ROWS_LINE.exec(line), rules.at(-1)];
    if (line.startsWith('- ')) rules.push({ words: line.slice(2), rows: [], tests: [] });
    else if (last !== undefined && test !== null) {
      const [, file = '', title = ''] = test;
      rules[rules.length - 1] = { ...last, tests: [...last.tests, { file, title }] };
    } else if (last !== undefined && rows !== null) {
      rules[rules.length - 1] = { ...last, rows: [...(rows[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id!) };
    } else throw new Error(`docs/reference/reference-checklist.md has a line that belongs to no rule: ${line}`);
  }
  return rules;
}

const titlesOf = new Map<string, readonly TestTitle[]>();

function exists({ file, title }: Rule['tests'][number]): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const titles = titlesOf.get(file) ?? testTitles(path);
  titlesOf.set(file, titles);
  return titles.some(({ own, joined }) => own === title || joined === title);
}

const RULES = readRules(CHECKLIST);

it('every test that proves a rule of the reference exists', () => {
  const missing = RULES.flatMap(({ tests }) => tests.filter((test) => !exists(test)));
  expect(missing).toEqual([]);
});

it('every rule is proved by a test', () => {
  expect(RULES.filter(({ tests }) => tests.length === 0).map(({ words }) => words)).toEqual([]);
  expect(RULES.length).toBeGreaterThan(90);
});

it('every rule is proved by a test of the program, not only of the simulator', () => {
  const isOwn = ({ file }: Rule['tests'][number]) => !file.startsWith('test/sandbox/');
  expect(RULES.filter(({ tests }) => !tests.some(isOwn)).map(({ words }) => words)).toEqual([]);
});

it('the checklist names exactly the rows of the conformance suite', () => {
  const named = new Set(RULES.flatMap(({ rows }) => rows));
  expect([...named].sort()).toEqual(ROWS.map((row) => row.id).sort());
});

it('titles of tests in describe blocks and tables are read as jest reports them, without skipped tests', () => {
  const titles = testTitles(join(__dirname, 'titles-sample.txt'));
  expect(titles.map(({ joined }) => joined)).toEqual([
    'outside',
    'a group takes %s',
    'a group inner %p it is',
    'a group inner %p it "quotes"',
  ]);
  expect(titles.map(({ own }) => own)).toEqual(['outside', 'takes %s', 'is', '"quotes"']);
});

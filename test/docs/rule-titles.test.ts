import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testTitles } from './test-titles';

const ROOT = join(__dirname, '../..');
/** `rule 8`, `rules 36 and 37`, `rules 16, 17 and 18`, as a title names them. */
const NAMED = /\brules? (\d+(?:(?:, | and )\d+)*)/g;

function rulesNamed(text: string): readonly number[] {
  return [...text.matchAll(NAMED)].flatMap(([, numbers = '']) => numbers.split(/, | and /).map(Number));
}

function allTestFiles(): readonly string[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(ROOT, 'test', name));
}

test('each rule is named, by its number, in the title of a test', () => {
  const page = readFileSync(join(ROOT, 'docs/explain/rules.md'), 'utf8');
  const rules = [...page.matchAll(/\*\*(\d+)\. /g)].map(([, number]) => Number(number));
  expect(rules).toHaveLength(45);
  const files = allTestFiles().filter((file) => rulesNamed(readFileSync(file, 'utf8')).length > 0);
  const named = new Set(files.flatMap(testTitles).flatMap(({ joined }) => rulesNamed(joined)));
  expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
});

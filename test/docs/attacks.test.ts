import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTACKS, type Attack } from './attacks';
import { testTitles } from './test-titles';

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/explain/attacks.md');
const CHAPTERS = 17;

const CITED = ATTACKS.flatMap(({ tries, shownBy }) =>
  'reason' in shownBy
    ? []
    : shownBy.map((each) => {
        const [file = '', ...title] = each.split(': ');
        return { tries, file, title: title.join(': ') };
      }),
);

test('at least 60 attacks are listed, some of each chapter', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
  const chapters = new Set(ATTACKS.map(({ chapter }) => /^V(\d+) /.exec(chapter)?.[1]));
  expect([...chapters]).toEqual(Array.from({ length: CHAPTERS }, (_, n) => String(n + 1)));
});

test.each(CITED)('an attack names an existing test: $tries ($file: $title)', ({ file, title }) => {
  const path = join(ROOT, 'test', `${file}.test.ts`);
  expect(existsSync(path)).toBe(true);
  expect(title.length).toBeGreaterThan(5);
  expect(testTitles(path).filter(({ joined }) => joined.includes(title))).not.toEqual([]);
});

test('docs/explain/attacks.md has these attacks; RECORD_ATTACKS=1 writes it', () => {
  if (process.env['RECORD_ATTACKS'] === '1') writeFileSync(PAGE, pageOf());
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf());
});

const INTRODUCTION = `# Attacks and their tests

What an attacker with the sources and a key would try, by chapter of the OWASP Application Security Verification Standard 5.0, each with the tests that try it, or the reason why there are none. Tests are files in \`test/\`, without \`.test.ts\`. [security.md](security.md) has the requirements. \`test/docs/attacks.ts\` is the source of this page: add an attack there before its test, and generate the page with \`RECORD_ATTACKS=1 npx jest test/docs/attacks.test.ts\`.
`;

function pageOf(): string {
  const chapters = [...new Set(ATTACKS.map(({ chapter }) => chapter))];
  return [INTRODUCTION, ...chapters.map(sectionOf)].join('\n');
}

function sectionOf(chapter: string): string {
  const lines = ATTACKS.filter((each) => each.chapter === chapter).map(lineOf);
  return `## ${chapter}\n\n${lines.join('\n')}\n`;
}

function lineOf({ tries, shownBy }: Attack): string {
  const capitalized = tries.charAt(0).toUpperCase() + tries.slice(1);
  if ('reason' in shownBy) return `- ${capitalized}: no test, because ${shownBy.reason}.`;
  const files = new Set(shownBy.map((each) => `\`${each.split(': ')[0] ?? ''}\``));
  return `- ${capitalized}: ${[...files].join(', ')}.`;
}

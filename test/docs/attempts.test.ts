import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPTS, type Attempt } from './attempts';
import { testTitles } from './test-titles';

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/explain/attempts.md');
const CHAPTERS = 17;

const CITED = ATTEMPTS.flatMap(({ tries, answer }) =>
  'reason' in answer
    ? []
    : answer.map((each) => {
        const [file = '', ...title] = each.split(': ');
        return { tries, file, title: title.join(': ') };
      }),
);

test('at least 60 attempts are listed, some of each chapter', () => {
  expect(ATTEMPTS.length).toBeGreaterThanOrEqual(60);
  const chapters = new Set(ATTEMPTS.map(({ chapter }) => /^V(\d+) /.exec(chapter)?.[1]));
  expect([...chapters]).toEqual(Array.from({ length: CHAPTERS }, (_, n) => String(n + 1)));
});

test.each(CITED)('an attempt names an existing test: $tries ($file: $title)', ({ file, title }) => {
  const path = join(ROOT, 'test', `${file}.test.ts`);
  expect(existsSync(path)).toBe(true);
  expect(title.length).toBeGreaterThan(5);
  expect(testTitles(path).filter(({ joined }) => joined.includes(title))).not.toEqual([]);
});

test('docs/explain/attempts.md has these attempts; RECORD_ATTEMPTS=1 writes it', () => {
  if (process.env['RECORD_ATTEMPTS'] === '1') writeFileSync(PAGE, pageOf());
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf());
});

const INTRODUCTION = `# Attempts

What an attacker with the sources and a key would try, by chapter of the OWASP Application Security Verification Standard 5.0, each with the tests that show what comes of it, or the reason why there is none. Tests are files in \`test/\`, without \`.test.ts\`. [security.md](security.md) has the requirements. \`test/docs/attempts.ts\` is the source of this page: add an attempt there before its test, and write the page with \`RECORD_ATTEMPTS=1 npx jest test/docs/attempts.test.ts\`.
`;

function pageOf(): string {
  const chapters = [...new Set(ATTEMPTS.map(({ chapter }) => chapter))];
  return [INTRODUCTION, ...chapters.map(sectionOf)].join('\n');
}

function sectionOf(chapter: string): string {
  const lines = ATTEMPTS.filter((each) => each.chapter === chapter).map(lineOf);
  return `## ${chapter}\n\n${lines.join('\n')}\n`;
}

function lineOf({ tries, answer }: Attempt): string {
  const capitalized = tries.charAt(0).toUpperCase() + tries.slice(1);
  if ('reason' in answer) return `- ${capitalized}: no test, because ${answer.reason}.`;
  const files = new Set(answer.map((each) => `\`${each.split(': ')[0] ?? ''}\``));
  return `- ${capitalized}: ${[...files].join(', ')}.`;
}

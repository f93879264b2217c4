import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../src/cli/program';
import { everyCommand } from '../cli/every-command';

const ROOT = join(__dirname, '../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesIn('docs')].map((page) => ({
  page,
  text: readFileSync(join(ROOT, page), 'utf8'),
}));

function pagesIn(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

/** All matches of a pattern on all pages, each with the name of its page. */
function found(pattern: RegExp): readonly { readonly page: string; readonly match: RegExpExecArray }[] {
  return PAGES.flatMap(({ page, text }) => [...text.matchAll(pattern)].map((match) => ({ page, match })));
}

const PROGRAM = buildProgram('0.0.0');
const COMMANDS = everyCommand();
const FIRST_WORDS = new Set(COMMANDS.map((command) => command.split(' ')[0]));

/** What is wrong with a command as a page writes it, such as `keys create --name shop`. */
function faultsOf(typed: string): readonly string[] {
  const [first = '', second = ''] = typed.split(/[^a-z-]+/);
  const command = [`${first} ${second}`, first].find((each) => COMMANDS.includes(each));
  // A page may name a group of commands without a command, as in `dueday keys`.
  if (command === undefined) return second === '' && FIRST_WORDS.has(first) ? [] : [typed];
  const options = typed.replaceAll(/'[^']*'|"[^"]*"/g, '').match(/(?<= )--[a-z-]+/g) ?? [];
  return options.filter((option) => !optionsOf(command).includes(option)).map((option) => `${command} ${option}`);
}

function optionsOf(command: string): readonly string[] {
  const words = command.split(' ');
  const last = words.reduce((above, word) => above.commands.find((each) => each.name() === word) ?? above, PROGRAM);
  return last.options.map(({ long }) => long ?? '');
}

test('the pages name no command, and no option of a command, that does not exist', () => {
  const named = found(/(node bin\/dueday\.js|`dueday) ([a-z][^`\n]*)/g).map(({ page, match: [, by, typed = ''] }) => ({
    page,
    by,
    typed,
  }));
  expect(named.length).toBeGreaterThan(150);
  // The connections to PostgreSQL are called `dueday metrics` and so on.
  const commands = named.filter(({ by, typed }) => by !== '`dueday' || FIRST_WORDS.has(typed.split(' ')[0]));
  expect(commands.flatMap(({ page, typed }) => faultsOf(typed).map((fault) => `${page}: ${fault}`))).toEqual([]);
});

/** True for a file or folder, for a test that a table names without folder and suffix, and for a Kubernetes deployment. */
function exists(path: string): boolean {
  return [path, `test/${path}.test.ts`].some((each) => existsSync(join(ROOT, each))) || /^deploy\/dueday-/.test(path);
}

test('the pages name no file that does not exist', () => {
  const named = found(/(?<![\w/.-])(?:src|test|workflows|activities|deploy|bench|examples)\/[\w./@-]*[\w@]/g);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ match }) => !exists(match[0])).map(({ page, match }) => `${page}: ${match[0]}`)).toEqual([]);
});

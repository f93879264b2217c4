import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../src/cli/program';
import { configVariables, loadConfig } from '../../src/config';
import { type VariableName, VARIABLES } from '../../src/config/variables';
import { everyCommand } from '../cli/every-command';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8');

const PROGRAM = buildProgram('0.0.0');
// Shell completion is an ES module that only src/cli/index.ts loads, so its command is added here; test/cli/commands.test.ts tries it.
PROGRAM.command('completion');
const commands = everyCommand();

/** Rows of the tables below a heading, up to the next heading of its level, as cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const from = PAGE.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`docs/reference/configuration.md has no heading "${heading}"`);
  const [section = ''] = PAGE.slice(from + heading.length + 2).split(/\n## /);
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

const codesOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Defaults that depend on another variable or on the command, in the words that the page must contain. */
const IN_WORDS: Readonly<Record<string, string>> = {
  WORKFLOW_CACHE_SIZE: 'from memory',
  ACTIVITY_SLOTS: 'from cores, connections and the cache',
  PAYMENT_SERVICE_TOKEN_URL: 'base URL + `/oauth/token`',
  ADMIN_DOCS_OPEN: '`true`; in production `false`',
  METRICS_HOST: '`ADMIN_HOST`; for a lone `worker` `127.0.0.1`',
  METRICS_PORT: '`ADMIN_PORT`; for a lone `worker` `9464`, or the next port that is free',
  DUEDAY_URL: 'the address of `ADMIN_HOST` and `ADMIN_PORT`',
  DUEDAY_KEY: '`ADMIN_BOOTSTRAP_KEY`',
  LOG_LEVEL:
    '`info`; `error` for `demo`, `simulate`, `reconcile`, `conformance`, `versions`, `replay verify` and `notices preview`',
};

/** The variables on the page as `[name, default]`, in the order of their names. */
function documented(): readonly (readonly [string, string])[] {
  const entries = rowsBelow('## Variables').flatMap(([names, value = '']) =>
    codesOf(names).map((name, index, all): [string, string] => {
      const isOne = all.length === 1 || value === 'none';
      return [name, isOne ? value : `\`${codesOf(value)[index] ?? ''}\``];
    }),
  );
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The defaults, with their names, in a process with an empty environment. */
function inForce(): readonly (readonly [string, string])[] {
  const config = loadConfig({});
  return configVariables.toSorted().map((name) => {
    const value = config[name] as string | number | boolean | readonly number[] | undefined;
    return [name, IN_WORDS[name] ?? (value === undefined ? 'none' : `\`${value.toString()}\``)];
  });
}

it('docs/reference/configuration.md has every variable that dueday reads once, with its default, and no other', () => {
  expect(documented()).toEqual(inForce());
});

it('docs/reference/configuration.md marks exactly the secrets as secret', () => {
  const hasSecret = (names: readonly string[]) => names.some((name) => VARIABLES[name as VariableName].secret);
  for (const [names, , meaning = ''] of rowsBelow('## Variables')) {
    const known = codesOf(names);
    expect([known, /\bsecret\b/i.test(meaning)]).toEqual([known, hasSecret(known)]);
  }
});

it('docs/reference/configuration.md names no command that does not exist', () => {
  const named = rowsBelow('## Commands').map(([cell]) => codesOf(cell)[0]!);
  expect(named.filter((name) => !commands.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

it('docs/reference/configuration.md names no option that its command does not have', () => {
  for (const [cell, meaning = ''] of rowsBelow('## Commands')) {
    const options = [cell, meaning].join(' ').match(/--[a-z-]+/g) ?? [];
    const words = codesOf(cell)[0]!.split(' ');
    const command = words.reduce((above, word) => above.commands.find((each) => each.name() === word)!, PROGRAM);
    expect([...command.options.map(({ long }) => long), '--help']).toEqual(expect.arrayContaining(options));
  }
});

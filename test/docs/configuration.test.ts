import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configVariables, loadConfig } from '../../src/config';
import { type VariableName, VARIABLES } from '../../src/config-variables';
import { runDueday } from '../cli/dueday-process';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Several programs start in these tests. */
const PATIENCE = 90_000;

let commands: readonly string[];

beforeAll(async () => {
  commands = await commandsBelow([]);
}, PATIENCE);

/** Rows of the tables below a heading, up to the next heading of its level, as cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const from = PAGE.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`docs/configuration.md has no heading "${heading}"`);
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

/** A default that follows from another variable or from the command: in words that the page must hold. */
const IN_WORDS: Readonly<Record<string, string>> = {
  PAYMENT_SERVICE_TOKEN_URL: 'base URL + `/oauth/token`',
  LOG_LEVEL: '`info`; `error` for `demo`, `simulate`, `reconcile` and `conformance`',
};

/** As it stands in the page: `[name, default]`, names in order. */
function documented(): readonly (readonly [string, string])[] {
  const entries = rowsBelow('## Variables').flatMap(([names, value = '']) =>
    codesOf(names).map((name, index, all): [string, string] => {
      const isOne = all.length === 1 || value === 'none';
      return [name, isOne ? value : `\`${codesOf(value)[index] ?? ''}\``];
    }),
  );
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** As a process reads it that has no environment at all. */
function inForce(): readonly (readonly [string, string])[] {
  const config = loadConfig({});
  return configVariables.toSorted().map((name) => {
    const value = config[name] as string | number | boolean | readonly number[] | undefined;
    return [name, IN_WORDS[name] ?? (value === undefined ? 'none' : `\`${value.toString()}\``)];
  });
}

describe('docs/configuration.md', () => {
  it('has every variable that dueday reads once, with its default, and no other', () => {
    expect(documented()).toEqual(inForce());
  });

  it('says of every secret that it is one, and of nothing else', () => {
    const hasSecret = (names: readonly string[]) => names.some((name) => VARIABLES[name as VariableName].secret);
    for (const [names, , meaning = ''] of rowsBelow('## Variables')) {
      const known = codesOf(names);
      expect([known, /\bsecret\b/i.test(meaning)]).toEqual([known, hasSecret(known)]);
    }
  });

  it('has every command, and none that does not exist', () => {
    const named = rowsBelow('## Commands').map(([cell]) => commandOf(codesOf(cell)[0]!));
    expect(named.toSorted()).toEqual(commands.toSorted());
  });

  it(
    'names no option that its command does not have',
    async () => {
      for (const [cell, meaning = ''] of rowsBelow('## Commands')) {
        const options = [cell, meaning].join(' ').match(/--[a-z-]+/g) ?? [];
        if (options.length === 0) continue;
        const { stdout } = await runDueday([...commandOf(codesOf(cell)[0]!).split(' '), '--help']);
        for (const option of options) expect(stdout).toMatch(new RegExp(`^ +(-\\w, )?${option}\\b`, 'm'));
      }
    },
    PATIENCE,
  );
});

test('README.md names no command that does not exist', () => {
  const named = [...README.matchAll(/npx dueday ([a-z]+)/g)].map(([, command = '']) => command);
  const known = new Set(commands.map((command) => command.split(' ')[0]));
  expect(named.filter((command) => !known.has(command))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

/** `keys create --name <name>`: `keys create`. */
function commandOf(usage: string): string {
  return usage.split(/ (?=[-<[])/)[0]!;
}

/** Every command that does something, as `--help` tells them. */
async function commandsBelow(above: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runDueday([...above, '--help']);
  const list = stdout.slice(stdout.indexOf('\nCommands:\n'));
  if (!stdout.includes('\nCommands:\n')) return [above.join(' ')];
  const names = [...list.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  return (await Promise.all(names.map((name) => commandsBelow([...above, name])))).flat();
}

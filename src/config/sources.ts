import { readFileSync } from 'node:fs';
import { TEMPORAL_NAMES, VARIABLES, type VariableName } from './variables';

/** Where the value of a variable comes from, and how it is shown. */

export type Environment = Readonly<Record<string, string | undefined>>;

export const FAULTY = Symbol('faulty');
export const MASKED = '[masked]';
const MAX_SHOWN_LENGTH = 120;

/** One way to set a variable: the name of an environment variable with the value, or with the path of a file that holds it. */
interface Source {
  readonly source: string;
  readonly isFile: boolean;
}

function sourcesOf(name: VariableName): readonly Source[] {
  const own = [
    { source: name, isFile: false },
    { source: `${name}_FILE`, isFile: true },
  ];
  const temporal = TEMPORAL_NAMES[name];
  if (temporal === undefined) return own;
  return [...own, { source: `${temporal}_DATA`, isFile: false }, { source: `${temporal}_PATH`, isFile: true }];
}

/** The ways in which the variable is set. An empty value counts as absent. */
export function givenSources(name: VariableName, env: Environment): readonly Source[] {
  return sourcesOf(name).filter(({ source }) => Boolean(env[source]));
}

/** The variable's text, directly or from its file. */
export function rawValue(
  name: VariableName,
  env: Environment,
  fault: (message: string) => void,
): string | undefined | typeof FAULTY {
  const [given, other] = givenSources(name, env);
  if (given === undefined) return undefined;
  if (other !== undefined) {
    fault(`set twice, as ${given.source} and as ${other.source}`);
    return FAULTY;
  }
  const value = env[given.source] ?? '';
  if (!given.isFile) return value;
  try {
    return readFileSync(value, 'utf8').trim() || undefined;
  } catch (error) {
    // The path of a secret is not shown: it may be the secret itself, set under the wrong name.
    const which = VARIABLES[name].secret ? '' : ` ${abridged(JSON.stringify(value))}`;
    fault(`${given.source} cannot be read:${which} ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}`);
    return FAULTY;
  }
}

/** Whether the environment sets the variable, directly or by a file. */
export function isGiven(name: VariableName, env: Environment): boolean {
  return givenSources(name, env).length > 0;
}

/** Cuts the value to one short line and masks a password in a URL. */
export function abridged(value: string): string {
  const [line = '', ...rest] = value.replace(/(:\/\/[^/?#\s:@]*:)[^/?#\s@]*@/, `$1${MASKED}@`).split('\n');
  const cut = line.slice(0, MAX_SHOWN_LENGTH);
  return cut === line && rest.length === 0 ? line : `${cut}…`;
}

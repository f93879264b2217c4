import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { requireFreshBuild } from '../support/fresh-build';
import { waitUntil } from '../support/wait-until';

const ROOT = join(__dirname, '../..');
const COMMAND = ['-r', join(__dirname, 'on-a-terminal.cjs'), join(ROOT, 'bin/dueday.js')];
const TIMEOUT = 400_000;

/** A command as it was typed, and what it printed. */
export interface Transcript {
  /** The words after `dueday`, as they are typed, without those of the command's options and arguments. */
  readonly command: string;
  readonly text: string;
}

export interface Shown {
  /** Keeps only this many lines, like `head`, or like `tail` if it is negative. */
  readonly lines?: number;
  /** For a command that never ends: it is interrupted once its output satisfies this. */
  readonly until?: (printed: string) => boolean;
  /** Variables in addition to those of every command of the terminal. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An operator's terminal, in a folder with files of its own. */
export class Terminal {
  readonly transcripts: Transcript[] = [];

  constructor(
    private readonly commands: readonly string[],
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    requireFreshBuild();
  }

  /** Types `node bin/dueday.js` and these words, and keeps what is printed. @returns all of that */
  async show(typed: string, { lines, until, env = {} }: Shown = {}): Promise<string> {
    process.stdout.write(`$ node bin/dueday.js ${typed}\n`);
    const { PATH = '', HOME = '' } = process.env;
    const argv = [...typed.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const child = spawn(process.execPath, [...COMMAND, ...argv], {
      cwd: this.folder,
      env: { PATH, HOME, NO_COLOR: '1', ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const interrupted = until === undefined ? '' : await interrupt(child, () => until(printed));
    const [code] = (child.exitCode === null ? await once(child, 'close') : [child.exitCode]) as [number | null];
    const command = this.commands.filter((each) => `${typed} `.startsWith(`${each} `)).toSorted(byLength)[0];
    if (command === undefined) throw new Error(`no command is typed as ${typed}`);
    this.transcripts.push({
      command,
      text: [
        `$ node bin/dueday.js ${typed}${filterOf(lines)}`,
        `${cut(printed, lines)}${interrupted}`.trimEnd(),
        ...(code === 0 || until !== undefined ? [] : ['$ echo $?', String(code)]),
      ].join('\n'),
    });
    return printed;
  }
}

function byLength(one: string, other: string): number {
  return other.length - one.length;
}

/** Waits until the output is as wanted, then presses Ctrl-C. */
async function interrupt(child: ChildProcess, isSo: () => boolean): Promise<string> {
  await waitUntil('the command has printed what it is to show', () => isSo() || child.exitCode !== null, TIMEOUT);
  child.kill('SIGINT');
  return '^C';
}

function filterOf(lines: number | undefined): string {
  if (lines === undefined) return '';
  return lines > 0 ? ` | head -n ${lines}` : ` | tail -n ${-lines}`;
}

function cut(printed: string, lines: number | undefined): string {
  if (lines === undefined) return printed;
  const all = printed.trimEnd().split('\n');
  // The last lines may begin with a blank line.
  return (lines > 0 ? all.slice(0, lines) : all.slice(lines)).join('\n').replace(/^\n+/, '');
}

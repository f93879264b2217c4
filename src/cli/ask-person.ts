import { createInterface } from 'node:readline';

/** Asks the person at the terminal to do something, on standard error: standard output is the report's. */
export interface Person {
  /** True once it is done; false for a person who skips it, or has gone. */
  do(what: string): Promise<boolean>;
  close(): void;
}

export function createPerson(input: NodeJS.ReadableStream = process.stdin): Person {
  const lines = createInterface({ input });
  const waiting: ((line: string | null) => void)[] = [];
  const typed: string[] = [];
  let gone = false;
  lines.on('line', (line) => {
    const next = waiting.shift();
    if (next === undefined) typed.push(line);
    else next(line);
  });
  lines.on('close', () => {
    gone = true;
    waiting.splice(0).forEach((next) => next(null));
  });
  const nextLine = async (): Promise<string | null> => {
    const line = typed.shift();
    if (line !== undefined) return line;
    return gone ? null : new Promise((resolve) => waiting.push(resolve));
  };
  return {
    do: async (what) => {
      process.stderr.write(`${what} Then press Enter, or type "skip" and Enter.\n`);
      const line = await nextLine();
      return line !== null && line.trim().toLowerCase() !== 'skip';
    },
    close: () => lines.close(),
  };
}

/** How campaigns such as `npm run storm` and `npm run security` report their checks, and how they end. */

/** One promise, with the verdict whether it was kept. */
export interface Check {
  readonly name: string;
  readonly holds: boolean;
  /** What was found, in a few words. */
  readonly found: string;
}

export type Say = (line: string) => void;

export const say: Say = (line) => void process.stdout.write(`${line}\n`);

/** Reports a check at once, for campaigns that make one after the other. */
export function sayCheck({ name, holds, found }: Check): void {
  say(`${holds ? 'ok    ' : 'FAILED'} ${name}: ${found}`);
}

/**
 * Prints, as the last line, how many checks there were and how many failed.
 * @returns the exit code: 0 if there is at least one check and all hold
 */
export function sumUp(campaign: string, checks: readonly Check[]): number {
  const failed = checks.filter(({ holds }) => !holds).length;
  say(`${campaign}: ${checks.length} checks, ${failed} failed`);
  return checks.length > 0 && failed === 0 ? 0 : 1;
}

/** Prints each check and the summary. @returns the exit code */
export function report(campaign: string, checks: readonly Check[]): number {
  checks.forEach(sayCheck);
  return sumUp(campaign, checks);
}

/** Runs a campaign's process. @param main resolves to the exit code; if it throws, the code is 2 for wrong arguments, otherwise 1 */
export function runCampaign(main: () => Promise<number>): void {
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(error instanceof RangeError ? 2 : 1);
    },
  );
}

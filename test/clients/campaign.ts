import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE, toIso } from '../../src/domain/time';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Check } from '../support/campaign';
import { type Language, LANGUAGES } from './languages';
import { lint } from './linters';
import { missing, run } from './tools';

const OPENED_AT = Date.parse('2027-01-31T10:00:00.000Z');
/** Business ms per real ms. */
const SPEED = 60;
/** Business ms until the first payment: twenty real seconds, in which a client starts even on a busy machine. */
const LEAD = 20 * MINUTE;

/** What the campaign reports: a check, or that something was skipped, and why. */
export type Report = (check: Check | { readonly skipped: string }) => void;

/** Lints the description of a running API, and plays a subscription's life through a client of each language. */
export async function campaign(signal: AbortSignal, report: Report): Promise<void> {
  const stack = await openProcessStack({ startAt: OPENED_AT, speed: SPEED, sandbox: { autoDecisionMs: 0 } });
  const folder = await makeTemporaryFolder('clients');
  try {
    await Promise.all([stack.program('worker').start(), stack.program('api').start()]);
    const description = join(folder, 'openapi.json');
    await writeFile(description, await (await fetch(`${urlOf(stack)}/openapi.json`)).text());
    (await lint({ folder, description, signal })).forEach(report);
    for (const language of LANGUAGES) report(await play(language, { stack, folder, description, signal }));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await stack.close();
  }
}

interface Scene {
  readonly stack: ProcessStack;
  readonly folder: string;
  readonly description: string;
  readonly signal: AbortSignal;
}

async function play(
  { name, needs, build }: Language,
  { stack, folder: parent, description, signal }: Scene,
): Promise<Parameters<Report>[0]> {
  const lacking = await missing(needs);
  if (lacking.length > 0) return { skipped: `${name}: ${lacking.join(', ')} is not on the PATH` };
  const folder = join(parent, name);
  await mkdir(folder);
  const check = `a generated ${name} client creates, collects, refunds and cancels`;
  try {
    const { command, args } = await build({ folder, description, signal });
    const { code, output } = await run(command, args, { cwd: folder, env: variablesOf(stack), signal });
    const holds = code === 0 && output.includes('completed');
    return { name: check, holds, found: holds ? 'completed' : output.slice(-3_000) };
  } catch (error) {
    signal.throwIfAborted();
    return { name: check, holds: false, found: error instanceof Error ? error.message : String(error) };
  }
}

/** The environment of a client program: the API's address, its key, and when the first payment is due. */
function variablesOf(stack: ProcessStack): Record<string, string> {
  return {
    DUEDAY_URL: urlOf(stack),
    DUEDAY_KEY: stack.env['ADMIN_BOOTSTRAP_KEY'] ?? '',
    FIRST_PAYMENT_AT: toIso(stack.clock.now() + LEAD),
  };
}

function urlOf({ env }: ProcessStack): string {
  return `http://127.0.0.1:${env['ADMIN_PORT'] ?? ''}`;
}

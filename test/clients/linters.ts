import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../support/campaign';
import type { Workshop } from './languages';
import { run } from './tools';

const REDOCLY = '@redocly/cli@2.77.0';
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';
const NO_TELEMETRY = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Checks the description by the recommended rules of the two common linters; a warning also counts as a failure. */
export async function lint(workshop: Workshop): Promise<readonly Check[]> {
  return [await redocly(workshop), await spectral(workshop)];
}

async function redocly({ folder, description, signal }: Workshop): Promise<Check> {
  const args = ['--yes', '--package', REDOCLY, 'redocly', 'lint', '--extends=recommended', '--format=github-actions'];
  const { code, output } = await run('npx', [...args, description], { cwd: folder, env: NO_TELEMETRY, signal });
  const found = output.split('\n').filter((line) => /^::(warning|error)/.test(line));
  return resultOf('redocly', code === 0 && found.length === 0 && output.includes('valid'), found.join('\n') || output);
}

async function spectral({ folder, description, signal }: Workshop): Promise<Check> {
  const ruleset = join(folder, 'spectral.yaml');
  await writeFile(ruleset, 'extends: ["spectral:oas"]\n');
  const args = ['--yes', '--package', SPECTRAL, 'spectral', 'lint', '--fail-severity=hint', '-r', ruleset];
  const { code, output } = await run('npx', [...args, description], { cwd: folder, signal });
  return resultOf('spectral', code === 0, output);
}

function resultOf(linter: string, holds: boolean, output: string): Check {
  return {
    name: `${linter} finds nothing in the description`,
    holds,
    found: holds ? 'nothing' : output.slice(0, 3_000),
  };
}

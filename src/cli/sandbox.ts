import { loadConfig } from '../config';
import { createLogger } from '../platform/log';
import {
  BREAKABLE_RULES,
  type BreakableRule,
  type ContradictionOrder,
  createSandbox,
  isBreakableRule,
  parseContradiction,
  sandboxOptions,
} from '../sandbox';
import { BadInputError, reaching } from '../process/command-error';
import { untilSignal } from '../process/command';

export interface SandboxArguments {
  /** Names of rules that the simulator breaks on purpose. */
  readonly break?: readonly string[];
  /** Addresses or subnets that may call. */
  readonly allow?: readonly string[];
  /** Ways in which the simulator contradicts itself, such as `list_cut:keeps=newest,count=10`. */
  readonly contradict?: readonly string[];
}

/**
 * Runs only the payment service simulator, until a signal.
 * @throws BadInputError for unknown rules and contradictions
 */
export async function runSandbox(asked: SandboxArguments = {}): Promise<void> {
  const brokenRules = readRules(asked.break ?? []);
  const contradictions = (asked.contradict ?? []).map(readContradiction);
  const config = loadConfig(process.env, []);
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY, name: 'sandbox' });
  const sandbox = createSandbox({
    ...sandboxOptions(config, log),
    ...(asked.allow === undefined ? {} : { allowList: asked.allow }),
    brokenRules,
    contradictions,
  });
  const { SANDBOX_PORT: port, ADMIN_HOST: host } = config;
  const where = `the sandbox cannot listen on ${host}:${port} (ADMIN_HOST, SANDBOX_PORT)`;
  const { url } = await reaching(where, () => sandbox.listen(port, host)).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  if (brokenRules.length > 0) log.warn({ brokenRules }, 'rules are broken on purpose');
  if (contradictions.length > 0) log.warn({ contradictions }, 'the service contradicts itself on purpose');
  log.info({ url }, `sandbox payment service on ${url}`);
  await untilSignal(log, () => sandbox.close());
}

function readContradiction(text: string): ContradictionOrder {
  try {
    return parseContradiction(text);
  } catch (error) {
    if (error instanceof RangeError) throw new BadInputError([`--contradict: ${error.message}`]);
    throw error;
  }
}

function readRules(names: readonly string[]): BreakableRule[] {
  const unknown = names.filter((name) => !isBreakableRule(name));
  if (unknown.length === 0) return names.filter(isBreakableRule);
  const rules = Object.entries(BREAKABLE_RULES).map(([name, broken]) => `  ${name}: ${broken}`);
  throw new BadInputError([`--break: unknown rule ${unknown.join(', ')}; expected one of`, ...rules]);
}

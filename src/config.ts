import { readFileSync } from 'node:fs';
import { type Values, type Variable, VARIABLES, type VariableName } from './config-variables';

export type Config = Values;

/** The names of every variable, for programs that check deployments against them. */
export const configVariables = Object.keys(VARIABLES) as readonly VariableName[];

/** What `dueday daemon` and its parts cannot do without. */
export const DAEMON_NEEDS = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'PAYMENT_SERVICE_BASE_URL',
  'PAYMENT_SERVICE_CLIENT_ID',
  'PAYMENT_SERVICE_CLIENT_SECRET',
] as const satisfies readonly VariableName[];

/** One bad variable, in words that never repeat a secret. */
export interface ConfigFault {
  readonly name: string;
  readonly message: string;
  readonly example: string;
}

/** Every bad variable at once. Commands print it and exit 2. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    super(faults.map(({ name, message, example }) => `${name}: ${message} (example: ${example})`).join('\n'));
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Entry = readonly [VariableName, unknown];

/**
 * The configuration of a process, from its environment alone.
 * @throws ConfigError that lists every missing or wrong variable.
 */
export function loadConfig(env: Environment, needs: readonly VariableName[] = []): Config {
  const faults: ConfigFault[] = [];
  const entries = configVariables.map((name): Entry => [name, readVariable(name, env, needs, faults)]);
  const values = Object.fromEntries(entries) as Values;
  if (faults.length === 0) faults.push(...findConflicts(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

function readVariable(
  name: VariableName,
  env: Environment,
  needs: readonly VariableName[],
  faults: ConfigFault[],
): unknown {
  const { schema, expected, example }: Variable = VARIABLES[name];
  const fault = (message: string): void => {
    faults.push({ name, message, example });
  };
  const raw = rawValue(name, env, fault);
  if (raw === FAULTY) return undefined;
  if (raw === undefined && needs.includes(name)) {
    fault(`missing; expected ${expected}`);
    return undefined;
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  fault(`expected ${expected}; got ${VARIABLES[name].secret ? '[masked]' : JSON.stringify(raw)}`);
  return undefined;
}

const FAULTY = Symbol('faulty');

/** The variable, or the contents of the file that `<NAME>_FILE` names. Empty counts as absent. */
function rawValue(
  name: string,
  env: Environment,
  fault: (message: string) => void,
): string | undefined | typeof FAULTY {
  const [direct, file] = [env[name] || undefined, env[`${name}_FILE`] || undefined];
  if (file === undefined) return direct;
  if (direct !== undefined) {
    fault(`given twice, as ${name} and as ${name}_FILE`);
    return FAULTY;
  }
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    fault(`${name}_FILE cannot be read: ${(error as Error).message}`);
    return FAULTY;
  }
}

function findConflicts(config: Values): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const fault = (name: VariableName, message: string) =>
    void faults.push({ name, message, example: VARIABLES[name].example });
  const needsBoth = (url: VariableName, other: VariableName) => {
    if (config[url] !== undefined && config[other] === undefined) fault(other, `missing; ${url} needs it`);
  };
  needsBoth('NOTICE_WEBHOOK_URL', 'NOTICE_WEBHOOK_SECRET');
  needsBoth('EVENT_WEBHOOK_URL', 'EVENT_WEBHOOK_SECRET');
  needsBoth('SMTP_URL', 'NOTICE_FROM');
  needsBoth('TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY');
  needsBoth('TEMPORAL_TLS_KEY', 'TEMPORAL_TLS_CERT');
  if (config.PAYMENT_SERVICE_ENVIRONMENT === 'production' && config.TEST_CLOCK !== undefined) {
    fault('TEST_CLOCK', 'a test clock works with the sandbox only, not in production');
  }
  return faults;
}

/** What is in force, secrets masked: one row a variable. */
export function describeConfig(
  config: Config,
  env: Environment,
): readonly { name: string; value: string; from: string }[] {
  return configVariables.map((name) => ({
    name,
    value: shown(name, config[name]),
    from: env[name] ? 'environment' : env[`${name}_FILE`] ? 'file' : 'default',
  }));
}

function shown(name: VariableName, value: unknown): string {
  if (value === undefined) return '';
  if (VARIABLES[name].secret) return '[masked]';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

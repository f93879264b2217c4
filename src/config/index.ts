import { abridged, type Environment, FAULTY, givenSources, isGiven, MASKED, rawValue } from './sources';
import { type Values, type Variable, VARIABLES, type VariableName } from './variables';
import { retryGap, type RetryPolicy } from '../domain/subscription/retries';
import { HOUR, SECOND, toIso } from '../domain/time';
// Not imported through the folder's index: most commands need neither an HTTP client nor a mail client.
import { OWN_TEMPLATES, readTemplates, type Templates } from '../notices/templates';
import { findUnsafeSettings } from './production-profile';

export { type Environment, isGiven } from './sources';

export type Config = Values;

/** All variable names, for programs that check deployments against them. */
export const configVariables = Object.keys(VARIABLES) as readonly VariableName[];

/** The variables that `dueday daemon` and its parts require. */
export const DAEMON_NEEDS = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'PAYMENT_SERVICE_ENVIRONMENT',
  'PAYMENT_SERVICE_BASE_URL',
  'PAYMENT_SERVICE_CLIENT_ID',
  'PAYMENT_SERVICE_CLIENT_SECRET',
] as const satisfies readonly VariableName[];

/** One invalid variable; the message never contains a secret. */
export interface ConfigFault {
  readonly name: string;
  readonly message: string;
  readonly example: string;
}

/** All invalid variables at once. Commands print the message and exit with code 2. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    super(faults.map(({ name, message, example }) => `${name}: ${message} (example: ${example})`).join('\n'));
    this.name = 'ConfigError';
  }
}

/** Default values, in the form of environment variables. */
export type Defaults = Readonly<Partial<Record<VariableName, string>>>;
type Entry = readonly [VariableName, unknown];

/**
 * Reads the configuration of a process from its environment, and from the files that the environment names.
 * @param needs the required variables. They also say which settings the process uses: of two settings that belong
 * together, such as an address and its secret, one may be missing if the process uses neither. Without `needs`, nothing
 * is required but all must be consistent.
 * @throws ConfigError that lists every missing or invalid variable.
 */
export function loadConfig(env: Environment, needs?: readonly VariableName[]): Config {
  const faults: ConfigFault[] = [];
  const entries = configVariables.map((name): Entry => [name, readVariable(name, env, needs ?? [], faults)]);
  const values = Object.fromEntries(entries) as Values;
  faults.push(...findConflicts(values, env, faults, (name) => needs?.includes(name) ?? true));
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

/** The environment, with defaults for variables that it does not set, neither directly nor by a file. */
export function withDefaults(env: Environment, defaults: Defaults): Environment {
  const missing = Object.entries(defaults).filter(([name]) => !isGiven(name as VariableName, env));
  return { ...env, ...Object.fromEntries(missing) };
}

/** For commands with output of their own: logs only errors unless the environment says otherwise. @throws as {@link loadConfig} */
export function loadQuietly(needs?: readonly VariableName[]): Config {
  return loadConfig(withDefaults(process.env, { LOG_LEVEL: 'error' }), needs);
}

/** @throws Error if a variable is missing that the caller should have required when loading the configuration. */
export function needed<T>(value: T | undefined, name: VariableName): T {
  if (value === undefined) throw new Error(`${name} is required but not set`);
  return value;
}

/** The address of the ledger, and the CA of its server's certificate. @throws Error as {@link needed} does */
export function databaseOf({ DATABASE_URL, DATABASE_CA }: Config): { databaseUrl: string; ca: string | undefined } {
  return { databaseUrl: needed(DATABASE_URL, 'DATABASE_URL'), ca: DATABASE_CA };
}

/** Default for a lone worker: a port commonly used by Prometheus exporters. */
const WORKER_METRICS = { host: '127.0.0.1', port: 9464 };

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the next free port may be used instead: the operator set none, and a second worker must not fail on it. */
  readonly mayMove: boolean;
}

/** Null if the admin API's listener serves the metrics. */
export function metricsAddress(serves: boolean, config: Config): MetricsAddress | null {
  const { ADMIN_HOST, ADMIN_PORT, METRICS_HOST, METRICS_PORT } = config;
  const defaults = serves ? { host: ADMIN_HOST, port: ADMIN_PORT } : WORKER_METRICS;
  const { host, port } = { host: METRICS_HOST ?? defaults.host, port: METRICS_PORT ?? defaults.port };
  if (serves && host === ADMIN_HOST && port === ADMIN_PORT) return null;
  return { host, port, mayMove: !serves && METRICS_PORT === undefined };
}

/**
 * The templates of e-mails to payers: dueday's own, except those that the merchant's folder overrides.
 * @throws ConfigError with every fault of the folder; {@link loadConfig} reports them earlier to processes that send notices
 */
export function templatesOf({ NOTICE_TEMPLATES: folder }: Config): Templates {
  if (folder === undefined) return OWN_TEMPLATES;
  const { templates, faults } = readTemplates(folder);
  if (faults.length > 0) throw new ConfigError(templateFaults(folder, faults));
  return templates;
}

function templateFaults(folder: string, faults: readonly string[]): ConfigFault[] {
  const { expected, example } = VARIABLES.NOTICE_TEMPLATES;
  const prefix = `expected ${expected}; got ${abridged(JSON.stringify(folder))}`;
  return faults.map((fault) => ({ name: 'NOTICE_TEMPLATES', message: `${prefix}: ${fault}`, example }));
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
  fault(`expected ${expected}; got ${VARIABLES[name].secret ? MASKED : abridged(JSON.stringify(raw))}`);
  return undefined;
}

/** The first variable requires the second, in commands that require the third. */
type Pair = readonly [one: VariableName, other: VariableName, usedWith: VariableName];

/**
 * A variable that is required only by the commands that notify payers and the merchant (`daemon`, `worker` and `api`), and by those
 * that check their configuration.
 */
const NOTIFYING = 'PAYMENT_SERVICE_ENVIRONMENT';

const PAIRS: readonly Pair[] = [
  ['NOTICE_WEBHOOK_URL', 'NOTICE_WEBHOOK_SECRET', NOTIFYING],
  ['EVENT_WEBHOOK_URL', 'EVENT_WEBHOOK_SECRET', NOTIFYING],
  ['SMTP_URL', 'NOTICE_FROM', NOTIFYING],
  ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'TEMPORAL_ADDRESS'],
  ['TEMPORAL_TLS_KEY', 'TEMPORAL_TLS_CERT', 'TEMPORAL_ADDRESS'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL', 'DATABASE_URL'],
  ['DATABASE_CA', 'DATABASE_URL', 'DATABASE_URL'],
];

const TEMPORAL_SETTINGS: ReadonlySet<VariableName> = new Set(['TEMPORAL_ADDRESS', 'PAYLOAD_ENCRYPTION']);

/**
 * The faults that involve several variables. An invalid variable counts as set, so that all faults are reported at
 * once.
 */
function findConflicts(
  values: Values,
  env: Environment,
  known: readonly ConfigFault[],
  isUsed: (name: VariableName) => boolean,
): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const fault = (name: VariableName, message: string) =>
    void faults.push({ name, message, example: VARIABLES[name].example });
  const unset = (name: string, message: string) => void faults.push({ name, message, example: 'unset' });
  const isInvalid = (name: string) => known.some((each) => each.name === name);
  const isSet = (name: VariableName) => values[name] !== undefined || isInvalid(name);
  for (const [one, other, usedWith] of PAIRS)
    if (isUsed(usedWith) && isSet(one) && !isSet(other)) fault(other, `missing; ${one} requires it`);
  if (isSet('DATABASE_CA'))
    for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
      const own = conflictingTls(values[name]);
      if (own !== null)
        fault(name, `sets ${own}; expected no TLS parameters except sslmode=verify-full together with DATABASE_CA`);
    }
  if (values.PAYMENT_SERVICE_ENVIRONMENT === 'production')
    for (const { name, message } of findUnsafeSettings(values, env)) {
      // An invalid variable has already been reported, and is not missing.
      if (isInvalid(name) || (name === 'PAYLOAD_ENCRYPTION' && isInvalid('PAYLOAD_ENCRYPTION_KEYS'))) continue;
      if (name === 'NODE_TLS_REJECT_UNAUTHORIZED') unset(name, message);
      // Whether Temporal is reached over TLS may depend on a secret that only processes with a connection to it have.
      else if (!TEMPORAL_SETTINGS.has(name) || isUsed('TEMPORAL_ADDRESS')) fault(name, message);
    }
  if (values.NOTICE_PAYMENT_LINK && isUsed(NOTIFYING) && !isSet('PAYMENT_PAGE_URL'))
    fault('PAYMENT_PAGE_URL', 'missing; NOTICE_PAYMENT_LINK requires it');
  // Other commands may run on machines without the folder.
  const folder = values.NOTICE_TEMPLATES;
  if (folder !== undefined && isUsed(NOTIFYING)) faults.push(...templateFaults(folder, readTemplates(folder).faults));
  if (values.PAYMENT_SERVICE_ENVIRONMENT === 'production' && isSet('TEST_CLOCK'))
    fault('TEST_CLOCK', 'a test clock is for the sandbox only, not for production');
  return faults;
}

/** The URL's TLS parameter that conflicts with DATABASE_CA; null if there is none. */
function conflictingTls(url: string | undefined): string | null {
  if (url === undefined) return null;
  const parameter = [...new URL(url).searchParams].find(
    ([name, value]) =>
      /^(ssl(cert|key|rootcert|negotiation)?|uselibpqcompat)$/.test(name) ||
      (name === 'sslmode' && UNVERIFIED_MODES.has(value)),
  );
  if (parameter === undefined) return null;
  return parameter[0] === 'sslmode' ? parameter.join('=') : parameter[0];
}

const UNVERIFIED_MODES: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer', 'no-verify']);

/** The values in force, one row per variable, with secrets masked. */
export function describeConfig(
  config: Config,
  env: Environment,
): readonly { name: string; value: string; from: string }[] {
  return configVariables.map((name) => ({ name, value: shown(name, config), from: originOf(name, env) }));
}

function originOf(name: VariableName, env: Environment): string {
  const [given] = givenSources(name, env);
  if (given === undefined) return 'default';
  return given.isFile ? 'file' : 'environment';
}

/** The value as it would be written in the environment, but masked if it is a secret, and cut if it is long. */
function shown(name: VariableName, config: Config): string {
  const value = config[name];
  if (value === undefined) return '';
  if (VARIABLES[name].secret) return MASKED;
  if (name === 'TEST_CLOCK' && config.TEST_CLOCK !== undefined) return describeClock(config.TEST_CLOCK);
  return abridged(Array.isArray(value) ? value.map(shownItem).join(',') : `${value as string | number | boolean}`);
}

/** Items are joined by commas, as they are read; pairs are written with a colon, such as `YEARLY:30`. */
function shownItem(item: unknown): string {
  return Array.isArray(item) ? item.map(String).join(':') : String(item);
}

function describeClock({ virtualStart, realStart, speed }: NonNullable<Config['TEST_CLOCK']>): string {
  return `${toIso(virtualStart)}@${toIso(realStart)}x${speed}`;
}

/** The retry policy that each new subscription keeps (rule 14). */
export function retryPolicyOf(
  config: Pick<Config, 'RETRY_OFFSETS_HOURS' | 'RETRY_MIN_GAP_HOURS' | 'PAYMENT_SERVICE_TRANSIT_SECONDS'>,
): RetryPolicy {
  const offsets = config.RETRY_OFFSETS_HOURS.map((hours) => hours * HOUR);
  const gap = retryGap(offsets, config.RETRY_MIN_GAP_HOURS * HOUR);
  return { offsets, transit: config.PAYMENT_SERVICE_TRANSIT_SECONDS * SECOND, gap };
}

import { readFileSync } from 'node:fs';
import { TEMPORAL_NAMES, type Values, type Variable, VARIABLES, type VariableName } from './variables';
import { retryGap, type RetryPolicy } from '../domain/subscription/retries';
import { HOUR, SECOND, toIso } from '../domain/time';
// Not through the folder's index: most commands need neither an HTTP client nor one of mail servers.
import { OWN_TEMPLATES, readTemplates, type Templates } from '../notices/templates';
import { findUnsafeSettings } from './production-profile';

export type Config = Values;

/** The names of every variable, for programs that check deployments against them. */
export const configVariables = Object.keys(VARIABLES) as readonly VariableName[];

/** What `dueday daemon` and its parts cannot do without. */
export const DAEMON_NEEDS = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'PAYMENT_SERVICE_ENVIRONMENT',
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

export type Environment = Readonly<Record<string, string | undefined>>;
/** Variables as an environment would give them. */
export type Defaults = Readonly<Partial<Record<VariableName, string>>>;
type Entry = readonly [VariableName, unknown];

/**
 * The configuration of a process, from its environment alone.
 * @param needs what it cannot do without. They also say what it uses: of what it does not, another process may have the
 * other half, such as a secret. Left out, nothing is missed, and everything has to go together.
 * @throws ConfigError that lists every missing or wrong variable.
 */
export function loadConfig(env: Environment, needs?: readonly VariableName[]): Config {
  const faults: ConfigFault[] = [];
  const entries = configVariables.map((name): Entry => [name, readVariable(name, env, needs ?? [], faults)]);
  const values = Object.fromEntries(entries) as Values;
  faults.push(...findConflicts(values, env, faults, (name) => needs?.includes(name) ?? true));
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

/** The environment, with these where it gives a variable in no way: beside its file, the value would be given twice. */
export function withDefaults(env: Environment, defaults: Defaults): Environment {
  const missing = Object.entries(defaults).filter(([name]) => !isGiven(name as VariableName, env));
  return { ...env, ...Object.fromEntries(missing) };
}

/** Of a command whose own output counts: only errors are logged unless the environment says otherwise. @throws as {@link loadConfig} */
export function loadQuietly(needs?: readonly VariableName[]): Config {
  return loadConfig(withDefaults(process.env, { LOG_LEVEL: 'error' }), needs);
}

/** Whether the environment gives the variable in any way. */
export function isGiven(name: VariableName, env: Environment): boolean {
  return givenSources(name, env).length > 0;
}

/** @throws Error where a variable is missing that the caller loaded the configuration with as needed. */
export function needed<T>(value: T | undefined, name: VariableName): T {
  if (value === undefined) throw new Error(`${name} is needed here and not set`);
  return value;
}

/** Where the ledger is, and who vouches for its server. @throws Error as {@link needed} does */
export function databaseOf({ DATABASE_URL, DATABASE_CA }: Config): { databaseUrl: string; ca: string | undefined } {
  return { databaseUrl: needed(DATABASE_URL, 'DATABASE_URL'), ca: DATABASE_CA };
}

/** Of a lone worker that names no other; what exporters of Prometheus usually take. */
const USUAL_METRICS = { host: '127.0.0.1', port: 9464 };

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the next free port does as well: no operator asked for this one, and a second worker must not fail on it. */
  readonly mayMove: boolean;
}

/** Null where the listener of the admin API answers, too. */
export function metricsAddress(serves: boolean, config: Config): MetricsAddress | null {
  const { ADMIN_HOST, ADMIN_PORT, METRICS_HOST, METRICS_PORT } = config;
  const usual = serves ? { host: ADMIN_HOST, port: ADMIN_PORT } : USUAL_METRICS;
  const { host, port } = { host: METRICS_HOST ?? usual.host, port: METRICS_PORT ?? usual.port };
  if (serves && host === ADMIN_HOST && port === ADMIN_PORT) return null;
  return { host, port, mayMove: !serves && METRICS_PORT === undefined };
}

/**
 * The words of e-mails to payers: ours, as far as the merchant's own folder does not override them.
 * @throws ConfigError with every fault of the folder; {@link loadConfig} has found them for those that tell payers
 */
export function templatesOf({ NOTICE_TEMPLATES: folder }: Config): Templates {
  if (folder === undefined) return OWN_TEMPLATES;
  const { templates, faults } = readTemplates(folder);
  if (faults.length > 0) throw new ConfigError(templateFaults(folder, faults));
  return templates;
}

function templateFaults(folder: string, faults: readonly string[]): ConfigFault[] {
  const { expected, example } = VARIABLES.NOTICE_TEMPLATES;
  const beginning = `expected ${expected}; got ${abridged(JSON.stringify(folder))}`;
  return faults.map((fault) => ({ name: 'NOTICE_TEMPLATES', message: `${beginning}: ${fault}`, example }));
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

const FAULTY = Symbol('faulty');
const MASKED = '[masked]';
const LONGEST_SHOWN = 120;

/** One way to give a variable: the name in the environment, of the value or of the path of a file that holds it. */
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

/** The ways in which the variable is given. Empty counts as absent. */
function givenSources(name: VariableName, env: Environment): readonly Source[] {
  return sourcesOf(name).filter(({ source }) => Boolean(env[source]));
}

/** The variable, or the contents of the file that stands for it. */
function rawValue(
  name: VariableName,
  env: Environment,
  fault: (message: string) => void,
): string | undefined | typeof FAULTY {
  const [given, other] = givenSources(name, env);
  if (given === undefined) return undefined;
  if (other !== undefined) {
    fault(`given twice, as ${given.source} and as ${other.source}`);
    return FAULTY;
  }
  const value = env[given.source] ?? '';
  if (!given.isFile) return value;
  try {
    return readFileSync(value, 'utf8').trim() || undefined;
  } catch (error) {
    // The path of a secret stays unsaid: it may be the secret itself, given under the wrong name.
    const which = VARIABLES[name].secret ? '' : ` ${abridged(JSON.stringify(value))}`;
    fault(`${given.source} cannot be read:${which} ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}`);
    return FAULTY;
  }
}

/** The first is nothing without the second, to a command that needs the third. */
type Pair = readonly [one: VariableName, other: VariableName, usedWith: VariableName];

/** Needed by those that tell payers and the merchant: `daemon`, `worker` and `api`. */
const TELLING = 'PAYMENT_SERVICE_ENVIRONMENT';

const PAIRS: readonly Pair[] = [
  ['NOTICE_WEBHOOK_URL', 'NOTICE_WEBHOOK_SECRET', TELLING],
  ['EVENT_WEBHOOK_URL', 'EVENT_WEBHOOK_SECRET', TELLING],
  ['SMTP_URL', 'NOTICE_FROM', TELLING],
  ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'TEMPORAL_ADDRESS'],
  ['TEMPORAL_TLS_KEY', 'TEMPORAL_TLS_CERT', 'TEMPORAL_ADDRESS'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL', 'DATABASE_URL'],
  ['DATABASE_CA', 'DATABASE_URL', 'DATABASE_URL'],
];

const OF_TEMPORAL: ReadonlySet<VariableName> = new Set(['TEMPORAL_ADDRESS', 'PAYLOAD_ENCRYPTION']);

/**
 * The faults that no single variable shows. One that is given and wrong counts as given, so that all faults show at
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
  const isThere = (name: VariableName) => values[name] !== undefined || known.some((each) => each.name === name);
  for (const [one, other, usedWith] of PAIRS)
    if (isUsed(usedWith) && isThere(one) && !isThere(other)) fault(other, `missing; ${one} needs it`);
  if (isThere('DATABASE_CA'))
    for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
      const own = tlsOfItsOwn(values[name]);
      if (own !== null) fault(name, `says ${own}; expected no word of TLS but sslmode=verify-full beside DATABASE_CA`);
    }
  if (values.PAYMENT_SERVICE_ENVIRONMENT === 'production')
    for (const { name, message } of findUnsafeSettings(values, env))
      if (name === 'NODE_TLS_REJECT_UNAUTHORIZED') unset(name, message);
      // How Temporal is spoken to may follow from a secret, which only those have who speak to it.
      else if (!OF_TEMPORAL.has(name) || isUsed('TEMPORAL_ADDRESS')) fault(name, message);
  // Other commands may run where the folder is not.
  const folder = values.NOTICE_TEMPLATES;
  if (folder !== undefined && isUsed(TELLING)) faults.push(...templateFaults(folder, readTemplates(folder).faults));
  if (values.PAYMENT_SERVICE_ENVIRONMENT === 'production' && isThere('TEST_CLOCK'))
    fault('TEST_CLOCK', 'a test clock works with the sandbox only, not in production');
  return faults;
}

/** What the URL says of TLS that DATABASE_CA would have to overrule; null where it says nothing of the kind. */
function tlsOfItsOwn(url: string | undefined): string | null {
  if (url === undefined) return null;
  const said = [...new URL(url).searchParams].find(
    ([name, value]) =>
      /^(ssl(cert|key|rootcert|negotiation)?|uselibpqcompat)$/.test(name) ||
      (name === 'sslmode' && WITHOUT_CHECK.has(value)),
  );
  if (said === undefined) return null;
  return said[0] === 'sslmode' ? said.join('=') : said[0];
}

const WITHOUT_CHECK: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer', 'no-verify']);

/** What is in force, secrets masked: one row a variable. */
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

/** As it would be written in the environment. */
function shown(name: VariableName, config: Config): string {
  const value = config[name];
  if (value === undefined) return '';
  if (VARIABLES[name].secret) return MASKED;
  if (name === 'TEST_CLOCK' && config.TEST_CLOCK !== undefined) return describeClock(config.TEST_CLOCK);
  // Numbers of a list are joined by commas, as they are read.
  return abridged(`${Array.isArray(value) ? value.map(String).join(',') : (value as string | number | boolean)}`);
}

function describeClock({ virtualStart, realStart, speed }: NonNullable<Config['TEST_CLOCK']>): string {
  return `${toIso(virtualStart)}@${toIso(realStart)}x${speed}`;
}

/** One line of bounded length; a password within a URL is a secret too. */
function abridged(value: string): string {
  const [line = '', ...rest] = value.replace(/(:\/\/[^/?#\s:@]*:)[^/?#\s@]*@/, `$1${MASKED}@`).split('\n');
  const cut = line.slice(0, LONGEST_SHOWN);
  return cut === line && rest.length === 0 ? line : `${cut}…`;
}

/** What subscriptions that are created from now on are frozen with (rule 14). */
export function retryPolicyOf(
  config: Pick<Config, 'RETRY_OFFSETS_HOURS' | 'RETRY_MIN_GAP_HOURS' | 'PAYMENT_SERVICE_TRANSIT_SECONDS'>,
): RetryPolicy {
  const offsets = config.RETRY_OFFSETS_HOURS.map((hours) => hours * HOUR);
  const gap = retryGap(offsets, config.RETRY_MIN_GAP_HOURS * HOUR);
  return { offsets, transit: config.PAYMENT_SERVICE_TRANSIT_SECONDS * SECOND, gap };
}

import { createClock } from '../platform/clock';
import { type Config, DAEMON_NEEDS, databaseOf, describeConfig, loadConfig, metricsAddress } from '../config';
import { grantProgram, migrate, readMigrator } from '../ledger';
import { createLogger } from '../platform/log';
import { tokenUrlOf } from '../payment-service';
import { refuseListeningEverywhere, withPool } from '../process/command';
import { BadInputError, reaching } from '../process/command-error';
import { connectionsOf, uncappedInProduction } from '../process/diagnosis/capacity';
import { describeOwnCertificates } from '../process/diagnosis/certificates';
import { readMachine, sizesOf } from '../process/worker-sizes';
import { LISTENING } from '../config/listen-addresses';
import { print, printTable } from './output';

/**
 * Prints the values in force, with secrets masked. Values that are not set are defaults, or derived from
 * other variables or from this machine.
 * @throws ConfigError if a value is not valid, or, after the values, if one is missing that a daemon needs
 */
export async function runConfigCheck(): Promise<void> {
  const config = loadConfig(process.env);
  await refuseListeningEverywhere(config, LISTENING);
  const sizes = sizesInForce(config);
  const rows = describeConfig({ ...config, ...addressesInForce(config), ...sizes }, process.env);
  printTable(
    rows.map(({ name, value, from }) => [name, value, from === 'default' && name in sizes ? 'machine' : from]),
  );
  for (const line of describeOwnCertificates(config, createClock(null))) print(line);
  const { worker, api, daemon } = connectionsOf(config);
  print(`connections to PostgreSQL: a worker uses up to ${worker}, an api ${api}, a daemon ${daemon}`);
  const uncapped = uncappedInProduction(config);
  if (uncapped !== null) print(`warning: ${uncapped}`);
  loadConfig(process.env, DAEMON_NEEDS);
  print('the configuration is valid');
}

function sizesInForce(config: Config): Pick<Config, 'WORKFLOW_CACHE_SIZE' | 'ACTIVITY_SLOTS'> {
  const { cachedWorkflows, slots } = sizesOf(config, readMachine());
  return { WORKFLOW_CACHE_SIZE: cachedWorkflows, ACTIVITY_SLOTS: slots.others };
}

/** The addresses of a process with the admin API; a lone worker serves metrics elsewhere. */
function addressesInForce(config: Config): Pick<Config, 'PAYMENT_SERVICE_TOKEN_URL' | 'METRICS_HOST' | 'METRICS_PORT'> {
  const { PAYMENT_SERVICE_BASE_URL: baseUrl, ADMIN_HOST, ADMIN_PORT } = config;
  const derived = baseUrl === undefined ? undefined : tokenUrlOf(baseUrl);
  const { host, port } = metricsAddress(true, config) ?? { host: ADMIN_HOST, port: ADMIN_PORT };
  return {
    PAYMENT_SERVICE_TOKEN_URL: config.PAYMENT_SERVICE_TOKEN_URL ?? derived,
    METRICS_HOST: host,
    METRICS_PORT: port,
  };
}

/** Brings the ledger's schema up to date, and grants the program's role what it needs. */
export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  await refuseProgram(config);
  const log = createLogger(config.LOG_LEVEL);
  const applied = await reaching('the ledger cannot be migrated', () => migrate(databaseOf(config), { log }));
  print(applied.length === 0 ? 'the schema is current' : `applied: ${applied.join(', ')}`);
  if (config.DATABASE_ROLE !== undefined) await grant(config, config.DATABASE_ROLE);
}

/** @throws BadInputError if the ledger would be migrated by a role that does not own it, such as the program's own */
async function refuseProgram(config: Config): Promise<void> {
  const migrator = await withPool({ ...databaseOf(config), purpose: 'migrate', max: 1 }, (ledger) =>
    reaching('the ledger cannot be migrated', () => readMigrator(ledger)),
  );
  if (migrator.mayMigrate) return;
  throw new BadInputError([
    `DATABASE_URL: expected the role that owns the ledger; got ${migrator.role}, which may not change its schema. See "The ledger's own roles" in docs/guides/deploy.md`,
  ]);
}

/** @throws BadInputError */
async function grant(config: Config, role: string): Promise<void> {
  await withPool({ ...databaseOf(config), purpose: 'migrate', max: 1 }, async (ledger) => {
    const { kind } = await reaching('the privileges cannot be granted', () => grantProgram(ledger, role));
    switch (kind) {
      case 'granted':
        print(`the role ${role} has the privileges that the program needs, and no others`);
        break;
      case 'unknown_role':
        throw new BadInputError([
          `DATABASE_ROLE: expected an existing PostgreSQL role; got ${JSON.stringify(role)}. Create it first: create role … login password '…'`,
        ]);
      case 'owner':
        throw new BadInputError([
          `DATABASE_ROLE: expected a role that owns no table of the ledger and is not a superuser; got ${JSON.stringify(role)}, which grants cannot restrict`,
        ]);
    }
  });
}

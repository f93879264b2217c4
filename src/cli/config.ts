import { type Config, databaseOf, describeConfig, loadConfig } from '../config';
import { grantProgram, migrate } from '../ledger';
import { createLogger } from '../log';
import { withPool } from '../process/command';
import { BadInputError, reaching } from '../process/command-error';
import { templatesOf } from '../process/notifier';
import { readMachine, sizesOf } from '../process/worker-sizes';
import { print, printTable } from './output';

/** What is in force, secrets masked; of sizes that are left open, what this machine gives. */
export function runConfigCheck(): void {
  const config = loadConfig(process.env);
  templatesOf(config);
  const { cachedWorkflows, slots } = sizesOf(config, readMachine());
  const sizes: Readonly<Record<string, number>> = {
    WORKFLOW_CACHE_SIZE: cachedWorkflows,
    ACTIVITY_SLOTS: slots.others,
  };
  printTable(
    describeConfig(config, process.env).map(({ name, value, from }) => {
      const size = value === '' ? sizes[name] : undefined;
      return size === undefined ? [name, value, from] : [name, String(size), 'machine'];
    }),
  );
  print('the configuration is valid');
}

/** Brings the ledger's schema up to date, and gives the program's role what it needs of it. */
export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const log = createLogger(config.LOG_LEVEL);
  const applied = await reaching('the ledger cannot be migrated', () => migrate(databaseOf(config), { log }));
  print(applied.length === 0 ? 'the schema is current' : `applied: ${applied.join(', ')}`);
  if (config.DATABASE_ROLE !== undefined) await grant(config, config.DATABASE_ROLE);
}

/** @throws BadInputError */
async function grant(config: Config, role: string): Promise<void> {
  await withPool({ ...databaseOf(config), purpose: 'migrate', max: 1 }, async (ledger) => {
    const { kind } = await reaching('the ledger cannot be granted', () => grantProgram(ledger, role));
    switch (kind) {
      case 'granted':
        print(`the role ${role} may do what the program needs, and no more`);
        break;
      case 'unknown_role':
        throw new BadInputError([
          `DATABASE_ROLE: expected a role that PostgreSQL has; got ${JSON.stringify(role)}. Create it first: create role … login password '…'`,
        ]);
      case 'owner':
        throw new BadInputError([
          `DATABASE_ROLE: expected a role that owns no table of the ledger and is no superuser; got ${JSON.stringify(role)}, which no grant limits`,
        ]);
    }
  });
}

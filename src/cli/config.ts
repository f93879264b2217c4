import { databaseOf, describeConfig, loadConfig } from '../config';
import { migrate } from '../ledger';
import { createLogger } from '../log';
import { reaching } from '../process/command-error';
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

/** Brings the ledger's schema up to date. */
export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const log = createLogger(config.LOG_LEVEL);
  const applied = await reaching('the ledger cannot be migrated', () => migrate(databaseOf(config), log));
  print(applied.length === 0 ? 'the schema is current' : `applied: ${applied.join(', ')}`);
}

import { describeConfig, loadConfig } from '../config';
import { migrate } from '../ledger';
import { createLogger } from '../log';
import { reaching } from '../process/command-error';
import { needed } from '../process/dependencies';
import { print, printTable } from './output';

/** What is in force, secrets masked. */
export function runConfigCheck(): void {
  const config = loadConfig(process.env);
  printTable(describeConfig(config, process.env).map(({ name, value, from }) => [name, value, from]));
  print('the configuration is valid');
}

/** Brings the ledger's schema up to date. */
export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const databaseUrl = needed(config.DATABASE_URL, 'DATABASE_URL');
  const log = createLogger(config.LOG_LEVEL);
  const applied = await reaching('the ledger cannot be migrated', () => migrate(databaseUrl, log));
  print(applied.length === 0 ? 'the schema is current' : `applied: ${applied.join(', ')}`);
}

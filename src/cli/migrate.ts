import { loadConfig } from '../config';
import { migrate } from '../ledger';
import { createLogger } from '../log';
import { needed } from './parts';
import { print } from './print';

/** Brings the ledger's schema up to date. */
export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const applied = await migrate(needed(config.DATABASE_URL, 'DATABASE_URL'), createLogger(config.LOG_LEVEL));
  print(applied.length === 0 ? 'the schema is current' : `applied: ${applied.join(', ')}`);
}

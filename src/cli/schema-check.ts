import { type createPool, isSchemaCurrent } from '../ledger';
import { CommandError, reaching } from './command-error';

/** @throws CommandError where the database cannot be reached, or its schema is older or newer than this program. */
export async function refuseOldSchema(ledger: ReturnType<typeof createPool>): Promise<void> {
  const schema = await reaching('the ledger cannot be reached', () => isSchemaCurrent(ledger));
  if (schema.current) return;
  const unknown = schema.unknown.length > 0 ? `; it has ${schema.unknown.join(', ')} of a newer version` : '';
  const missing = schema.missing.length > 0 ? `; missing ${schema.missing.join(', ')}: run dueday migrate` : '';
  throw new CommandError(`the ledger's schema is not current${missing}${unknown}`);
}

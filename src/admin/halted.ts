import { readHalt } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { Problem } from './problems';

/**
 * Before anything is stored that would be sent: while all sending is halted, nothing new is taken.
 * @param isStored whether the same request has stored it already: then that waits, and the request may hear of it
 * @throws Problem `halted`.
 */
export async function refuseWhileHalted(
  { db }: Pick<AdminDeps, 'db'>,
  isStored: () => Promise<boolean> = async () => false,
): Promise<void> {
  if ((await readHalt(db)) === null || (await isStored())) return;
  throw new Problem('halted', 'All sending is halted: this request was not taken. Repeat it once the halt is lifted.');
}

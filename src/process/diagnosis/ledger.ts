import type { Clock } from '../../clock';
import { type Config, databaseOf } from '../../config';
import { createPool, isSchemaCurrent, type Pool, readClock } from '../../ledger';
import { createLogger } from '../../log';
import { clockApart, failed, type Finding, finding, ok, PATIENCE, warning } from './finding';

export async function diagnoseLedger(config: Config, clock: Clock): Promise<Finding[]> {
  const log = createLogger('silent');
  const db = createPool({
    ...databaseOf(config),
    purpose: 'doctor',
    max: 1,
    patienceMs: PATIENCE,
    statementTimeoutMs: PATIENCE,
    log,
  });
  try {
    const reached = await finding('postgresql', 'check DATABASE_URL, and that PostgreSQL runs', () =>
      askDatabase(db, clock),
    );
    if (reached.state === 'failed') return [reached];
    return [reached, await finding('schema', 'run dueday migrate', () => askSchema(db))];
  } finally {
    await db.end();
  }
}

async function askDatabase(db: Pool, clock: Clock): Promise<Finding> {
  const askedAt = clock.realNow();
  const { at, version } = await readClock(db);
  const apart = clockApart(at - (askedAt + clock.realNow()) / 2);
  if (apart === null) return ok('postgresql', `version ${version}, clocks agree`);
  return warning('postgresql', `version ${version}, its clock is ${apart}`, 'synchronise both clocks (NTP)');
}

async function askSchema(db: Pool): Promise<Finding> {
  const { missing, unknown } = await isSchemaCurrent(db);
  if (missing.length > 0) return failed('schema', `missing ${missing.join(', ')}`, 'run dueday migrate');
  if (unknown.length > 0)
    return failed('schema', `has ${unknown.join(', ')} of a newer version`, 'run the version that made it, or a newer');
  return ok('schema', 'current');
}

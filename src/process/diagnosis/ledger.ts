import type { Clock } from '../../platform/clock';
import { type Config, databaseOf } from '../../config';
import {
  type DatabaseAddress,
  isReplica,
  type Pool,
  readClock,
  readPowers,
  readSchema,
  watchWrites,
  whyNotWritable,
} from '../../ledger';
import { createLogger } from '../../platform/log';
import { schemaFault, unfitFor, withPool } from '../command';
import { clockDifference, failed, type Finding, finding, ok, CHECK_TIMEOUT, warning } from './finding';

export async function diagnoseLedger(config: Config, clock: Clock): Promise<Finding[]> {
  const database = databaseOf(config);
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const found = await withConnection(database, async (db) => {
    const reached = await finding('postgresql', 'check DATABASE_URL, and that PostgreSQL runs', () =>
      checkDatabase(db, clock),
    );
    if (reached.state === 'failed') return [reached];
    const schema = await finding('schema', 'run dueday migrate', () => checkSchema(db));
    if (schema.state === 'failed') return [reached, schema];
    const unwritten = await checkWrite(db);
    if (unwritten !== null) return [unwritten, schema];
    const isProduction = config.PAYMENT_SERVICE_ENVIRONMENT === 'production';
    return [reached, schema, await finding('database role', ROLE, () => checkRole(db, isProduction))];
  });
  if (replicaUrl === undefined) return found;
  const replica = { ...database, databaseUrl: replicaUrl };
  return [...found, await finding('replica', REPLICA_AWAY, () => withConnection(replica, checkReplica))];
}

/** Tries a real write; null if it succeeds, or if it fails for a reason that another finding reports. */
async function checkWrite(db: Pool): Promise<Finding | null> {
  const fault = await watchWrites(db)
    .check()
    .then(() => null, whyNotWritable);
  if (fault === null) return null;
  return failed(
    'postgresql',
    `reachable, but not writable: ${fault}`,
    'docs/guides/runbooks/dueday-ledger-not-written.md',
  );
}

const REPLICA_AWAY = 'check DATABASE_REPLICA_URL, and that the replica runs';

async function withConnection<T>(address: DatabaseAddress, work: (db: Pool) => Promise<T>): Promise<T> {
  const log = createLogger('silent');
  const limits = { timeoutMs: CHECK_TIMEOUT, answerMs: CHECK_TIMEOUT };
  return withPool({ ...address, ...limits, purpose: 'doctor', max: 1, log }, work);
}

const ROLE = 'run dueday migrate with DATABASE_ROLE, and run the daemon as that role: docs/guides/deploy.md';

/** An unfit role is a failure only in production, where a process with such a role refuses to start. */
async function checkRole(db: Pool, isProduction: boolean): Promise<Finding> {
  const powers = await readPowers(db);
  const unfit = unfitFor(powers);
  if (unfit === null) return ok('database role', `${powers.role}, which cannot remove permanent records`);
  return (isProduction ? failed : warning)('database role', unfit, ROLE);
}

async function checkReplica(db: Pool): Promise<Finding> {
  if (await isReplica(db)) return ok('replica', 'replicates another server');
  return warning('replica', 'is not a replica', 'set DATABASE_REPLICA_URL to a streaming replica of DATABASE_URL');
}

async function checkDatabase(db: Pool, clock: Clock): Promise<Finding> {
  const askedAt = clock.realNow();
  const { at, version } = await readClock(db);
  const difference = clockDifference(at - (askedAt + clock.realNow()) / 2);
  if (difference === null) return ok('postgresql', `version ${version}, clocks agree`);
  return warning('postgresql', `version ${version}, its clock is ${difference}`, 'synchronize both clocks (NTP)');
}

async function checkSchema(db: Pool): Promise<Finding> {
  const state = await readSchema(db);
  const fault = schemaFault(state);
  if (fault !== null) return failed('schema', fault.found, fault.advice);
  const newer = state.unknown.length === 0 ? '' : `, with ${state.unknown.join(', ')} of a newer release`;
  return ok('schema', `current${newer}`);
}

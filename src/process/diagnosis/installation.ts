import { type Config, databaseOf } from '../../config';
import { toIso } from '../../domain/time';
import { isRestored, type Pool, readBusiestDay, readConnections, readNamespace } from '../../ledger';
import { createLogger } from '../../platform/log';
import type { Clock } from '../../platform/clock';
import { withPool } from '../command';
import { readNamespaceId } from '../installation';
import { withTemporal } from '../temporal';
import { messageOf } from '../command-error';
import { collectingLimits, connectionsOf, uncappedInProduction } from './capacity';
import { failed, type Finding, finding, ok, CHECK_TIMEOUT, warning } from './finding';

/**
 * Checks that ledger, Temporal and configuration belong together. If the ledger cannot be reached, which another check reports, only
 * the finding about the cap on calls is left.
 */
export async function diagnoseInstallation(config: Config, clock: Clock): Promise<Finding[]> {
  const limits = { timeoutMs: CHECK_TIMEOUT, answerMs: CHECK_TIMEOUT, max: 1, log: createLogger('silent') };
  const asked = withPool({ ...databaseOf(config), ...limits, purpose: 'doctor' }, async (ledger) => [
    await findingOfRestore(ledger),
    await findingOfNamespace(config, ledger),
    await findingOfConnections(config, ledger),
    await findingOfBusiestDay(config, clock, ledger),
  ]);
  const found = await asked.catch(() => []);
  return [...found.flat(), ...findingOfCap(config)];
}

async function findingOfRestore(ledger: Pool): Promise<Finding[]> {
  if (!(await isRestored(ledger))) return [ok('ledger', 'the accepted one')];
  return [
    failed('ledger', 'restored, moved or copied, and not yet accepted: nothing is sent', 'docs/guides/restore.md'),
  ];
}

/** Empty if Temporal cannot be reached, or before the first process has started. */
async function findingOfNamespace(config: Config, ledger: Pool): Promise<Finding[]> {
  const known = await readNamespace(ledger);
  const id = await withTemporal(config, (temporal) => readNamespaceId(config, temporal)).catch(() => null);
  if (known === null || id === null) return [];
  const check = 'temporal namespace';
  if (known === id) return [ok(check, 'the one in which the workflows of this ledger run')];
  return [
    failed(
      check,
      `${config.TEMPORAL_NAMESPACE} has the id ${id}, but the workflows of this ledger run in ${known}`,
      'check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and DATABASE_URL; if Temporal was replaced, run dueday temporal accept',
    ),
  ];
}

async function findingOfConnections(config: Config, ledger: Pool): Promise<Finding[]> {
  const check = 'connections';
  return [
    await finding(check, 'check that the role may read pg_stat_activity', async () => {
      const { most, used } = await readConnections(ledger);
      const { worker, api, daemon } = connectionsOf(config);
      const found = `max_connections leaves ${most}, ${used} in use; a worker uses up to ${worker}, an api ${api}, a daemon ${daemon}`;
      if (worker + api <= most) return ok(check, found);
      return warning(check, found, 'raise max_connections, or lower DATABASE_POOL_SIZE');
    }),
  ];
}

/** Empty without a cap. The ledger may be too busy for this query, which must not hide the other findings. */
async function findingOfBusiestDay(config: Config, clock: Clock, ledger: Pool): Promise<Finding[]> {
  const check = 'busiest day';
  const busiest = await readBusiestDay(ledger, clock.now(), collectingLimits(config, clock)).catch(messageOf);
  if (typeof busiest === 'string') return [warning(check, busiest, 'try again when the ledger is less busy')];
  if (busiest === null) return [];
  const { day, attempts, hours, allowed } = busiest;
  const found = `the cap needs ${hours} hours for the ${attempts} attempts of ${toIso(day).slice(0, 'YYYY-MM-DD'.length)}`;
  if (hours <= allowed) return [ok(check, found)];
  return [
    warning(
      check,
      `${found}, more than ${allowed}`,
      'agree a higher PAYMENT_SERVICE_MAX_RPS with the payment service provider, or set SPREAD_SECONDS: docs/guides/runbooks/dueday-cap-too-low.md',
    ),
  ];
}

function findingOfCap(config: Config): Finding[] {
  const uncapped = uncappedInProduction(config);
  if (uncapped !== null) return [warning('cap on calls', uncapped, 'set it to what the service allows')];
  const { PAYMENT_SERVICE_MAX_RPS: cap } = config;
  return cap === undefined ? [] : [ok('cap on calls', `${cap} per second`)];
}

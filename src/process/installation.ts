/** Ties a process to its ledger: the settings it sends with, and the Temporal namespace of its workflows. */
import type { Config } from '../config';
import { SECOND } from '../domain/time';
import { logged, repeat, type Repeated } from '../jobs/repeated-work';
import {
  acceptNamespace,
  claimNamespace,
  isRestored,
  checkSettings,
  type OutsideSetting,
  registerSettings,
  type SettingsResult,
  isUnstartedCopy,
} from '../ledger';
import { BadInputError, CommandError, reaching } from './command-error';
import type { Dependencies } from './dependencies';
import { type TemporalConnection, withTemporal } from './temporal';

/** Credentials and addresses for sending: a copy of a ledger may not use those of the original (rule 45). */
const OUTSIDE = [
  'PAYMENT_SERVICE_CLIENT_SECRET',
  'PAYMENT_SERVICE_API_KEY',
  'SMTP_URL',
  'NOTICE_WEBHOOK_URL',
  'EVENT_WEBHOOK_URL',
] as const satisfies readonly (keyof Config)[];

function outsideSettings(config: Config): readonly OutsideSetting[] {
  return OUTSIDE.flatMap((name) => {
    const value = config[name];
    return value === undefined ? [] : [{ name, value }];
  });
}

/**
 * Records the settings of this process in the ledger. If the ledger was restored or copied, nothing is recorded until an admin
 * has declared which of the two it is.
 * @throws BadInputError if the ledger is a copy and the settings are those of the original, or of production
 */
export async function registerOwnSettings({ config, ledgers, clock }: Dependencies): Promise<void> {
  const db = ledgers.steering;
  const [settings, isProduction] = [outsideSettings(config), isProductionOf(config)];
  const result = await reaching('the ledger cannot be written', async () =>
    (await isUndeclared(db))
      ? checkSettings(db, settings, isProduction)
      : registerSettings(db, settings, { isProduction, at: clock.now() }),
  );
  const faults = faultsOf(result);
  if (faults.length > 0) throw new BadInputError(faults);
}

/** Whether the ledger was restored or copied, and no admin has declared it a copy yet. */
async function isUndeclared(db: Dependencies['ledgers']['steering']): Promise<boolean> {
  return (await isRestored(db)) && !(await isUnstartedCopy(db));
}

function isProductionOf({ PAYMENT_SERVICE_ENVIRONMENT: environment }: Config): boolean {
  return environment === 'production';
}

function faultsOf(result: SettingsResult): readonly string[] {
  switch (result.kind) {
    case 'registered':
      return [];
    case 'production':
      return [
        'PAYMENT_SERVICE_ENVIRONMENT: expected a non-production environment, because this ledger is a copy; got "production"',
      ];
    case 'refused':
      return result.names.map(
        (name) =>
          `${name}: expected a different value from that of the original ledger, because this one is a copy; got the same`,
      );
  }
}

/** Real ms. */
const CHECKED_EVERY = 10 * SECOND;

/**
 * Checks periodically whether the process may still use its settings: an admin may declare the ledger a copy meanwhile.
 * @param refused receives the reason why the process has to stop
 */
export function watchSettings({ config, ledgers, log }: Dependencies, refused: (reason: string) => void): Repeated {
  const check = logged(log, 'the settings could not be compared with those of the ledger', async () => {
    const result = await checkSettings(ledgers.steering, outsideSettings(config), isProductionOf(config));
    const [fault] = faultsOf(result);
    if (fault !== undefined) refused(fault);
  });
  return repeat(CHECKED_EVERY, check);
}

/**
 * Compares the configured namespace with the one in which the workflows of this ledger run; the first process records it (rule 44).
 * @throws CommandError if they differ: all workflows would appear to be missing
 */
export async function refuseOtherNamespace(
  { config, ledgers }: Dependencies,
  temporal: TemporalConnection,
): Promise<void> {
  const { TEMPORAL_NAMESPACE: name } = config;
  const id = await readNamespaceId(config, temporal);
  const known = await claimNamespace(ledgers.steering, id);
  if (known === id) return;
  throw new CommandError(
    `Temporal's namespace ${name} has the id ${id}, but the workflows of this ledger run in ${known}: check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and DATABASE_URL; if Temporal was replaced, run node bin/dueday.js temporal accept --reason …`,
  );
}

/** The id belongs to the namespace, not to its cluster: a fail-over to another cluster keeps it. */
export async function readNamespaceId(
  { TEMPORAL_NAMESPACE: namespace }: Config,
  { connection }: TemporalConnection,
): Promise<string> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  const id = namespaceInfo?.id;
  if (id == null || id === '') throw new CommandError(`Temporal did not return the id of its namespace ${namespace}`);
  return id;
}

/** For commands that start their own Temporal. */
export async function acceptOwnTemporal(parts: Dependencies): Promise<void> {
  const { config, clock, ledgers } = parts;
  const id = await reaching('Temporal cannot be reached', () =>
    withTemporal(config, (temporal) => readNamespaceId(config, temporal)),
  );
  const act = { actor: 'command line', at: clock.now(), reason: 'this command has started its own Temporal' };
  await acceptNamespace(ledgers.steering, id, act);
}

/** What ties a process to its ledger: the settings with which it sends, and the Temporal namespace of its workflows. */
import type { Config } from '../config';
import { SECOND } from '../domain/time';
import { logged, repeat, type Repeated } from '../jobs/repeated-work';
import {
  acceptNamespace,
  claimNamespace,
  isRestored,
  judgeSettings,
  type OutsideSetting,
  registerSettings,
  type SettingsResult,
  waitsForCopy,
} from '../ledger';
import { BadInputError, CommandError, reaching } from './command-error';
import type { Dependencies } from './dependencies';
import { type TemporalConnection, withTemporal } from './temporal';

/** Credentials and addresses by which something leaves: those of a ledger are refused with its copy (rule 45). */
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
 * Records the settings of this process as those with which the ledger is worked on. Those of a ledger that was restored or
 * copied are not recorded before an admin has said which it is.
 * @throws BadInputError if the ledger is a copy, and the settings are those of the original, or of production
 */
export async function registerOwnSettings({ config, ledgers, clock }: Dependencies): Promise<void> {
  const db = ledgers.steering;
  const [settings, isProduction] = [outsideSettings(config), isProductionOf(config)];
  const judged = await reaching('the ledger cannot be written', async () =>
    (await isUndeclared(db))
      ? judgeSettings(db, settings, isProduction)
      : registerSettings(db, settings, { isProduction, at: clock.now() }),
  );
  const faults = faultsOf(judged);
  if (faults.length > 0) throw new BadInputError(faults);
}

/** Restored, and not declared a copy yet. */
async function isUndeclared(db: Dependencies['ledgers']['steering']): Promise<boolean> {
  return (await isRestored(db)) && !(await waitsForCopy(db));
}

function isProductionOf({ PAYMENT_SERVICE_ENVIRONMENT: environment }: Config): boolean {
  return environment === 'production';
}

function faultsOf(judged: SettingsResult): readonly string[] {
  switch (judged.kind) {
    case 'registered':
      return [];
    case 'production':
      return [
        'PAYMENT_SERVICE_ENVIRONMENT: expected another environment than production, because this ledger is a copy; got "production"',
      ];
    case 'refused':
      return judged.names.map(
        (name) => `${name}: expected another value than that of the ledger of which this one is a copy; got the same`,
      );
  }
}

/** Real ms. */
const JUDGED_EVERY = 10 * SECOND;

/**
 * Asks while the process runs whether it may still work with its settings: an admin may declare the ledger a copy meanwhile.
 * @param refused gets the reason why it has to stop
 */
export function watchSettings({ config, ledgers, log }: Dependencies, refused: (reason: string) => void): Repeated {
  const judge = logged(log, 'the settings could not be compared with those of the ledger', async () => {
    const judged = await judgeSettings(ledgers.steering, outsideSettings(config), isProductionOf(config));
    const [fault] = faultsOf(judged);
    if (fault !== undefined) refused(fault);
  });
  return repeat(JUDGED_EVERY, judge);
}

/**
 * @throws CommandError if the workflows of this ledger run in another namespace than the one that is configured (rule 44):
 * there all of them would seem to be missing.
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
    `Temporal's namespace ${name} has the id ${id}, and the workflows of this ledger run in ${known}: check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and DATABASE_URL; if Temporal was replaced, run npx dueday temporal accept --reason …`,
  );
}

/** Of the namespace, not of its cluster: a fail-over to another cluster keeps it. */
export async function readNamespaceId(
  { TEMPORAL_NAMESPACE: namespace }: Config,
  { connection }: TemporalConnection,
): Promise<string> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  const id = namespaceInfo?.id;
  if (id == null || id === '') throw new CommandError(`Temporal does not tell the id of its namespace ${namespace}`);
  return id;
}

/** For commands that start a Temporal of their own. */
export async function acceptOwnTemporal(parts: Dependencies): Promise<void> {
  const { config, clock, ledgers } = parts;
  const id = await reaching('Temporal cannot be reached', () =>
    withTemporal(config, (temporal) => readNamespaceId(config, temporal)),
  );
  const act = { actor: 'command line', at: clock.now(), reason: 'this command has started its own Temporal' };
  await acceptNamespace(ledgers.steering, id, act);
}

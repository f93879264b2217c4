import { Reason } from '../../admin/http/fields';
import { createClock } from '../../platform/clock';
import { type Config, databaseOf, loadConfig } from '../../config';
import { acceptAsCopy, acceptNamespace, type Pool } from '../../ledger';
import { refuseOldSchema, withPool } from '../../process/command';
import { BadInputError, reaching } from '../../process/command-error';
import { readNamespaceId } from '../../process/installation';
import { withTemporal } from '../../process/temporal';
import { print } from '../output';

const ACTOR = 'command line';

export interface AcceptTemporalArguments {
  readonly reason?: string;
}

/** Accepts the configured Temporal namespace as the one in which the workflows of this ledger run (rule 44). */
export async function acceptTemporal(asked: AcceptTemporalArguments): Promise<void> {
  const faults = faultsOfReason(asked.reason);
  if (faults.length > 0) throw new BadInputError(faults);
  const config = loadConfig(process.env, ['DATABASE_URL', 'TEMPORAL_ADDRESS']);
  const id = await reaching(`Temporal cannot be reached at ${config.TEMPORAL_ADDRESS ?? ''}`, () =>
    withTemporal(config, (temporal) => readNamespaceId(config, temporal)),
  );
  await withLedger(config, async (ledger) => {
    const was = await acceptNamespace(ledger, id, { actor: ACTOR, reason: asked.reason ?? '', at: nowOf(config) });
    print(
      was === id
        ? `The workflows of this ledger already run in this namespace: ${id}.`
        : `From now on the workflows of this ledger run in the namespace ${config.TEMPORAL_NAMESPACE} (${id}). Start the daemon: it restarts everything that has no workflow there.`,
    );
  });
}

export interface AcceptLedgerArguments {
  readonly copy?: boolean;
  readonly reason?: string;
}

/** Declares the ledger a copy of another installation's (rule 45). */
export async function acceptLedger({ copy = false, reason }: AcceptLedgerArguments): Promise<void> {
  const config = loadConfig(process.env, ['DATABASE_URL']);
  const faults = [
    ...(copy
      ? []
      : [
          '--copy: required; dueday reconcile accepts a restored ledger if nothing differs, otherwise dueday halt lift does',
        ]),
    ...faultsOfReason(reason),
    ...(config.PAYMENT_SERVICE_ENVIRONMENT === 'production'
      ? [
          'PAYMENT_SERVICE_ENVIRONMENT: expected a non-production environment, because a copy is never production; got "production"',
        ]
      : []),
  ];
  if (faults.length > 0) throw new BadInputError(faults);
  await withLedger(config, async (ledger) => {
    const act = { actor: ACTOR, reason: reason ?? '', at: nowOf(config) };
    const { endpoints, notices } = await acceptAsCopy(ledger, act);
    print(`This ledger is now a copy: ${endpoints} endpoints deleted, ${notices} notices closed.`);
    print(
      'Nothing is sent until a daemon has started with its own PAYMENT_SERVICE_CLIENT_SECRET, PAYMENT_SERVICE_API_KEY, SMTP_URL, NOTICE_WEBHOOK_URL and EVENT_WEBHOOK_URL, outside production. Create its endpoints again.',
    );
  });
}

function faultsOfReason(reason: string | undefined): readonly string[] {
  if (Reason.safeParse(reason).success) return [];
  const got = reason === undefined ? 'nothing' : JSON.stringify(reason.slice(0, 50));
  return [`--reason: expected 1 to 500 characters, not blank; got ${got}`];
}

async function withLedger(config: Config, work: (ledger: Pool) => Promise<void>): Promise<void> {
  await withPool({ ...databaseOf(config), purpose: 'installation', max: 2 }, async (ledger) => {
    await refuseOldSchema(ledger);
    await work(ledger);
  });
}

function nowOf({ TEST_CLOCK: setting }: Config): number {
  return createClock(setting ?? null).now();
}

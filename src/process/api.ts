import type { Connection } from '@temporalio/client';
import { createAdmin, type Probe } from '../admin';
import { DAY, HOUR, SECOND } from '../domain/time';
import {
  createPaymentGateway,
  createReconciliationGateway,
  createRefundGateway,
  createTemporalGateway,
} from '../gateway';
import { createPool, ping } from '../ledger';
import { reaching } from './command-error';
import { needed, type Dependencies } from './dependencies';
import { connectTemporal } from './temporal';
import { ownVersion } from './version';

export interface RunningApi {
  /** Where it listens, without a closing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Real ms: several tries fit into one lease. */
const LEASE_PATIENCE = 2 * SECOND;

/** Serves the admin API. */
export async function startApi(parts: Dependencies): Promise<RunningApi> {
  const { config, clock } = parts;
  const { steering, reading } = parts.ledgers;
  const { client, connection } = await connectTemporal(config);
  const access = { client, clock, taskQueue: config.TEMPORAL_TASK_QUEUE };
  const transit = config.PAYMENT_SERVICE_TRANSIT_SECONDS * SECOND;
  const subscriptions = createTemporalGateway({
    ...access,
    db: steering,
    retryPolicy: { offsets: config.RETRY_OFFSETS_HOURS.map((hours) => hours * HOUR), transit },
    spreadSeconds: config.SPREAD_SECONDS,
    increaseNotice: config.INCREASE_NOTICE_DAYS * DAY,
  });
  const leases = createPool({
    databaseUrl: needed(config.DATABASE_URL, 'DATABASE_URL'),
    ...{
      max: 1,
      statementTimeoutMs: LEASE_PATIENCE,
      patienceMs: LEASE_PATIENCE,
      answerMs: LEASE_PATIENCE,
      log: parts.log,
    },
  });
  const admin = await createAdmin({
    db: steering,
    reading,
    leases,
    subscriptions,
    payments: createPaymentGateway({ ...access, db: steering, transit }),
    refunds: createRefundGateway(access),
    reconciliation: createReconciliationGateway({ ...access, db: steering }),
    clock,
    logger: parts.log,
    registry: parts.telemetry.registry,
    probes: probesOf(parts, connection),
    bootstrapKey: config.ADMIN_BOOTSTRAP_KEY,
    version: ownVersion(),
    policy: {
      environment: config.PAYMENT_SERVICE_ENVIRONMENT,
      subscriptionsReleased: config.PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED,
      ...(config.MERCHANT_CATEGORY_CODE === undefined ? {} : { merchantCategoryCode: config.MERCHANT_CATEGORY_CODE }),
      longCapturePermitted: config.LONG_CAPTURE_PERMITTED,
      eventDependentRefunds: config.EVENT_DEPENDENT_REFUNDS,
      transit,
    },
  });
  const stop = async () => {
    await admin.close();
    await leases.end();
    await connection.close();
  };
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config;
  const where = `the admin API cannot listen on ${host}:${port}`;
  const url = await reaching(where, () => admin.listen({ host, port })).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

function probesOf(parts: Dependencies, connection: Connection): readonly Probe[] {
  const namespace = parts.config.TEMPORAL_NAMESPACE;
  return [
    { name: 'postgresql', check: () => ping(parts.ledgers.steering) },
    {
      name: 'temporal',
      async check() {
        await connection.workflowService.describeNamespace({ namespace });
      },
    },
    {
      name: 'payment_service',
      beside: true,
      circuit: () => parts.service.circuitState(),
      async check() {
        const access = await parts.service.checkAccess();
        if (access.kind !== 'accepted') throw new Error('no token can be had');
      },
    },
  ];
}

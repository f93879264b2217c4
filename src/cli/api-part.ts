import type { Connection } from '@temporalio/client';
import { createAdmin, createRefundGateway, createTemporalGateway, type Probe } from '../admin';
import { ping } from '../ledger';
import type { Parts } from './parts';
import { connectTemporal } from './temporal-access';

export interface RunningApi {
  /** Where it listens, without a closing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the admin API. */
export async function startApi(parts: Parts): Promise<RunningApi> {
  const { config, clock, ledger } = parts;
  const { client, connection } = await connectTemporal(config);
  const subscriptions = createTemporalGateway({
    ...{ client, clock, db: ledger, taskQueue: config.TEMPORAL_TASK_QUEUE },
    retryPolicy: { offsets: config.RETRY_OFFSETS_HOURS, transit: config.PAYMENT_SERVICE_TRANSIT_SECONDS * 1000 },
    spreadSeconds: config.SPREAD_SECONDS,
  });
  const refunds = createRefundGateway({ client, clock, taskQueue: config.TEMPORAL_TASK_QUEUE });
  const admin = await createAdmin({
    ...{ db: ledger, subscriptions, refunds, clock, logger: parts.log, registry: parts.telemetry.registry },
    probes: probesOf(parts, connection),
    bootstrapKey: config.ADMIN_BOOTSTRAP_KEY,
    policy: {
      environment: config.PAYMENT_SERVICE_ENVIRONMENT,
      subscriptionsReleased: config.PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED,
      ...(config.MERCHANT_CATEGORY_CODE === undefined ? {} : { merchantCategoryCode: config.MERCHANT_CATEGORY_CODE }),
    },
  });
  const url = await admin.listen({ host: config.ADMIN_HOST, port: config.ADMIN_PORT });
  return {
    url,
    async stop() {
      await admin.close();
      await connection.close();
    },
  };
}

function probesOf(parts: Parts, connection: Connection): readonly Probe[] {
  const namespace = parts.config.TEMPORAL_NAMESPACE;
  return [
    { name: 'postgresql', check: () => ping(parts.ledger) },
    {
      name: 'temporal',
      async check() {
        await connection.workflowService.describeNamespace({ namespace });
      },
    },
    {
      name: 'payment_service',
      async check() {
        const access = await parts.service.checkAccess();
        if (access.kind !== 'accepted') throw new Error('no token can be had');
      },
    },
  ];
}

import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type AdminDeps, createAdmin } from '../../src/admin';
import { createClock } from '../../src/platform/clock';
import { createPool } from '../../src/ledger';
import { NO_EVENTS, PREVIEW } from '../admin/admin-under-test';
import { silentLog } from '../support/silent-log';

/**
 * Lets `work` read the admin API's description or its metrics. These need no database, no Temporal and no payment
 * service, so none of them is running.
 */
export async function withUnconnectedAdmin<T>(
  registry: Registry,
  work: (app: FastifyInstance) => T | Promise<T>,
): Promise<T> {
  const db = createPool({ databaseUrl: 'postgresql://127.0.0.1:1/none', max: 1 });
  const app = await createAdmin({
    ...({} as Pick<AdminDeps, 'subscriptions' | 'payments' | 'refunds' | 'reconciliation' | 'imports'>),
    db,
    reading: db,
    clock: createClock(null),
    logger: silentLog(),
    probes: [],
    events: NO_EVENTS,
    previewEmail: PREVIEW,
    registry,
    policy: {
      environment: 'sandbox',
      subscriptionsReleased: true,
      longCapturePermitted: true,
      eventDependentRefunds: true,
      transit: 0,
      payerChannels: [],
    },
  });
  try {
    return await work(app);
  } finally {
    await app.close();
    await db.end();
  }
}

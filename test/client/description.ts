import { Registry } from 'prom-client';
import { type AdminDeps, createAdmin } from '../../src/admin';
import { createClock } from '../../src/clock';
import { createPool } from '../../src/ledger';
import { NO_EVENTS } from '../admin/admin-under-test';
import { silentLog } from '../support/silent-log';

/** The admin API's own description, as `GET /openapi.json` gives it. Nothing that it stands on is asked for anything. */
export async function describeAdminApi(): Promise<object> {
  const db = createPool({ databaseUrl: 'postgresql://127.0.0.1:1/none', max: 1 });
  const app = await createAdmin({
    ...({} as Pick<AdminDeps, 'subscriptions' | 'payments' | 'refunds' | 'notices' | 'reconciliation'>),
    db,
    reading: db,
    clock: createClock(null),
    logger: silentLog(),
    probes: [],
    events: NO_EVENTS,
    registry: new Registry(),
    policy: {
      environment: 'sandbox',
      subscriptionsReleased: true,
      longCapturePermitted: true,
      eventDependentRefunds: true,
      transit: 0,
    },
  });
  try {
    return (await app.inject({ method: 'GET', url: '/openapi.json' })).json<object>();
  } finally {
    await app.close();
    await db.end();
  }
}

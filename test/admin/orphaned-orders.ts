import type { JobDeps } from '../../src/jobs/repeated-work';
import { restartOrders, startOrphanedOrders } from '../../src/jobs/restart-orders';
import { silentLog } from '../support/silent-log';
import type { AdminUnderTest } from './admin-under-test';

/** Runs once, at this real time, the two jobs of an API that start the workflows of orders. */
export async function startOrdersAt(admin: AdminUnderTest, real: number, more: Partial<JobDeps> = {}): Promise<void> {
  admin.clock.real = real;
  const { db, workflows, payments, refunds, clock } = admin;
  const deps: JobDeps = { db, subscriptions: workflows, payments, refunds, clock, logger: silentLog(), ...more };
  const { signal } = new AbortController();
  await startOrphanedOrders(deps)(signal);
  await restartOrders(deps)(signal);
}

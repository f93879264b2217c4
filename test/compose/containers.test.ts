import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { cacheFolder } from '../../src/embedded/folders';
import { startPostgres } from '../../src/embedded/postgres/postgres';
import type { SupervisedProcess } from '../../src/embedded/supervised-process';
import { DAY } from '../../src/domain/time';
import { openTemporalCluster } from '../cluster/temporal-cluster';
import { startMailServer } from '../notices/mail-server';
import { createAdminApi } from '../scenarios/admin-api';
import { orderOf } from '../scenarios/order';
import { composeEnvironment, composeVersion } from '../support/compose-file';
import { requireFreshBuild } from '../support/fresh-build';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { composeOrder, Containers, isInstalled } from './containers';

/** Programs of others that are neither built nor started here. */
const NOT_HERE = ['temporal-ui'];
const server = `temporal-server-v${composeVersion('temporal')}-${platform()}-${arch()}`;
const hasPrograms = existsSync(join(cacheFolder(), server)) && ['psql', 'pg_isready'].every(isInstalled);

let folder: string;
let containers: Containers;
/** In the order in which they were started. */
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  requireFreshBuild();
  folder = await mkdtemp(join(tmpdir(), 'dueday-compose-'));
  await chmod(folder, 0o755);
  containers = await Containers.open(folder);
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  await rm(folder, { recursive: true });
});

/** What the image of PostgreSQL makes of its variables. */
async function openLedger(): Promise<void> {
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = composeEnvironment('ledger');
  const port = containers.ports.get('ledger')!;
  const ledger = await startPostgres({ dataDir: join(folder, 'ledger'), port, durable: false, log: silentLog() });
  stops.push(() => ledger.stop());
  // The embedded one has these names for itself.
  expect([POSTGRES_USER, POSTGRES_DB, ledger.port]).toEqual(['dueday', 'dueday', port]);
  const client = new Client({ connectionString: ledger.url });
  await client.connect();
  await client.query(`alter role dueday password '${POSTGRES_PASSWORD}'`);
  await client.end();
  await containers.untilHealthy('ledger');
}

/** Temporal's database, schema, server and namespace, with the scripts, variables and dynamic configuration of the file. */
async function openTemporal(): Promise<void> {
  const cluster = await openTemporalCluster(folder, { durable: false });
  stops.push(() => cluster.server.stop());
  containers.ports.set('temporal', Number(new URL(`http://${cluster.address}`).port));
  containers.ports.set('temporal-database', Number(new URL(cluster.databaseUrl).port));
  await containers.untilHealthy('temporal-database');
}

async function keepUp(name: string): Promise<SupervisedProcess> {
  const started = await containers.keepUp(name, () => undefined);
  stops.push(() => started.stop());
  return started;
}

let daemon: SupervisedProcess;

const start: Readonly<Record<string, () => Promise<unknown>>> = {
  ledger: openLedger,
  async 'ledger-role'() {
    await containers.complete('ledger-role');
    // As at the next `up`: the role is there.
    await containers.complete('ledger-role');
  },
  async migrate() {
    expect(await containers.complete('migrate')).toMatch(/^applied: .*\nthe role dueday_program has the privileges/);
    expect(await containers.complete('migrate')).toMatch(/^the schema is current\n/);
  },
  'temporal-database': openTemporal,
  'temporal-schema': async () => undefined,
  temporal: () => containers.untilHealthy('temporal'),
  'temporal-namespace': async () => undefined,
  sandbox: () => keepUp('sandbox'),
  async mail() {
    const mail = await startMailServer();
    stops.push(() => mail.close());
    containers.ports.set('mail', Number(new URL(mail.url).port));
  },
  async daemon() {
    daemon = await keepUp('daemon');
  },
};

(hasPrograms ? test : test.skip)(
  'each container runs by its command, variables and check of health in docker-compose.yml, in its order',
  async () => {
    for (const name of composeOrder().filter((each) => !NOT_HERE.includes(each))) await start[name]!();
    const key = composeEnvironment('daemon')['ADMIN_BOOTSTRAP_KEY']!;
    const admin = createAdminApi(`http://127.0.0.1:${containers.ports.get('daemon')}`, key);
    const now = Date.now();
    const order = orderOf({ name: 'compose', cents: 1999, firstPaymentAt: now + 2 * DAY, repetition: 'MONTHLY' }, now);
    const once = randomUUID();
    let created = { status: 503, body: {} };
    // A worker that has just started may not answer in time.
    await waitUntil('the order is answered', async () => {
      created = await admin.post<{ redirectURL?: string }>('/v1/subscriptions', order, once);
      return created.status !== 503;
    });
    expect(created).toMatchObject({ status: 201, body: { redirectURL: expect.stringContaining('http') as string } });
    await daemon.stop();
    expect(await daemon.ended).toMatchObject({ code: 0 });
  },
  900_000,
);

test('every service of the file is started here, or named as one that is not', () => {
  expect([...Object.keys(start), ...NOT_HERE].toSorted()).toEqual([...composeOrder()].toSorted());
});

test('a service is started after those that it waits for', () => {
  const order = composeOrder();
  const before = (one: string, other: string) => expect(order.indexOf(one)).toBeLessThan(order.indexOf(other));
  before('ledger', 'ledger-role');
  before('ledger-role', 'migrate');
  before('migrate', 'daemon');
  before('temporal-namespace', 'daemon');
  before('mail', 'daemon');
});

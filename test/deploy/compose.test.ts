import { spawnSync } from 'node:child_process';
import { createAdminApi } from '../scenarios/admin-api';
import { compose, composeEnvironment } from '../support/compose-file';
import { requireFreshBuild } from '../support/fresh-build';
import { waitUntil } from '../support/wait-until';
import { type ComposedServices, composeUp, LEFT_OUT, startOrder } from './compose-up';

/** docker-compose.yml, without Docker: see compose-up.ts. */

/** The scripts and checks of PostgreSQL's image need its client programs. */
const hasClients = spawnSync('pg_isready', ['--version']).status === 0;
const composed = hasClients ? test : test.skip;

let services: ComposedServices | null = null;

beforeAll(async () => {
  if (!hasClients) return;
  requireFreshBuild();
  services = await composeUp();
});
afterAll(() => services?.close());

const inMilliseconds = (seconds: string) => Number(/^(\d+)s$/.exec(seconds)![1]) * 1000;

composed(
  "all services of docker-compose.yml except the Web UI start in compose's order, and the long-running ones become healthy",
  () => {
    expect(services?.started).toEqual(startOrder());
    expect([...startOrder(), ...LEFT_OUT].toSorted()).toEqual(Object.keys(compose.services).toSorted());
  },
);

composed('a payer approves a subscription on the payment sandbox of docker-compose.yml, and is debited', async () => {
  const admin = createAdminApi(
    services!.service('daemon').address,
    composeEnvironment('daemon')['ADMIN_BOOTSTRAP_KEY']!,
  );
  const sandbox = services!.service('sandbox').address;
  const firstPaymentAt = new Date(Date.now() + 20_000).toISOString();
  const created = await admin.post<{ consent: { redirectURL: string } }>('/v1/subscriptions', {
    subscriptionId: 'composed',
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: firstPaymentAt,
    firstPaymentAt,
    returnURL: 'https://shop.example/return',
    billingAddress: { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    payer: { email: 'ada@payer.example', reference: 'customer 7' },
  });
  expect(created).toMatchObject({ status: 201 });
  const { pathname } = new URL(created.body.consent.redirectURL);
  const approved = await fetch(`${sandbox}${pathname}/approve`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ wallet: 'approves' }),
  });
  expect(approved.status).toBe(303);
  const debits = async () => ((await (await fetch(`${sandbox}/_sandbox/debits`)).json()) as { items: unknown[] }).items;
  await waitUntil('the payer was debited', async () => (await debits()).length === 1);
});

composed('the daemon of docker-compose.yml stops within the time that compose gives it', async () => {
  const { stop_grace_period: grace } = compose.services['daemon'] as { readonly stop_grace_period?: string };
  const askedAt = performance.now();
  expect(await services!.service('daemon').stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(inMilliseconds(grace!));
});

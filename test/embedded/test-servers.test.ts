import { Client } from 'pg';
import { createTestDatabase } from '../support/database';
import { connectDevServerEnv, startTimeSkippingEnv } from '../support/temporal';

async function databaseNames(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
  await client.end();
  return rows.map((row) => row.datname);
}

test('each caller of the test servers gets its own database, which is dropped even with open connections', async () => {
  const [kept, dropped] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const stillOpen = new Client({ connectionString: dropped.url });
  stillOpen.on('error', () => undefined);
  await stillOpen.connect();

  await dropped.drop();

  const names = await databaseNames(kept.url);
  expect(names).toContain(new URL(kept.url).pathname.slice(1));
  expect(names).not.toContain(new URL(dropped.url).pathname.slice(1));
  await kept.drop();
});

test('the test servers include a Temporal server that skips time', async () => {
  const env = await startTimeSkippingEnv();
  try {
    const before = await env.currentTimeMs();
    await env.sleep('30 days');
    expect((await env.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 24 * 3_600_000);
  } finally {
    await env.teardown();
  }
});

test('a test reaches the development server of its run', async () => {
  const env = await connectDevServerEnv();
  try {
    const { namespaceInfo } = await env.connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(namespaceInfo?.name).toBe('default');
  } finally {
    await env.teardown();
  }
});

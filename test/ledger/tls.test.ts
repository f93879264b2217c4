import { readFileSync } from 'node:fs';
import { createPool, migrate, openLedgers, ping } from '../../src/ledger';
import { openTlsDatabase, type TlsDatabase } from '../support/tls-database';
import { CERTIFICATE_FILE } from '../wiring/tls-server';
import { useLedger } from './ledger-fixture';

const ledger = useLedger();
const ca = readFileSync(CERTIFICATE_FILE, 'utf8');
let tls: TlsDatabase;
beforeAll(async () => {
  tls = await openTlsDatabase(ledger.url);
});
afterAll(() => tls.close());

/** The result of a first statement over a connection with these options. */
async function asked(options: Parameters<typeof createPool>[0]): Promise<string> {
  const pool = createPool({ ...options, max: 1 });
  try {
    await ping(pool);
    return 'answered';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await pool.end();
  }
}

function withHost(url: string, hostname: string): string {
  return Object.assign(new URL(url), { hostname }).href;
}

test('a database server with a certificate of the configured CA is trusted, whatever TLS mode the URL names', async () => {
  expect(await asked({ databaseUrl: tls.url, ca })).toBe('answered');
  expect(await asked({ databaseUrl: `${tls.url}?sslmode=verify-full`, ca })).toBe('answered');
});

test('a database server whose CA is not configured is not trusted', async () => {
  expect(await asked({ databaseUrl: `${tls.url}?sslmode=verify-full` })).toMatch(/self-signed certificate/);
});

test('a database server whose name is not that of its certificate is not trusted', async () => {
  expect(await asked({ databaseUrl: withHost(tls.url, '127.0.0.1'), ca })).toMatch(
    /does not match certificate's altnames/,
  );
});

test('with a CA configured nothing is sent to a database server without TLS', async () => {
  expect(await asked({ databaseUrl: ledger.url, ca })).toBe('The server does not support SSL connections');
});

test("migrations and every pool of a process, including the replica's, use the configured CA", async () => {
  expect(await migrate({ databaseUrl: tls.url, ca })).toEqual([]);
  const shares = { collecting: 1, steering: 1, reading: 1 };
  const ledgers = openLedgers({ databaseUrl: tls.url, replicaUrl: tls.url, ca, shares });
  const { collecting, steering, reading, replica } = ledgers;
  for (const pool of [collecting, steering, reading, replica!]) await ping(pool);
  await ledgers.close();
});

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { loadConfig } from '../../src/config';
import { createClock } from '../../src/platform/clock';
import { diagnoseCertificates } from '../../src/process/diagnosis/certificates';
import { useLedger } from '../ledger/ledger-fixture';
import { openTlsDatabase } from '../support/tls-database';

const ledger = useLedger();

test('a PostgreSQL server that closes the connection without an answer is reported', async () => {
  const server = createServer((socket) => socket.resume().once('data', () => socket.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const DATABASE_URL = `postgresql://127.0.0.1:${port}/none?sslmode=verify-full`;
  const [found] = await diagnoseCertificates({ ...loadConfig({}), DATABASE_URL }, createClock(null));
  server.close();
  expect(found).toMatchObject({ state: 'failed', found: 'the server closed the connection' });
}, 30_000);

test('the certificate of Temporal is read from an IPv6 address, too', async () => {
  const config = { ...loadConfig({}), TEMPORAL_ADDRESS: '[::1]:1', TEMPORAL_TLS: true };
  const [found] = await diagnoseCertificates(config, createClock(null));
  expect(found).toMatchObject({ check: 'certificate of TEMPORAL_ADDRESS', found: expect.stringContaining(' ::1:1') });
});

test.each(['sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full', 'ssl=true'])(
  'a certificate of PostgreSQL that nothing vouches for is reported as failed with %s, as the driver refuses it',
  async (parameter) => {
    const tls = await openTlsDatabase(ledger.url);
    const config = { ...loadConfig({}), DATABASE_URL: `${tls.url}?${parameter}` };
    const [found] = await diagnoseCertificates(config, createClock(null));
    await tls.close();
    expect(found).toMatchObject({ check: 'certificate of DATABASE_URL', state: 'failed' });
  },
);

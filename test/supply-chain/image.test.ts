import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { LOCAL_COMMANDS, planImage, writeImage } from '../../deploy/image.cjs';
import { requireFreshBuild } from '../support/fresh-build';
import { CERTIFICATE_FILE, KEY_FILE } from '../wiring/tls-server';
import { readLock } from './licences';
import { notForProduction } from './production';

const ROOT = join(__dirname, '..', '..');
/**
 * Only root may change the root folder of a process; if the test is not root, the image's Node runs with the system's libraries.
 */
const isRoot = process.getuid?.() === 0;
const AUTHORITIES = 'etc/ssl/certs/ca-certificates.crt';

beforeAll(() => requireFreshBuild());

test('the plan of the production image has no simulator, no source except migrations, and no development package', () => {
  const plan = planImage(ROOT);
  expect(plan.files.length).toBeGreaterThan(300);
  expect(notForProduction(plan, readLock(ROOT))).toEqual([]);
});

test('the plan of the production image has the files that the daemon opens by path', () => {
  const { files } = planImage(ROOT);
  expect(files).toContain('dist/workflow-bundle.js');
  expect(files).toContain('dist/console/index.html');
  const migrations = readdirSync(join(ROOT, 'src/ledger/migrations')).map((name) => `src/ledger/migrations/${name}`);
  expect(files.filter((file) => file.endsWith('.sql'))).toEqual(migrations.toSorted());
});

test('the plan of an image for a local command has that command and the simulator', () => {
  const { files } = planImage(ROOT, ['sandbox']);
  expect(files).toContain('dist/src/sandbox/index.js');
  expect(notForProduction(planImage(ROOT, ['sandbox']), readLock(ROOT))).not.toEqual([]);
  expect(() => planImage(ROOT, ['daemon'])).toThrow('expected commands of start, demo, sandbox, simulate; got daemon');
});

describe('writeImage', () => {
  let image: string;
  beforeAll(async () => {
    image = await mkdtemp(join(tmpdir(), 'dueday-image-'));
    // The mode that the root folder of a container has.
    await chmod(image, 0o755);
    writeImage(ROOT, image);
  });
  afterAll(() => rm(image, { recursive: true, force: true }));

  /** A path of the image, as the image names it if it is the root folder. */
  const within = (path: string) => (isRoot ? path : join(image, path));
  const run = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    runNode([within('/app/bin/dueday.js'), ...args], env);

  /** Runs Node within the image, so that nothing else of this machine can be opened. */
  function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const program = [within('/usr/local/bin/node'), ...args];
    const [file, ...rest] = isRoot ? ['chroot', '--userspec=1000:1000', image, ...program] : program;
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const options = { env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 240_000 };
      execFile(file!, rest, options, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
    });
  }

  test('the production image holds Node, its libraries and the program: no shell, no package manager', () => {
    expect(readdirSync(join(image, 'app')).toSorted()).toEqual(['bin', 'dist', 'node_modules', 'package.json', 'src']);
    expect(readdirSync(join(image, 'usr/local/bin'))).toEqual(['node']);
    for (const path of ['bin/sh', 'usr/bin', 'bin/bash', 'usr/local/bin/npm'])
      expect([path, existsSync(join(image, path))]).toEqual([path, false]);
  });

  test('the program in the production image prints its version and what its configuration lacks', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: '1.0.0\n', stderr: '' });
    const { code, stderr } = await run(['daemon']);
    expect(code).toBe(2);
    expect(stderr).toContain('DATABASE_URL: missing');
  });

  test("the production image loads all that a daemon needs, Temporal's native core with it, up to the ledger that is not there", async () => {
    const { code, stderr } = await run(['daemon'], {
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
      PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:1',
      PAYMENT_SERVICE_CLIENT_ID: 'image',
      PAYMENT_SERVICE_CLIENT_SECRET: 'image',
    });
    expect(stderr).toContain('dueday: the ledger cannot be reached');
    expect(code).toBe(1);
  });

  test('the production image has the certificate authorities that Node trusts, at the path where programs expect those of the system', () => {
    const file = readFileSync(join(image, AUTHORITIES), 'utf8');
    const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
    const authorities = file.match(certificate) ?? [];
    expect(authorities.length).toBeGreaterThan(100);
    expect(file.replace(certificate, '').trim()).toBe('');
    for (const each of authorities) expect(() => new X509Certificate(each)).not.toThrow();
  });

  test("a worker in the production image checks Temporal's certificate by these authorities, and refuses any other server", async () => {
    const [cert, key] = [readFileSync(CERTIFICATE_FILE), readFileSync(KEY_FILE)];
    let calls = 0;
    const server = createServer({ cert, key, ALPNProtocols: ['h2'] }).on('connection', () => (calls += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sdk = within('/app/node_modules/@temporalio/worker');
    const connecting = `require('${sdk}').NativeConnection.connect({ address: '127.0.0.1:${port}', tls: {} })`;
    const { stdout } = await runNode(
      ['-e', `${connecting}.catch((fault) => console.log(fault)).then(() => process.exit())`],
      // Needed if the image is not the root folder of the process.
      isRoot ? {} : { SSL_CERT_FILE: within(`/${AUTHORITIES}`) },
    );
    server.close();
    expect(stdout).toMatch(/certificate|handshake|transport/i);
    expect(stdout).not.toMatch(/native ?certs/i);
    expect(calls).toBeGreaterThan(0);
  });

  test.each(Object.keys(LOCAL_COMMANDS))(
    'the program in the production image says that the command %s is not part of the image',
    async (command) => {
      expect(await run([command])).toEqual({
        code: 2,
        stdout: '',
        stderr: `dueday: ${command} is not part of this image, which has no simulator: use a checkout of dueday\n`,
      });
    },
  );
});

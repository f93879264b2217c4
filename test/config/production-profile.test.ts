import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config';
import { type VariableName, VARIABLES } from '../../src/config/variables';
import { refuseListeningEverywhere } from '../../src/process/command';
import { resolvesEverywhere } from '../../src/config/listen-addresses';
import { findExternal } from '../../src/config/production-profile';

type Environment = Readonly<Record<string, string>>;

/** Random, as secrets in this file are published. */
const STRONG = randomBytes(24).toString('base64url');

/** A complete and safe production configuration. */
const SAFE: Environment = {
  PAYMENT_SERVICE_ENVIRONMENT: 'production',
  DATABASE_URL: `postgresql://dueday:${STRONG}@db.internal:5432/dueday?sslmode=verify-full`,
  TEMPORAL_ADDRESS: 'temporal.internal:7233',
  TEMPORAL_TLS: 'true',
  PAYMENT_SERVICE_BASE_URL: 'https://payments.example',
  PAYMENT_SERVICE_TOKEN_URL: 'https://payments.example/token',
  PAYMENT_SERVICE_CLIENT_ID: 'merchant-1',
  PAYMENT_SERVICE_CLIENT_SECRET: STRONG,
  ADMIN_BOOTSTRAP_KEY: STRONG,
  NOTICE_WEBHOOK_URL: 'https://merchant.example/notices',
  NOTICE_WEBHOOK_SECRET: `whsec_${Buffer.from(STRONG).toString('base64')}`,
  EVENT_WEBHOOK_URL: 'https://merchant.example/events',
  EVENT_WEBHOOK_SECRET: `whsec_${Buffer.from(STRONG).toString('base64')}`,
  SMTP_URL: 'smtps://mail.example',
  NOTICE_FROM: 'Billing <billing@merchant.example>',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
  PAYLOAD_ENCRYPTION_KEYS: `k1:${Buffer.from(STRONG).toString('base64')}`,
  SECRETS_KEYS: `k1:${Buffer.from(STRONG).toString('base64')}`,
};

/** Names of the variables that are refused. */
function refused(env: Environment, needs?: readonly VariableName[]): string[] {
  try {
    loadConfig(env, needs);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ name }) => name);
  }
  return [];
}

test('a strong password of PostgreSQL may contain a percent sign that is not percent-encoded', () => {
  const DATABASE_URL = `postgresql://dueday:${STRONG}%s@db.internal:5432/dueday?sslmode=verify-full`;
  expect(refused({ ...SAFE, DATABASE_URL })).toEqual([]);
  expect(refused({ ...SAFE, DATABASE_URL: DATABASE_URL.replace(`${STRONG}%s`, 'pass%77ord') })).toEqual([
    'DATABASE_URL',
  ]);
});

test('safe settings are accepted in production', () => {
  expect(refused(SAFE)).toEqual([]);
});

const base64Of = (length: number) => Buffer.from(STRONG.slice(0, length)).toString('base64');

test.each<readonly [string, string]>([
  ['PAYMENT_SERVICE_BASE_URL', 'http://payments.example'],
  ['PAYMENT_SERVICE_TOKEN_URL', 'http://payments.example/token'],
  ['PAYMENT_SERVICE_BASE_URL', 'HTTP://payments.example'],
  ['NOTICE_WEBHOOK_URL', 'http://merchant.example/notices'],
  ['EVENT_WEBHOOK_URL', 'http://10.0.0.1/events'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.example'],
  ['SMTP_URL', 'smtp://mail.example'],
  ['SMTP_URL', 'smtp://user:password@mail.example:587?requireTLS=false'],
  ['DUEDAY_URL', 'Http://billing.internal'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday?sslmode=prefer'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday?ssl=0'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday?ssl=true&sslmode=disable'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday?sslmode=require&sslmode=disable'],
  ['DATABASE_URL', 'postgresql:///dueday?host=db.internal'],
  ['DATABASE_REPLICA_URL', 'postgresql://replica.internal:5432/dueday'],
  ['PAYMENT_SERVICE_CLIENT_SECRET', 'kY3vQ8zR1mW6tB9xL4cN'],
  ['PAYMENT_SERVICE_CLIENT_SECRET', 'sandbox-secret'],
  ['PAYMENT_SERVICE_CLIENT_ID', 'sandbox-client'],
  ['ADMIN_BOOTSTRAP_KEY', 'a'.repeat(64)],
  ['ADMIN_BOOTSTRAP_KEY', 'abcdefg'.repeat(9)],
  ['ADMIN_BOOTSTRAP_KEY', '12345678901234567890123456789012'],
  ['NOTICE_WEBHOOK_SECRET', `whsec_${base64Of(23)}`],
  ['EVENT_WEBHOOK_SECRET', `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  ['PAYLOAD_ENCRYPTION_KEYS', `k1:${Buffer.alloc(32).toString('base64')}`],
  ['SECRETS_KEYS', `k1:${Buffer.alloc(32).toString('base64')}`],
  ['PAYMENT_SERVICE_SETTLE_SECONDS', '39.999'],
  ['TEST_CLOCK', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx14400'],
])('%s=%s is refused in production, and accepted with the sandbox', (name, value) => {
  expect(new Set(refused({ ...SAFE, [name]: value }))).toEqual(new Set([name]));
  expect(refused({ ...SAFE, [name]: value, PAYMENT_SERVICE_ENVIRONMENT: 'sandbox' })).toEqual([]);
});

test('a settle time is accepted if no request can still be on the wire after it', () => {
  const env = { ...SAFE, PAYMENT_SERVICE_TIMEOUT_MS: '300000' };
  expect(refused({ ...env, PAYMENT_SERVICE_SETTLE_SECONDS: '310' })).toEqual([]);
  expect(refused({ ...env, PAYMENT_SERVICE_SETTLE_SECONDS: '309' })).toEqual(['PAYMENT_SERVICE_SETTLE_SECONDS']);
});

test.each([
  ['PAYMENT_SERVICE_SETTLE_SECONDS', 'soon'],
  ['PAYMENT_SERVICE_TIMEOUT_MS', 'soon'],
  ['PAYLOAD_ENCRYPTION_KEYS', 'k1'],
])('%s=%s is invalid, which is reported once in production', (name, value) => {
  expect(refused({ ...SAFE, [name]: value })).toEqual([name]);
});

test('an invalid PAYLOAD_ENCRYPTION is reported once, and not also as missing', () => {
  const env = { ...SAFE, PAYLOAD_ENCRYPTION_KEYS: '', PAYLOAD_ENCRYPTION: 'on' };
  expect(refused(env)).toEqual(['PAYLOAD_ENCRYPTION']);
});

test('with a CA of the database, the connections to the database and its replica count as encrypted', () => {
  const DATABASE_URL = 'postgresql://db.internal:5432/dueday';
  const env = { ...SAFE, DATABASE_URL, DATABASE_REPLICA_URL: DATABASE_URL };
  expect(refused(env)).toEqual(['DATABASE_URL', 'DATABASE_REPLICA_URL']);
  expect(refused({ ...env, DATABASE_CA: '-----BEGIN CERTIFICATE-----' })).toEqual([]);
});

test('Temporal without TLS is refused in production by all commands that connect to it', () => {
  const plain = { ...SAFE, TEMPORAL_TLS: 'false' };
  expect(refused(plain)).toEqual(['TEMPORAL_ADDRESS']);
  expect(refused(plain, ['TEMPORAL_ADDRESS'])).toEqual(['TEMPORAL_ADDRESS']);
  expect(refused(plain, ['DATABASE_URL'])).toEqual([]);
  expect(refused({ ...plain, TEMPORAL_API_KEY: STRONG })).toEqual([]);
});

test.each<readonly [string, string]>([
  ['PAYMENT_SERVICE_BASE_URL', 'http://127.0.0.1:7780'],
  ['PAYMENT_SERVICE_BASE_URL', 'http://[::1]:7780'],
  ['DATABASE_URL', 'postgresql://localhost/dueday'],
  ['DATABASE_URL', 'postgresql://LocalHost/dueday'],
  ['DATABASE_URL', 'postgresql:///dueday?host=/run/postgresql'],
  ['DATABASE_URL', 'postgresql://db.internal:5432/dueday?ssl=true'],
  ['DATABASE_REPLICA_URL', 'postgresql://replica.internal:5432/dueday?ssl=1'],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=true'],
  ['NOTICE_WEBHOOK_SECRET', `whsec_${base64Of(24)}`],
  // 32 hexadecimal digits are 128 bits.
  ['ADMIN_BOOTSTRAP_KEY', '0123456789abcdef0a1b2c3d4e5f6789'],
])('%s=%s is accepted in production', (name, value) => {
  expect(refused({ ...SAFE, [name]: value })).toEqual([]);
});

test('in production all commands that connect to Temporal require payload encryption, unless it is explicitly disabled', () => {
  const plain = { ...SAFE, PAYLOAD_ENCRYPTION_KEYS: '' };
  expect(refused(plain)).toEqual(['PAYLOAD_ENCRYPTION']);
  expect(refused(plain, ['TEMPORAL_ADDRESS'])).toEqual(['PAYLOAD_ENCRYPTION']);
  expect(refused(plain, ['DATABASE_URL'])).toEqual([]);
  expect(refused({ ...plain, PAYLOAD_ENCRYPTION: 'off' })).toEqual([]);
  expect(refused({ ...SAFE, PAYLOAD_ENCRYPTION: 'on' })).toEqual(['PAYLOAD_ENCRYPTION']);
});

test('in production only hosts in PLAINTEXT_ALLOWED may be reached in plain text', () => {
  const env = { ...SAFE, SMTP_URL: 'smtp://mail.internal:25', PLAINTEXT_ALLOWED: '10.0.0.5,mail.internal' };
  expect(refused(env)).toEqual([]);
  expect(refused({ ...env, SMTP_URL: 'smtp://mail.internal.example:25' })).toEqual(['SMTP_URL']);
});

test('the case of a host makes no difference to PLAINTEXT_ALLOWED', () => {
  expect(refused({ ...SAFE, SMTP_URL: 'smtp://Mail.Internal', PLAINTEXT_ALLOWED: 'mail.internal' })).toEqual([]);
  expect(refused({ ...SAFE, SMTP_URL: 'smtp://mail.internal', PLAINTEXT_ALLOWED: 'Mail.Internal' })).toEqual([]);
});

test('the dependencies of a local stack on other machines are listed', () => {
  const local = { DATABASE_URL: 'postgresql://localhost/dueday', TEMPORAL_ADDRESS: '127.0.0.1:7233' };
  expect(findExternal(loadConfig(local))).toEqual([]);
  expect(findExternal(loadConfig({ ...SAFE }))).toEqual([
    { name: 'DATABASE_URL', host: 'db.internal' },
    { name: 'TEMPORAL_ADDRESS', host: 'temporal.internal' },
    { name: 'PAYMENT_SERVICE_BASE_URL', host: 'payments.example' },
    { name: 'PAYMENT_SERVICE_TOKEN_URL', host: 'payments.example' },
  ]);
});

const AT_ALL_ADDRESSES = [
  ...['0.0.0.0', '0', '00', '0x0', '0X00', '0.0', '0.0.0', '00.00.00.00', '0x0.0x0.0x0.0x0', '000000000000'],
  ...['::', '[::]', '::0', '0::', '0::0', '0:0:0:0:0:0:0:0', '0000:0000:0000:0000:0000:0000:0000:0000', '::0.0.0.0'],
  ...['::ffff:0.0.0.0', '::FFFF:0:0', '[::ffff:0.0.0.0]', '0:0:0:0:0:ffff:0:0', '::%lo'],
];

test.each(AT_ALL_ADDRESSES)('no process listens on %j in production, unless its variable allows it', (host) => {
  for (const name of ['ADMIN_HOST', 'METRICS_HOST', 'CODEC_SERVER_HOST']) {
    const env = { ...SAFE, [name]: host };
    expect(refused(env)).toEqual([name]);
    expect(refused({ ...env, ADMIN_TRUSTED_PROXIES: '10.0.0.1' })).toEqual([name]);
    expect(refused({ ...env, LISTEN_EVERYWHERE_ALLOWED: name })).toEqual([]);
    expect(refused({ ...env, PAYMENT_SERVICE_ENVIRONMENT: 'sandbox' })).toEqual([]);
  }
});

test.each(['127.0.0.1', 'localhost', '10.0.0.0', '::1', '1', 'api.internal', '0.0.0.1'])(
  'a process may listen on %j in production',
  (host) => {
    expect(refused({ ...SAFE, ADMIN_HOST: host })).toEqual([]);
  },
);

test('a host name that resolves to 0.0.0.0, which means all addresses, is refused before anything listens', async () => {
  const config = (env: Environment) => loadConfig({ ...SAFE, ADMIN_HOST: 'every.internal', ...env });
  const resolve = async () => [{ address: '::ffff:0.0.0.0', family: 6 }];
  expect(await resolvesEverywhere('every.internal', resolve)).toBe(true);
  expect(await resolvesEverywhere('one.internal', async () => [{ address: '10.0.0.1', family: 4 }])).toBe(false);
  const unknown = async () => Promise.reject(new Error('ENOTFOUND'));
  expect(await resolvesEverywhere('none.internal', unknown)).toBe(false);
  await expect(refuseListeningEverywhere(config({}), ['ADMIN_HOST'], resolve)).rejects.toThrow('ADMIN_HOST');
  const allowed = config({ LISTEN_EVERYWHERE_ALLOWED: 'ADMIN_HOST' });
  await expect(refuseListeningEverywhere(allowed, ['ADMIN_HOST'], resolve)).resolves.toBeUndefined();
});

test.each([
  ...['0.0.0.0/0', '::/0', '0.0.0.0', '::', '0.0.0.0/1,128.0.0.0/1', '10.0.0.0/7', '::/1', 'fc00::/6'],
  ...['::ffff:0:0/96', '::ffff:0.0.0.0/96', '::ffff:10.0.0.0/103', '10.0.0.1,0.0.0.0/0'],
])('ADMIN_TRUSTED_PROXIES=%s trusts any caller, and is refused in production', (value) => {
  expect(refused({ ...SAFE, ADMIN_TRUSTED_PROXIES: value })).toEqual(['ADMIN_TRUSTED_PROXIES']);
});

test.each(['10.0.0.0/8', '10.1.2.3', 'fc00::/7', '::ffff:10.0.0.0/104', '::1', '192.168.0.0/16,fd12::/48'])(
  'ADMIN_TRUSTED_PROXIES=%s is accepted in production',
  (value) => {
    expect(refused({ ...SAFE, ADMIN_TRUSTED_PROXIES: value })).toEqual([]);
  },
);

test.each<readonly [string, string]>([
  ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=false'],
  ['SMTP_URL', 'smtps://mail.example?TLS.RejectUnauthorized=false'],
  ['SMTP_URL', 'smtps://mail.example?tls%2ErejectUnauthorized=false'],
  ['SMTP_URL', 'smtps://mail.example?tls.checkServerIdentity='],
  ['SMTP_URL', 'smtps://mail.example?rejectUnauthorized=false'],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=true&ignoreTLS=true'],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=true&opportunisticTLS=true'],
  ['PAYMENT_SERVICE_BASE_URL', 'https://payments.example/?tls.rejectUnauthorized=false'],
  ['PAYMENT_SERVICE_TOKEN_URL', 'https://payments.example/token?rejectUnauthorized=0'],
  ['NOTICE_WEBHOOK_URL', 'https://merchant.example/?tls.rejectUnauthorized=false'],
  ['EVENT_WEBHOOK_URL', 'https://merchant.example/?reject_unauthorized=false'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example/?tls.rejectUnauthorized=false'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?sslmode=verify-full&rejectUnauthorized=false'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?sslmode=no-verify'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?sslmode=allow'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?sslmode=VERIFY-FULL'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?ssl=no-verify'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?uselibpqcompat=true&sslmode=require'],
  ['DATABASE_URL', 'postgresql://db.internal/dueday?sslmode=verify-ca&uselibpqcompat=true'],
  ['DATABASE_REPLICA_URL', 'postgresql://db.internal/dueday?sslmode=no-verify'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
])('%s=%s disables certificate verification, and is refused in production', (name, value) => {
  expect(refused({ ...SAFE, [name]: value })).toEqual([name]);
});

test('NODE_TLS_REJECT_UNAUTHORIZED is accepted if it disables nothing', () => {
  expect(refused({ ...SAFE, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
});

/** All values that files of the project assign to a secret, in any notation. */
function publishedValues(): readonly string[] {
  const root = join(__dirname, '..', '..');
  const files = execFileSync('git', ['ls-files', '*.yml', '*.yaml', '*.md', '*.env', '*.ts', '*.mjs', '*.service'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = '(?:[A-Z_]*(?:SECRET|KEY|KEYS|PASSWORD)|BOOTSTRAP|clientSecret|apiKey|secret)';
  const assigned = new RegExp(
    `\\b${named}\\b['"]?\\s*[:=]\\s*(?:['"\`]([^'"\`$\\n]{6,})['"\`]|\\$\\{\\w+:-([^}]+)\\})`,
    'g',
  );
  const values = files
    .split('\n')
    .filter(Boolean)
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(assigned)])
    .map(([, quoted, fallback]) => quoted ?? fallback ?? '');
  return [...new Set(values)].filter((value) => !value.includes('://') && !/[\s<>]|^[A-Z_]+$|^[\da-f]{8}-/.test(value));
}

test("no secret in the project's files is accepted in production", () => {
  const values = publishedValues();
  expect(values).toContain('an-admin-key-for-this-machine-only');
  const taken = values.filter((value) => refused({ ...SAFE, PAYMENT_SERVICE_CLIENT_SECRET: value }).length === 0);
  expect(taken).toEqual([]);
});

test.each<readonly [VariableName, string]>([
  ['DATABASE_URL', 'postgresql://dueday:dueday-on-this-machine@db.internal/dueday?sslmode=verify-full'],
  ['DATABASE_URL', 'postgresql://dueday:dueday%2Don%2Dthis%2Dmachine@db.internal/dueday?sslmode=verify-full'],
  ['DATABASE_REPLICA_URL', 'postgresql://dueday:program-on-this-machine@db.internal/dueday?sslmode=verify-full'],
  ['SMTP_URL', 'smtps://mailer:password@mail.example'],
  ['ADMIN_BOOTSTRAP_KEY', 'an-admin-key-for-this-machine-only'],
  ['CODEC_SERVER_KEY', VARIABLES.CODEC_SERVER_KEY.example],
  ['NOTICE_WEBHOOK_SECRET', VARIABLES.NOTICE_WEBHOOK_SECRET.example],
  ['PAYLOAD_ENCRYPTION_KEYS', `k9:${VARIABLES.PAYLOAD_ENCRYPTION_KEYS.example.slice(3)}`],
  ['DUEDAY_KEY', VARIABLES.DUEDAY_KEY.example],
])('a published secret is refused in production in any variable: %s=%s', (name, value) => {
  expect(refused({ ...SAFE, [name]: value })).toContain(name);
});

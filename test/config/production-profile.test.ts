import { ConfigError, loadConfig } from '../../src/config';
import type { VariableName } from '../../src/config-variables';
import { findExternal } from '../../src/production-profile';

type Environment = Readonly<Record<string, string>>;

const STRONG = 'kY3vQ8zR1mW6tB9xL4cN7pD2sF5hJ0gA';

/** Everything a production deployment may have, safe. */
const SAFE: Environment = {
  PAYMENT_SERVICE_ENVIRONMENT: 'production',
  DATABASE_URL: 'postgresql://dueday:password@db.internal:5432/dueday?sslmode=verify-full',
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

test('safe settings are taken in production', () => {
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
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday'],
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday?sslmode=prefer'],
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday?ssl=0'],
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday?ssl=true&sslmode=disable'],
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday?sslmode=require&sslmode=disable'],
  ['DATABASE_URL', 'postgresql:///dueday?host=db.internal'],
  ['DATABASE_REPLICA_URL', 'postgresql://dueday:password@replica.internal:5432/dueday'],
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
  ['ADMIN_HOST', '0.0.0.0'],
  ['ADMIN_HOST', '::'],
  ['PAYMENT_SERVICE_SETTLE_SECONDS', '39.999'],
  ['TEST_CLOCK', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx14400'],
])('%s=%s is refused in production, and taken with the sandbox', (name, value) => {
  expect(new Set(refused({ ...SAFE, [name]: value }))).toEqual(new Set([name]));
  expect(refused({ ...SAFE, [name]: value, PAYMENT_SERVICE_ENVIRONMENT: 'sandbox' })).toEqual([]);
});

test('a settle time is long enough from the moment in which no request can be on the wire any more', () => {
  const env = { ...SAFE, PAYMENT_SERVICE_TIMEOUT_MS: '300000' };
  expect(refused({ ...env, PAYMENT_SERVICE_SETTLE_SECONDS: '310' })).toEqual([]);
  expect(refused({ ...env, PAYMENT_SERVICE_SETTLE_SECONDS: '309' })).toEqual(['PAYMENT_SERVICE_SETTLE_SECONDS']);
});

test('a CA of the database encrypts the links to it and to its replica', () => {
  const DATABASE_URL = 'postgresql://dueday:password@db.internal:5432/dueday';
  const env = { ...SAFE, DATABASE_URL, DATABASE_REPLICA_URL: DATABASE_URL };
  expect(refused(env)).toEqual(['DATABASE_URL', 'DATABASE_REPLICA_URL']);
  expect(refused({ ...env, DATABASE_CA: '-----BEGIN CERTIFICATE-----' })).toEqual([]);
});

test('Temporal without TLS is refused in production, by all that speak to it: only they have a key that says TLS', () => {
  const plain = { ...SAFE, TEMPORAL_TLS: 'false' };
  expect(refused(plain)).toEqual(['TEMPORAL_ADDRESS']);
  expect(refused(plain, ['TEMPORAL_ADDRESS'])).toEqual(['TEMPORAL_ADDRESS']);
  expect(refused(plain, ['DATABASE_URL'])).toEqual([]);
  expect(refused({ ...plain, TEMPORAL_API_KEY: 'key' })).toEqual([]);
});

test.each<readonly [string, string]>([
  ['PAYMENT_SERVICE_BASE_URL', 'http://127.0.0.1:7780'],
  ['PAYMENT_SERVICE_BASE_URL', 'http://[::1]:7780'],
  ['DATABASE_URL', 'postgresql://dueday:password@localhost/dueday'],
  ['DATABASE_URL', 'postgresql:///dueday?host=/run/postgresql'],
  ['DATABASE_URL', 'postgresql://dueday:password@db.internal:5432/dueday?ssl=true'],
  ['DATABASE_REPLICA_URL', 'postgresql://dueday:password@replica.internal:5432/dueday?ssl=1'],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=true'],
  ['NOTICE_WEBHOOK_SECRET', `whsec_${base64Of(24)}`],
  // 32 hexadecimal digits are 128 bits.
  ['ADMIN_BOOTSTRAP_KEY', '0123456789abcdef0a1b2c3d4e5f6789'],
])('%s=%s is safe', (name, value) => {
  expect(refused({ ...SAFE, [name]: value })).toEqual([]);
});

test('payloads are encrypted, unless that is left out in so many words, wherever Temporal is spoken to', () => {
  const plain = { ...SAFE, PAYLOAD_ENCRYPTION_KEYS: '' };
  expect(refused(plain)).toEqual(['PAYLOAD_ENCRYPTION']);
  expect(refused(plain, ['TEMPORAL_ADDRESS'])).toEqual(['PAYLOAD_ENCRYPTION']);
  expect(refused(plain, ['DATABASE_URL'])).toEqual([]);
  expect(refused({ ...plain, PAYLOAD_ENCRYPTION: 'off' })).toEqual([]);
  expect(refused({ ...SAFE, PAYLOAD_ENCRYPTION: 'on' })).toEqual(['PAYLOAD_ENCRYPTION']);
});

test('a host that is named may be spoken to in plain text, another may not', () => {
  const env = { ...SAFE, SMTP_URL: 'smtp://mail.internal:25', PLAINTEXT_ALLOWED: '10.0.0.5,mail.internal' };
  expect(refused(env)).toEqual([]);
  expect(refused({ ...env, SMTP_URL: 'smtp://mail.internal.example:25' })).toEqual(['SMTP_URL']);
});

test('what of another machine a local stack would use is told', () => {
  const local = { DATABASE_URL: 'postgresql://localhost/dueday', TEMPORAL_ADDRESS: '127.0.0.1:7233' };
  expect(findExternal(loadConfig(local))).toEqual([]);
  expect(findExternal(loadConfig({ ...SAFE }))).toEqual([
    { name: 'DATABASE_URL', host: 'db.internal' },
    { name: 'TEMPORAL_ADDRESS', host: 'temporal.internal' },
    { name: 'PAYMENT_SERVICE_BASE_URL', host: 'payments.example' },
    { name: 'PAYMENT_SERVICE_TOKEN_URL', host: 'payments.example' },
  ]);
});

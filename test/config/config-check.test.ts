import { randomBytes } from 'node:crypto';
import { configVariables } from '../../src/config';
import { runDueday } from '../cli/dueday-process';
import { CERTIFICATE_FILE } from '../wiring/tls-server';

/** The command's output for each variable. */
function rowsOf(stdout: string): Map<string, { value: string; from: string }> {
  const rows = stdout
    .split('\n')
    .filter((line) => /^[A-Z_]+ {2}/.test(line))
    .map((line) => /^(\S+)(?: {2,}(.*?))? {2,}(\S+)$/.exec(line)!);
  return new Map(rows.map(([, name, value, from]) => [name!, { value: value ?? '', from: from! }]));
}

/** What a daemon cannot start without. */
const NEEDED = {
  DATABASE_URL: 'postgres://u:unspeakable@db/ledger',
  TEMPORAL_ADDRESS: 'temporal:7233',
  PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
  PAYMENT_SERVICE_BASE_URL: 'https://merchant:unspeakable@service.example/v1',
  PAYMENT_SERVICE_CLIENT_ID: 'merchant',
  PAYMENT_SERVICE_CLIENT_SECRET: 'unspeakable',
};

it('dueday config check prints the values in force in an empty environment, and then fails as the daemon does', async () => {
  const [checked, started] = await Promise.all([runDueday(['config', 'check'], {}), runDueday(['daemon'], {})]);
  expect([checked.code, checked.stderr]).toEqual([started.code, started.stderr]);
  expect([checked.code, checked.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL: missing')]);
  expect(checked.stdout).not.toContain('the configuration is valid');
  expect(rowsOf(checked.stdout).get('LOG_LEVEL')).toEqual({ value: 'info', from: 'default' });
});

it('dueday config check prints every variable with its source and value, and exits 0', async () => {
  const { code, stdout, stderr } = await runDueday(['config', 'check'], {
    ...NEEDED,
    ADMIN_PORT: '9090',
    RETRY_OFFSETS_HOURS: '24,48',
    TEST_CLOCK: '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx14400',
  });

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = rowsOf(stdout);
  expect([...rows.keys()]).toEqual(configVariables);
  expect(rows.get('ADMIN_PORT')).toEqual({ value: '9090', from: 'environment' });
  expect(rows.get('LOG_LEVEL')).toEqual({ value: 'info', from: 'default' });
  expect(rows.get('DATABASE_URL')).toEqual({ value: '[masked]', from: 'environment' });
  expect(rows.get('SANDBOX_CLIENT_SECRET')).toEqual({ value: '[masked]', from: 'default' });
  expect(rows.get('SMTP_URL')).toEqual({ value: '', from: 'default' });
  expect(rows.get('PAYMENT_SERVICE_BASE_URL')?.value).toBe('https://merchant:[masked]@service.example/v1');
  expect(stdout).not.toContain('unspeakable');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('the configuration is valid');
});

it('dueday config check reports connections, days left of certificates, and a missing cap in production', async () => {
  const production = {
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    PAYMENT_SERVICE_CLIENT_SECRET: randomBytes(24).toString('base64url'),
    PAYLOAD_ENCRYPTION: 'off',
    DATABASE_CA_FILE: CERTIFICATE_FILE,
  };
  const shown = async (more = {}) =>
    (await runDueday(['config', 'check'], { DATABASE_URL: 'postgres://u:p@db/ledger', ...production, ...more })).stdout;
  const [uncapped, capped] = await Promise.all([shown(), shown({ PAYMENT_SERVICE_MAX_RPS: '50' })]);
  expect(uncapped).toMatch(/^(warning: )?the certificate of DATABASE_CA has \d+ days left$/m);
  expect(uncapped).toMatch(/^connections to PostgreSQL: a worker uses up to 24, an api 17, a daemon 37$/m);
  expect(uncapped).toMatch(/^warning: PAYMENT_SERVICE_MAX_RPS is not set: /m);
  expect(capped).toMatch(/^connections to PostgreSQL: a worker uses up to 25, an api 18, a daemon 38$/m);
  expect(capped).not.toContain('MAX_RPS is not set');
});

it('dueday config check shows values in the form of the environment, so that its output can be used as input', async () => {
  const given = {
    TEST_CLOCK: '2027-01-31T10:00:00.000Z@2026-11-21T09:00:00.000Zx14400',
    RETRY_OFFSETS_HOURS: '0.5,24,71.5',
    NOTICE_BACKOFF_SECONDS: '1,2,5',
    LONG_CAPTURE_PERMITTED: 'true',
    SPREAD_SECONDS: '3600',
    PAYER_UPCOMING_DAYS: 'YEARLY:30,MONTHLY:3',
  };
  const rows = rowsOf((await runDueday(['config', 'check'], given)).stdout);
  for (const [name, value] of Object.entries(given)) expect([name, rows.get(name)?.value]).toEqual([name, value]);
});

it('dueday config check shows derived values: the token URL, and the metrics address with the API', async () => {
  const shown = async (env: Readonly<Record<string, string>>) => {
    const rows = rowsOf((await runDueday(['config', 'check'], env)).stdout);
    return ['PAYMENT_SERVICE_TOKEN_URL', 'METRICS_HOST', 'METRICS_PORT'].map((name) => rows.get(name));
  };
  const env = {
    PAYMENT_SERVICE_BASE_URL: 'https://merchant:unspeakable@service.example/v1/',
    ADMIN_HOST: '10.0.0.1',
    ADMIN_PORT: '9090',
  };
  expect(await shown(env)).toEqual([
    { value: 'https://merchant:[masked]@service.example/v1/oauth/token', from: 'default' },
    { value: '10.0.0.1', from: 'default' },
    { value: '9090', from: 'default' },
  ]);
  expect(await shown({ METRICS_PORT: '9464' })).toEqual([
    { value: '', from: 'default' },
    { value: '127.0.0.1', from: 'default' },
    { value: '9464', from: 'environment' },
  ]);
});

it('dueday config check lists every bad variable with an example and exits 2', async () => {
  const { code, stdout, stderr } = await runDueday(['config', 'check'], {
    LOG_LEVEL: 'loud',
    ADMIN_BOOTSTRAP_KEY: 'unspeakable',
    SMTP_URL: 'smtp://localhost:1025',
    NOTICE_TEMPLATES: '/nowhere',
  });

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'The configuration is not valid:',
    expect.stringMatching(/^ADMIN_BOOTSTRAP_KEY: expected .+; got \[masked\] \(example: .+\)$/),
    'LOG_LEVEL: expected a pino level; got "loud" (example: info)',
    'NOTICE_FROM: missing; SMTP_URL requires it (example: Billing <billing@merchant.example>)',
    'NOTICE_TEMPLATES: expected a folder of templates; got "/nowhere": cannot be read: ENOENT (example: /etc/dueday/notices)',
  ]);
});

import { z } from 'zod';
import {
  connection,
  daysByRepetition,
  decimal,
  flag,
  hostAndPort,
  keyRing,
  MAX_WAIT,
  MAX_WAITS,
  networkList,
  origins,
  pem,
  port,
  retryOffsets,
  testClock,
  text,
  url,
  waits,
  wholeNumber,
} from './schemas';
import { MAX_REQUEST_TIMEOUT } from '../contract/activities';
import { MAX_RETRIES } from '../domain/subscription/retries';
import { REPETITIONS } from '../domain/subscription/schedule';

/** One environment variable: how it is parsed, and how a fault describes it. */
export interface Variable<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly expected: string;
  readonly example: string;
  readonly secret: boolean;
}

function variable<S extends z.ZodType>(schema: S, expected: string, example: string, secret = false): Variable<S> {
  return { schema, expected, example, secret };
}

/** A number described with its bounds; the default is the example. */
const ranged = (read: typeof decimal, what: string, min: number, max: number, byDefault: number) =>
  variable(read(min, max).default(byDefault), `${what}, ${min} to ${max}`, String(byDefault));

/** Seconds between tries, described with their bounds; the default is the example. */
const backoff = (shortest: number, byDefault: number[]) =>
  variable(
    waits(shortest).default(byDefault),
    `up to ${MAX_WAITS} waits in seconds, each ${shortest} to ${MAX_WAIT}, separated by commas`,
    byDefault.join(','),
  );

const postgresUrl = (example: string) =>
  variable(connection(/^postgres(ql)?:\/\/\S+$/).optional(), 'a PostgreSQL URL', example, true);

const longKey = (example: string) =>
  variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{32,512}$/)
      .optional(),
    '32 to 512 visible ASCII characters, no blanks',
    example,
    true,
  );

const webhookSecret = variable(
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{8,}={0,2}$/)
    .optional(),
  'whsec_ and base64',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  true,
);

const networks = (example: string) =>
  variable(networkList.optional(), 'addresses or networks (CIDR), separated by commas', example);

const encryptionKeys = variable(
  keyRing.optional(),
  'id:base64 of 32 bytes, newest first, each id once, separated by commas',
  'k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  true,
);

/**
 * Every variable that dueday reads. Each can also be set as `<NAME>_FILE`, the path of a file that holds the value, and some
 * by Temporal's own names, see {@link TEMPORAL_NAMES}.
 */
export const VARIABLES = {
  DATABASE_URL: postgresUrl('postgresql://user:password@localhost:5432/dueday'),
  DATABASE_REPLICA_URL: postgresUrl('postgresql://user:password@replica:5432/dueday'),
  DATABASE_CA: variable(pem.optional(), 'a certificate in PEM', '-----BEGIN CERTIFICATE-----…'),
  DATABASE_ROLE: variable(z.string().min(1).max(63).optional(), 'a role of PostgreSQL', 'dueday_program'),
  DATABASE_POOL_SIZE: ranged(wholeNumber, 'connections', 4, 1000, 20),
  DATABASE_PREPARED_STATEMENTS: variable(flag.default(true), 'true or false', 'false'),
  TEMPORAL_ADDRESS: variable(hostAndPort.optional(), 'host:port', 'localhost:7233'),
  TEMPORAL_NAMESPACE: variable(text.default('default'), 'a namespace', 'default'),
  TEMPORAL_API_KEY: variable(text.optional(), 'an API key of Temporal Cloud', 'key', true),
  TEMPORAL_TLS_CERT: variable(pem.optional(), 'a certificate in PEM', '-----BEGIN CERTIFICATE-----…'),
  TEMPORAL_TLS_KEY: variable(pem.optional(), 'a private key in PEM', '-----BEGIN PRIVATE KEY-----…', true),
  TEMPORAL_TLS: variable(flag.default(false), 'true or false', 'true'),
  TEMPORAL_TLS_CA: variable(pem.optional(), 'a certificate in PEM', '-----BEGIN CERTIFICATE-----…'),
  TEMPORAL_TLS_SERVER_NAME: variable(text.optional(), 'a host name', 'temporal.internal'),
  TEMPORAL_TASK_QUEUE: variable(text.default('billing'), 'the name of a task queue', 'billing'),
  TEMPORAL_UI_URL: variable(url.optional(), 'an http or https URL', 'http://localhost:8233'),
  CONSOLE_URL: variable(url.optional(), 'an http or https URL', 'https://billing.internal'),
  WORKFLOW_CACHE_SIZE: variable(
    wholeNumber(10, 1_000_000).optional(),
    'workflows kept in memory, 10 to 1000000',
    '2000',
  ),
  COLLECT_IN_PLACE: variable(flag.default(false), 'true or false', 'true'),
  ACTIVITY_SLOTS: variable(wholeNumber(10, 10_000).optional(), 'concurrent activities, 10 to 10000', '200'),
  PAYMENT_SERVICE_ENVIRONMENT: variable(
    z.enum(['sandbox', 'production']).default('sandbox'),
    'sandbox or production',
    'sandbox',
  ),
  LISTEN_EVERYWHERE_ALLOWED: variable(
    z
      .string()
      .transform((value) => value.split(','))
      .pipe(z.array(z.enum(['ADMIN_HOST', 'METRICS_HOST', 'CODEC_SERVER_HOST'])))
      .optional(),
    'ADMIN_HOST, METRICS_HOST or CODEC_SERVER_HOST, separated by commas',
    'ADMIN_HOST,METRICS_HOST',
  ),
  PLAINTEXT_ALLOWED: variable(
    z
      .string()
      .regex(/^[^\s,/]+(,[^\s,/]+)*$/)
      .transform((value) => value.split(','))
      .optional(),
    'hosts, separated by commas',
    'mail.internal,10.0.0.5',
  ),
  PAYMENT_SERVICE_SUBSCRIPTIONS_RELEASED: variable(flag.default(false), 'true or false', 'true'),
  PAYMENT_SERVICE_BASE_URL: variable(url.optional(), 'an http or https URL', 'http://127.0.0.1:7780'),
  PAYMENT_SERVICE_TOKEN_URL: variable(url.optional(), 'an http or https URL', 'http://127.0.0.1:7780/oauth/token'),
  PAYMENT_SERVICE_CLIENT_ID: variable(text.optional(), 'the client id of the contract', 'merchant-1'),
  PAYMENT_SERVICE_CLIENT_SECRET: variable(text.optional(), 'the client secret of the contract', 'secret', true),
  PAYMENT_SERVICE_API_KEY: variable(text.optional(), 'the API key of the contract', 'key', true),
  PAYMENT_SERVICE_TIMEOUT_MS: ranged(wholeNumber, 'milliseconds', 1, MAX_REQUEST_TIMEOUT, 30_000),
  PAYMENT_SERVICE_SETTLE_SECONDS: ranged(decimal, 'seconds', 0, 86_400, 900),
  PAYMENT_SERVICE_LIST_DAYS: variable(wholeNumber(7, 36_500).optional(), 'days, 7 to 36500', '90'),
  PAYMENT_SERVICE_MAX_RPS: variable(
    decimal(0, 100_000)
      .refine((rate) => rate > 0)
      .optional(),
    'requests per second, above 0 and up to 100000',
    '50',
  ),
  PAYMENT_SERVICE_TRANSIT_SECONDS: ranged(decimal, 'seconds', 0, 3600, 60),
  ADMIN_HOST: variable(text.default('127.0.0.1'), 'a host name or address', '127.0.0.1'),
  ADMIN_PORT: variable(port.default(8080), 'a port, 0 to 65535', '8080'),
  ADMIN_TRUSTED_PROXIES: networks('10.0.0.0/8,192.168.1.7'),
  ADMIN_DOCS_OPEN: variable(flag.optional(), 'true or false', 'false'),
  ADMIN_REQUESTS_PER_MINUTE: ranged(wholeNumber, 'requests per key and minute', 1, 1_000_000, 12_000),
  ADMIN_UNKNOWN_KEYS_PER_MINUTE: ranged(wholeNumber, 'unknown keys per address and minute', 1, 1_000_000, 60),
  SESSION_IDLE_MINUTES: ranged(decimal, 'minutes', 1, 1440, 30),
  SESSION_HOURS: ranged(decimal, 'hours', 0.1, 168, 12),
  APPROVAL_ABOVE_CENTS: variable(wholeNumber(0, 100_000_000).optional(), 'cents, 0 to 100000000', '50000'),
  ADMIN_BOOTSTRAP_KEY: longKey('a-key-of-at-least-32-characters-1'),
  METRICS_HOST: variable(text.optional(), 'a host name or address', '127.0.0.1'),
  METRICS_PORT: variable(port.optional(), 'a port, 0 to 65535', '9464'),
  NOTICE_WEBHOOK_URL: variable(url.optional(), 'an http or https URL', 'https://merchant.example/notices'),
  NOTICE_WEBHOOK_SECRET: webhookSecret,
  SMTP_URL: variable(connection(/^smtps?:\/\/\S+$/).optional(), 'an smtp or smtps URL', 'smtp://localhost:1025', true),
  NOTICE_FROM: variable(text.optional(), 'a sender', 'Billing <billing@merchant.example>'),
  EVENT_WEBHOOK_URL: variable(url.optional(), 'an http or https URL', 'https://merchant.example/events'),
  EVENT_WEBHOOK_SECRET: webhookSecret,
  EVENT_BACKOFF_SECONDS: backoff(0, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
  EVENT_DISABLE_AFTER_SECONDS: ranged(wholeNumber, 'seconds', 1, 31_536_000, 432_000),
  EVENT_ENDPOINT_NETWORKS: networks('10.20.0.0/16,fd12::/48'),
  EVENT_RETENTION_DAYS: ranged(wholeNumber, 'days', 1, 3650, 90),
  PAYER_RETENTION_DAYS: variable(wholeNumber(1, 36_500).optional(), 'days, 1 to 36500', '400'),
  CYCLE_UPCOMING_DAYS: variable(
    decimal(0, 365)
      .refine((days) => days > 0)
      .optional(),
    'days, above 0 and up to 365',
    '3',
  ),
  PAYER_UPCOMING_DAYS: variable(
    daysByRepetition.optional(),
    `repetition:days, 0 to 365, separated by commas, each of ${REPETITIONS.join(', ')} at most once`,
    'YEARLY:30,MONTHLY:3',
  ),
  SECRETS_KEYS: encryptionKeys,
  NOTICE_TEMPLATES: variable(text.optional(), 'a folder of templates', '/etc/dueday/notices'),
  // The last wait is repeated: if it were 0, deliveries would be tried again without a pause.
  NOTICE_BACKOFF_SECONDS: backoff(0.05, [5, 30, 120, 600, 1800]),
  NOTICE_PAYMENT_LINK: variable(flag.default(false), 'true or false', 'true'),
  PAYMENT_PAGE_URL: variable(
    url.refine((value) => ['{subscriptionId}', '{cycle}'].every((each) => value.includes(each))).optional(),
    'an http or https URL that contains {subscriptionId} and {cycle}',
    'https://shop.example/pay?subscription={subscriptionId}&cycle={cycle}',
  ),
  INCREASE_NOTICE_DAYS: ranged(decimal, 'days', 0, 365, 14),
  MERCHANT_CATEGORY_CODE: variable(
    z
      .string()
      .regex(/^\d{4}$/)
      .optional(),
    'four digits',
    '4111',
  ),
  LONG_CAPTURE_PERMITTED: variable(flag.default(false), 'true or false', 'false'),
  EVENT_DEPENDENT_REFUNDS: variable(flag.default(false), 'true or false', 'false'),
  RECONCILE_EVERY_DAYS: ranged(wholeNumber, 'days', 1, 90, 7),
  SPREAD_SECONDS: variable(wholeNumber(0, 432_000).default(0), 'seconds, 0 to 432000', '3600'),
  RETRY_OFFSETS_HOURS: variable(
    retryOffsets.default([24, 48, 71]),
    `up to ${MAX_RETRIES} ascending hours, none past 72`,
    '24,48,71',
  ),
  RETRY_MIN_GAP_HOURS: ranged(decimal, 'hours', 0, 24, 6),
  PAYLOAD_ENCRYPTION_KEYS: encryptionKeys,
  PAYLOAD_ENCRYPTION: variable(z.literal('off').optional(), 'off', 'off'),
  PAYLOAD_PLAIN_ALLOWED: variable(flag.default(false), 'true or false', 'false'),
  CODEC_SERVER_KEY: longKey('a-key-of-at-least-32-characters-2'),
  CODEC_SERVER_HOST: variable(text.default('127.0.0.1'), 'a host name or address', '127.0.0.1'),
  CODEC_SERVER_PORT: variable(port.default(8081), 'a port, 0 to 65535', '8081'),
  CODEC_SERVER_ORIGINS: variable(
    origins.optional(),
    'origins of web pages, separated by commas',
    'https://temporal.internal',
  ),
  DUEDAY_URL: variable(url.optional(), 'an http or https URL', 'https://billing.internal'),
  DUEDAY_KEY: variable(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,512}$/)
      .optional(),
    'a key of the admin API',
    'dd_0wGz3rY5fT8kQm1vXb7c',
    true,
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'a pino level',
    'info',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url.optional(), 'an http or https URL', 'http://localhost:4318'),
  TEST_CLOCK: variable(
    testClock.optional(),
    '<virtual ISO>@<real ISO>x<speed>',
    '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx14400',
  ),
  SANDBOX_PORT: variable(port.default(7780), 'a port, 0 to 65535', '7780'),
  SANDBOX_CLIENT_ID: variable(text.default('sandbox-client'), 'a client id', 'sandbox-client'),
  SANDBOX_CLIENT_SECRET: variable(text.default('sandbox-secret'), 'a client secret', 'sandbox-secret', true),
} as const;

export type VariableName = keyof typeof VARIABLES;

/**
 * The names of Temporal's own programs for some of these variables: `<name>_DATA` is the value, `<name>_PATH` the path of a file that
 * holds it. Temporal's other variables have the same names here.
 */
export const TEMPORAL_NAMES: Readonly<Partial<Record<VariableName, string>>> = {
  TEMPORAL_TLS_CERT: 'TEMPORAL_TLS_CLIENT_CERT',
  TEMPORAL_TLS_KEY: 'TEMPORAL_TLS_CLIENT_KEY',
  TEMPORAL_TLS_CA: 'TEMPORAL_TLS_SERVER_CA_CERT',
};

export type Values = { readonly [Name in VariableName]: z.output<(typeof VARIABLES)[Name]['schema']> };

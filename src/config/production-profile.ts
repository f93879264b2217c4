import { isIPv4 } from 'node:net';
import type { Values, VariableName } from './variables';
import {
  LISTENS_EVERYWHERE,
  findBoundlessNetworks,
  isEverywhere,
  LISTENING,
  mayListenEverywhere,
} from './listen-addresses';
import { findPublishedSecrets, type UnsafeSetting } from './published-secrets';

/**
 * The settings that are valid but unsafe, each of which prevents a production process from starting, such as plain-text links and
 * payloads, weak secrets, listeners on every address, or a settle time that is too short. docs/reference/configuration.md lists
 * them for operators.
 */
export function findUnsafeSettings(
  values: Values,
  env: Readonly<Record<string, string | undefined>>,
): readonly UnsafeSetting[] {
  return [
    ...plainLinks(values),
    ...uncheckedLinks(values, env),
    ...weakSecrets(values),
    ...findPublishedSecrets(values),
    ...plainPayloads(values),
    ...sandboxCredentials(values),
    ...openListeners(values),
    ...shortSettleTime(values),
  ];
}

/** Seconds after the time-out of a request within which it may still be sent. */
const TO_LEAVE = 10;

/**
 * After the settle time a debit that is not found counts as never made, so its request must no longer be on the wire
 * (rule 17).
 */
function shortSettleTime(values: Partial<Values>): UnsafeSetting[] {
  const { PAYMENT_SERVICE_SETTLE_SECONDS: settle, PAYMENT_SERVICE_TIMEOUT_MS: timeout } = values;
  if (settle === undefined || timeout === undefined) return [];
  const least = timeout / 1000 + TO_LEAVE;
  if (settle >= least) return [];
  const message = `${settle} s is too short, as a request may still arrive; expected at least ${least}: PAYMENT_SERVICE_TIMEOUT_MS plus ${TO_LEAVE} s`;
  return [{ name: 'PAYMENT_SERVICE_SETTLE_SECONDS', message }];
}

/** Links judged by their URL's scheme. */
const HTTP_LINKS = [
  'PAYMENT_SERVICE_BASE_URL',
  'PAYMENT_SERVICE_TOKEN_URL',
  'NOTICE_WEBHOOK_URL',
  'EVENT_WEBHOOK_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'DUEDAY_URL',
] as const satisfies readonly VariableName[];

function plainLinks(values: Values): UnsafeSetting[] {
  const { DATABASE_CA, SMTP_URL, TEMPORAL_ADDRESS } = values;
  const allowed = (values.PLAINTEXT_ALLOWED ?? []).map((each) => each.toLowerCase());
  const unsafe: UnsafeSetting[] = [];
  const refuse = (name: VariableName, host: string, instead: string) => {
    if (isLoopback(host) || allowed.includes(host)) return;
    unsafe.push({
      name,
      message: `a plain-text link to ${host}; expected ${instead}, or the host in PLAINTEXT_ALLOWED`,
    });
  };
  for (const name of HTTP_LINKS) {
    const url = values[name];
    if (url !== undefined && schemeOf(url) === 'http:') refuse(name, hostOf(url), 'https');
  }
  if (SMTP_URL !== undefined && schemeOf(SMTP_URL) === 'smtp:' && parameterOf(SMTP_URL, 'requireTLS') !== 'true')
    refuse('SMTP_URL', hostOf(SMTP_URL), 'smtps, or smtp with ?requireTLS=true');
  for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    const url = values[name];
    if (url === undefined || DATABASE_CA !== undefined || isVerified(url)) continue;
    refuse(name, databaseHost(url), 'sslmode=verify-full');
  }
  if (TEMPORAL_ADDRESS !== undefined && !usesTls(values))
    refuse('TEMPORAL_ADDRESS', temporalHost(TEMPORAL_ADDRESS), 'TEMPORAL_TLS=true');
  return unsafe;
}

/** The modes in which the driver encrypts and verifies certificate and host name, unless it is set to behave as libpq does. */
export const VERIFYING_MODES: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);
/** Values of `ssl`, which older URLs use. */
const TURNED_ON: ReadonlySet<string> = new Set(['true', '1']);

/** Reads the URL as the PostgreSQL driver does: `sslmode` overrides `ssl`. */
export function isVerified(url: string): boolean {
  const mode = parameterOf(url, 'sslmode');
  if (mode === null) return TURNED_ON.has(parameterOf(url, 'ssl') ?? '');
  return VERIFYING_MODES.has(mode) && (mode === 'verify-full' || !hasParameter(url, /^uselibpqcompat$/i));
}

/** The variables that hold the URL of a server to which dueday connects. */
const URLS = ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL', ...HTTP_LINKS] as const;

/** Parameters that can disable certificate verification in a library. nodemailer reads `tls.…` into its TLS options. */
const UNCHECKING = /^(?:tls\.|tls\[|reject_?unauthorized$|ignoretls$|opportunistictls$|sslnegotiation$)/i;

/** Links that may be encrypted without verifying the certificate. */
function uncheckedLinks(values: Values, env: Readonly<Record<string, string | undefined>>): UnsafeSetting[] {
  const message = 'it may disable certificate verification; expected a URL without TLS parameters';
  const urls = URLS.filter((name) => values[name] !== undefined && hasParameter(values[name], UNCHECKING));
  const unsafe: UnsafeSetting[] = urls.map((name) => ({ name, message }));
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    unsafe.push({
      name: 'NODE_TLS_REJECT_UNAUTHORIZED',
      message: 'certificates would not be verified; expected it to be unset',
    });
  return unsafe;
}

function hasParameter(url: string, form: RegExp): boolean {
  return [...new URL(url).searchParams.keys()].some((name) => form.test(name));
}

/** Whether Temporal is reached over TLS: an API key, a client certificate or a certificate authority implies it. */
export function usesTls(values: Values): boolean {
  const { TEMPORAL_TLS, TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_API_KEY } = values;
  return TEMPORAL_TLS || [TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_API_KEY].some((each) => each !== undefined);
}

/** The dependencies that are on another machine. */
export function findExternal(values: Values): readonly { readonly name: VariableName; readonly host: string }[] {
  return DEPENDENCIES.flatMap(([name, read]) => {
    const value = values[name];
    const host = value === undefined ? null : read(value);
    return host === null || isLoopback(host) ? [] : [{ name, host }];
  });
}

const DEPENDENCIES = [
  ['DATABASE_URL', databaseHost],
  ['DATABASE_REPLICA_URL', databaseHost],
  ['TEMPORAL_ADDRESS', temporalHost],
  ['PAYMENT_SERVICE_BASE_URL', hostOf],
  ['PAYMENT_SERVICE_TOKEN_URL', hostOf],
] as const;

function temporalHost(address: string): string {
  return hostOf(`temporal://${address}`);
}

/** The scheme in lower case, with its colon. */
function schemeOf(url: string): string {
  return new URL(url).protocol;
}

/** The host in lower case: `URL` keeps the case of hosts in the addresses of databases and mail servers. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** A Unix socket counts as this machine. */
function databaseHost(url: string): string {
  const host = parameterOf(url, 'host')?.toLowerCase() ?? hostOf(url);
  return host === '' || host.startsWith('/') ? 'localhost' : host;
}

/** The last one if it is given twice, as drivers do. */
function parameterOf(url: string, name: string): string | null {
  return new URL(url).searchParams.getAll(name).at(-1) ?? null;
}

/** Whether the name or address is this machine's own. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Secrets judged by their text. */
function weakSecrets(values: Values): UnsafeSetting[] {
  const secrets: readonly (readonly [VariableName, string | undefined])[] = [
    ['PAYMENT_SERVICE_CLIENT_SECRET', values.PAYMENT_SERVICE_CLIENT_SECRET],
    ['ADMIN_BOOTSTRAP_KEY', values.ADMIN_BOOTSTRAP_KEY],
    ['CODEC_SERVER_KEY', values.CODEC_SERVER_KEY],
    ...(values.PAYLOAD_ENCRYPTION_KEYS ?? []).map(({ key }) => ['PAYLOAD_ENCRYPTION_KEYS', key] as const),
    ...(values.SECRETS_KEYS ?? []).map(({ key }) => ['SECRETS_KEYS', key] as const),
  ];
  const weak = secrets.filter(([, secret]) => secret !== undefined && isWeak(secret));
  return [...weak.map(([name]) => ({ name, message: WEAK })), ...shortWebhookSecrets(values)];
}

const WEAK = 'a weak secret; expected at least 128 bits, such as 32 random characters';

/** Unless encrypted, workflow and activity payloads can be read and written by anyone with access to Temporal. */
function plainPayloads({ PAYLOAD_ENCRYPTION_KEYS: keys, PAYLOAD_ENCRYPTION: encryption }: Values): UnsafeSetting[] {
  if (keys !== undefined || encryption === 'off') return [];
  return [{ name: 'PAYLOAD_ENCRYPTION', message: 'missing; expected PAYLOAD_ENCRYPTION_KEYS, or off' }];
}

/** Standard Webhooks requires at least 24 bytes. */
const WEBHOOK_BYTES = 24;

function shortWebhookSecrets(values: Values): UnsafeSetting[] {
  const names = ['NOTICE_WEBHOOK_SECRET', 'EVENT_WEBHOOK_SECRET'] as const;
  return names.flatMap((name) => {
    const bytes = Buffer.from(values[name]?.slice('whsec_'.length) ?? '', 'base64');
    if (values[name] === undefined || (bytes.length >= WEBHOOK_BYTES && new Set(bytes).size >= MIN_DIFFERENT))
      return [];
    return [{ name, message: `a weak secret; expected whsec_ and at least ${WEBHOOK_BYTES} random bytes in base64` }];
  });
}

const ENOUGH_BITS = 128;
/** Random text of 128 bits practically always has this many different characters; a short repeated pattern has fewer. */
const MIN_DIFFERENT = 8;

/**
 * Whether it has too few bits, counted in the smallest alphabet that contains its characters, or too few different characters.
 */
function isWeak(secret: string): boolean {
  const alphabet = ALPHABETS.find(({ form }) => form.test(secret))?.size ?? PRINTABLE;
  return secret.length * Math.log2(alphabet) < ENOUGH_BITS || new Set(secret).size < MIN_DIFFERENT;
}

const PRINTABLE = 94;
const ALPHABETS: readonly { readonly form: RegExp; readonly size: number }[] = [
  { form: /^\d+$/, size: 10 },
  { form: /^[\da-f]+$/i, size: 16 },
  { form: /^[a-z]+$/, size: 26 },
  { form: /^[\da-z]+$/, size: 36 },
  { form: /^[\da-z]+$/i, size: 62 },
];

function sandboxCredentials(values: Values): UnsafeSetting[] {
  const { PAYMENT_SERVICE_CLIENT_ID: id, PAYMENT_SERVICE_CLIENT_SECRET: secret } = values;
  const message = "the simulator's own credentials; expected those of the contract";
  const unsafe: UnsafeSetting[] = [];
  if (id === values.SANDBOX_CLIENT_ID) unsafe.push({ name: 'PAYMENT_SERVICE_CLIENT_ID', message });
  if (secret === values.SANDBOX_CLIENT_SECRET) unsafe.push({ name: 'PAYMENT_SERVICE_CLIENT_SECRET', message });
  return unsafe;
}

function openListeners(values: Values): UnsafeSetting[] {
  const open = LISTENING.filter(
    (name) => isEverywhere(values[name] ?? '127.0.0.1') && !mayListenEverywhere(values, name),
  );
  const boundless = findBoundlessNetworks(values.ADMIN_TRUSTED_PROXIES ?? []);
  const message = `trusting ${boundless.join(', ')} means trusting any caller; expected the addresses of your proxies`;
  return [
    ...open.map((name) => ({ name, message: LISTENS_EVERYWHERE })),
    ...(boundless.length > 0 ? [{ name: 'ADMIN_TRUSTED_PROXIES' as const, message }] : []),
  ];
}

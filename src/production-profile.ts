import { isIPv4 } from 'node:net';
import type { Values, VariableName } from './config-variables';

/** A setting that is right in itself and unsafe in production. `message` never repeats a secret. */
export interface UnsafeSetting {
  readonly name: VariableName;
  readonly message: string;
}

/**
 * Everything that keeps a production process from starting: plain-text links and payloads, weak secrets, the simulator's credentials,
 * an API that listens everywhere, a settle time in which a request may still arrive. docs/configuration.md lists them for
 * operators.
 */
export function findUnsafeSettings(values: Values): readonly UnsafeSetting[] {
  return [
    ...plainLinks(values),
    ...weakSecrets(values),
    ...plainPayloads(values),
    ...sandboxCredentials(values),
    ...openDoors(values),
    ...shortSettleTime(values),
  ];
}

/** Seconds within which a request must have left. */
const TO_LEAVE = 10;

/** What is not found counts as never made: not while the request that makes it may still be on the wire (rule 17). */
function shortSettleTime(values: Values): UnsafeSetting[] {
  const { PAYMENT_SERVICE_SETTLE_SECONDS: settle, PAYMENT_SERVICE_TIMEOUT_MS: timeout } = values;
  const least = timeout / 1000 + TO_LEAVE;
  if (settle >= least) return [];
  const message = `${settle} s, in which a request may still arrive; expected ${least} or more: PAYMENT_SERVICE_TIMEOUT_MS and ${TO_LEAVE} s`;
  return [{ name: 'PAYMENT_SERVICE_SETTLE_SECONDS', message }];
}

/** Links by their URL's scheme, in the order of docs/configuration.md. */
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
  const unsafe: UnsafeSetting[] = [];
  const refuse = (name: VariableName, host: string, instead: string) => {
    if (isLoopback(host) || values.PLAINTEXT_ALLOWED?.includes(host) === true) return;
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
    if (url === undefined || DATABASE_CA !== undefined || isEncrypted(url)) continue;
    refuse(name, databaseHost(url), 'sslmode=verify-full, verify-ca or require');
  }
  if (TEMPORAL_ADDRESS !== undefined && !usesTls(values))
    refuse('TEMPORAL_ADDRESS', temporalHost(TEMPORAL_ADDRESS), 'TEMPORAL_TLS=true');
  return unsafe;
}

const ENCRYPTED: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);
/** Of `ssl`, by which older URLs say it. */
const TURNED_ON: ReadonlySet<string> = new Set(['true', '1']);

/** As the driver of PostgreSQL reads the URL: `sslmode` overrules `ssl`. */
function isEncrypted(url: string): boolean {
  const mode = parameterOf(url, 'sslmode');
  return mode === null ? TURNED_ON.has(parameterOf(url, 'ssl') ?? '') : ENCRYPTED.has(mode);
}

/** Whether Temporal is spoken to over TLS: an API key and a client's certificate imply it. */
export function usesTls(values: Values): boolean {
  const { TEMPORAL_TLS, TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_API_KEY } = values;
  return TEMPORAL_TLS || [TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_API_KEY].some((each) => each !== undefined);
}

/** Where a process would reach another machine for what it stands on. */
export function findExternal(values: Values): readonly { readonly name: VariableName; readonly host: string }[] {
  return STOOD_ON.flatMap(([name, read]) => {
    const value = values[name];
    const host = value === undefined ? null : read(value);
    return host === null || isLoopback(host) ? [] : [{ name, host }];
  });
}

const STOOD_ON = [
  ['DATABASE_URL', databaseHost],
  ['DATABASE_REPLICA_URL', databaseHost],
  ['TEMPORAL_ADDRESS', temporalHost],
  ['PAYMENT_SERVICE_BASE_URL', hostOf],
  ['PAYMENT_SERVICE_TOKEN_URL', hostOf],
] as const;

function temporalHost(address: string): string {
  return hostOf(`temporal://${address}`);
}

/** In lower case, however it was written. */
function schemeOf(url: string): string {
  return new URL(url).protocol;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A socket in a folder of this machine is no network. */
function databaseHost(url: string): string {
  const host = parameterOf(url, 'host') ?? hostOf(url);
  return host === '' || host.startsWith('/') ? 'localhost' : host;
}

/** Of one that is given twice the last, which is the one that counts. */
function parameterOf(url: string, name: string): string | null {
  return new URL(url).searchParams.getAll(name).at(-1) ?? null;
}

/** Whether the name or address is this machine's own. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Secrets by the text that is to be hard to guess. */
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

/** Temporal stores what workflows and activities are given: readable, and writable by whoever reaches it, unless encrypted. */
function plainPayloads({ PAYLOAD_ENCRYPTION_KEYS: keys, PAYLOAD_ENCRYPTION: encryption }: Values): UnsafeSetting[] {
  if (keys !== undefined || encryption === 'off') return [];
  return [{ name: 'PAYLOAD_ENCRYPTION', message: 'missing; expected PAYLOAD_ENCRYPTION_KEYS, or off' }];
}

/** Standard Webhooks asks for 24 bytes at least. */
const WEBHOOK_BYTES = 24;

function shortWebhookSecrets(values: Values): UnsafeSetting[] {
  const names = ['NOTICE_WEBHOOK_SECRET', 'EVENT_WEBHOOK_SECRET'] as const;
  return names.flatMap((name) => {
    const bytes = Buffer.from(values[name]?.slice('whsec_'.length) ?? '', 'base64');
    if (values[name] === undefined || (bytes.length >= WEBHOOK_BYTES && new Set(bytes).size >= VARIED)) return [];
    return [{ name, message: `a weak secret; expected whsec_ and ${WEBHOOK_BYTES} random bytes or more in base64` }];
  });
}

const ENOUGH_BITS = 128;
/** Random text of 128 bits has more different characters; a repeated pattern has fewer. */
const VARIED = 8;

/**
 * Whether it holds too few bits in the smallest alphabet with all of its characters, or too few different characters.
 */
function isWeak(secret: string): boolean {
  const alphabet = ALPHABETS.find(({ form }) => form.test(secret))?.size ?? PRINTABLE;
  return secret.length * Math.log2(alphabet) < ENOUGH_BITS || new Set(secret).size < VARIED;
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

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function openDoors({ ADMIN_HOST, ADMIN_TRUSTED_PROXIES }: Values): UnsafeSetting[] {
  if (!EVERYWHERE.has(ADMIN_HOST) || ADMIN_TRUSTED_PROXIES !== undefined) return [];
  const message =
    'the API would listen on every address without a proxy; expected one address, or ADMIN_TRUSTED_PROXIES';
  return [{ name: 'ADMIN_HOST', message }];
}

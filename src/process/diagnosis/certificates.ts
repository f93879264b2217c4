import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Clock } from '../../platform/clock';
import { type Config, needed } from '../../config';
import { DAY } from '../../domain/time';
import { withoutBrackets } from '../../webhooks';
import { isVerified, usesTls, VERIFYING_MODES } from '../../config/production-profile';
import { failed, type Finding, finding, ok, CHECK_TIMEOUT, warning } from './finding';
import { type BeforeTls, openBeforeTls } from './start-tls';

/** Days: enough time to renew a certificate by hand. */
const RENEW_BEFORE = 30;

export function diagnoseCertificates(config: Config, clock: Clock): Promise<Finding[]> {
  return Promise.all(certificatesOf(config).map((source) => diagnoseCertificate(source, clock)));
}

/** One line for each certificate in the configuration itself, with the days left; servers are not asked. */
export function describeOwnCertificates(config: Config, clock: Clock): readonly string[] {
  return pemsOf(config).map(({ name, pem }) => {
    const daysLeft = daysUntil(new X509Certificate(pem).validTo, clock.realNow());
    if (daysLeft < 0) return `warning: the certificate of ${name} expired ${-daysLeft} days ago`;
    return `${daysLeft < RENEW_BEFORE ? 'warning: ' : ''}the certificate of ${name} has ${daysLeft} days left`;
  });
}

function pemsOf(config: Config): readonly Extract<CertificateSource, { kind: 'pem' }>[] {
  return (['DATABASE_CA', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_CA'] as const).flatMap((name) => {
    const pem = config[name];
    return pem === undefined ? [] : [{ kind: 'pem', name, pem }];
  });
}

/** The certificates of the servers that dueday connects to, and its own. */
function certificatesOf(config: Config): readonly CertificateSource[] {
  const urls = [
    ['PAYMENT_SERVICE_BASE_URL', config.PAYMENT_SERVICE_BASE_URL],
    ['PAYMENT_SERVICE_TOKEN_URL', config.PAYMENT_SERVICE_TOKEN_URL],
    ['NOTICE_WEBHOOK_URL', config.NOTICE_WEBHOOK_URL],
    ['EVENT_WEBHOOK_URL', config.EVENT_WEBHOOK_URL],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', config.OTEL_EXPORTER_OTLP_ENDPOINT],
    ['DUEDAY_URL', config.DUEDAY_URL],
  ] as const;
  const servers = urls.flatMap(([name, url]): CertificateSource[] => {
    if (url === undefined) return [];
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== 'https:') return [];
    return [{ kind: 'server', name, host: withoutBrackets(hostname), port: Number(port || 443) }];
  });
  return [...servers, ...temporalServer(config), ...databases(config), ...mailServer(config), ...pemsOf(config)];
}

function temporalServer(config: Config): CertificateSource[] {
  if (!usesTls(config)) return [];
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_SERVER_NAME: serverName } = config;
  const { hostname, port } = new URL(`tls://${needed(config.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS')}`);
  return [
    { kind: 'server', name: 'TEMPORAL_ADDRESS', host: withoutBrackets(hostname), port: Number(port), serverName, ca },
  ];
}

/** Follows the TLS settings of the URL: if the driver does not verify the certificate, only its expiry is checked. */
function databases(config: Config): CertificateSource[] {
  return (['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const).flatMap((name): CertificateSource[] => {
    const url = config[name];
    if (url === undefined) return [];
    const { hostname, port, searchParams } = new URL(url);
    const mode = searchParams.getAll('sslmode').at(-1);
    const { DATABASE_CA: ca } = config;
    const isChecked = ca !== undefined || isVerified(url);
    if (hostname === '' || !(isChecked || VERIFYING_MODES.has(mode ?? ''))) return [];
    const host = withoutBrackets(hostname);
    return [{ kind: 'server', name, host, port: Number(port || 5432), ca, before: 'postgresql', isChecked }];
  });
}

function mailServer({ SMTP_URL: url }: Config): CertificateSource[] {
  if (url === undefined) return [];
  const { protocol, hostname, port, searchParams } = new URL(url);
  const server = { kind: 'server', name: 'SMTP_URL', host: withoutBrackets(hostname) } as const;
  if (protocol === 'smtps:') return [{ ...server, port: Number(port || 465) }];
  if (searchParams.get('requireTLS') !== 'true') return [];
  return [{ ...server, port: Number(port || 587), before: 'smtp' }];
}

function diagnoseCertificate(source: CertificateSource, clock: Clock): Promise<Finding> {
  const check = `certificate of ${source.name}`;
  return finding(check, 'check that the address uses TLS', async () => {
    const { daysLeft, distrust } = await readCertificate(source, clock.realNow(), CHECK_TIMEOUT);
    if (distrust !== null && (source.kind === 'pem' || source.isChecked !== false))
      return failed(check, `not trusted: ${distrust}`, 'install its certificate authority, or renew it');
    if (daysLeft < 0) return failed(check, `expired ${-daysLeft} days ago`, 'renew it now');
    if (daysLeft < RENEW_BEFORE) return warning(check, `${daysLeft} days left`, 'renew it');
    return ok(check, `${daysLeft} days left`);
  });
}

/** Where a certificate comes from, and its name in findings. */
type CertificateSource =
  | { readonly kind: 'pem'; readonly name: string; readonly pem: string }
  | {
      readonly kind: 'server';
      readonly name: string;
      readonly host: string;
      readonly port: number;
      /** The name in the certificate, if it is not the host's. */
      readonly serverName?: string | undefined;
      /** The trusted authority, in PEM; by default the system's. */
      readonly ca?: string | undefined;
      /** How TLS is requested; by default the server expects it at once. */
      readonly before?: BeforeTls;
      /** Whether the program verifies the authority; true by default. */
      readonly isChecked?: boolean;
    };

interface CertificateState {
  /** Whole days until it expires; negative once it has. */
  readonly daysLeft: number;
  /** Why it is not trusted; null if it is, or if that is not checked. */
  readonly distrust: string | null;
}

/**
 * @param now real time
 * @throws Error if it cannot be read
 */
async function readCertificate(source: CertificateSource, now: number, timeoutMs: number): Promise<CertificateState> {
  if (source.kind === 'pem')
    return { daysLeft: daysUntil(new X509Certificate(source.pem).validTo, now), distrust: null };
  const socket = await handshake(source, timeoutMs);
  try {
    const { valid_to: validTo } = socket.getPeerCertificate();
    const reason = socket.authorizationError as Error | string | undefined;
    return { daysLeft: daysUntil(validTo, now), distrust: socket.authorized ? null : String(reason ?? 'not trusted') };
  } finally {
    socket.destroy();
  }
}

async function handshake(
  { host, port, serverName = host, ca, before }: Extract<CertificateSource, { kind: 'server' }>,
  timeoutMs: number,
): Promise<TLSSocket> {
  const opened = before === undefined ? { host, port } : { socket: await openBeforeTls(before, host, port, timeoutMs) };
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...opened,
      ...(before === undefined ? { ALPNProtocols: ['h2', 'http/1.1'] } : {}),
      // Report what is wrong with the certificate instead of ending the handshake.
      rejectUnauthorized: false,
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      ...(ca === undefined ? {} : { ca }),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function daysUntil(validTo: string, now: number): number {
  return Math.floor((Date.parse(validTo) - now) / DAY);
}

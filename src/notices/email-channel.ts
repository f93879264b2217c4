import { once } from 'node:events';
import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { Clock } from '../platform/clock';
import { needsSmtpUtf8, toSmtpAddress } from '../platform/email-address';
import { renderEmail, oneLine, writeEmail } from './email-text';
import { errorCode, type PayerChannel } from './notice-result';
import { OWN_TEMPLATES, type Templates } from './templates';

export interface SmtpSettings {
  /** `smtp://…` or `smtps://…`, with credentials if the server requires them. */
  readonly url: string;
  readonly from: string;
  /** dueday's own by default. */
  readonly templates?: Templates | undefined;
}

const name = 'email';

/** Exactly one address: no second one, no name, no line break that could inject a header. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u;

/** @param timeoutMs time-out of each step */
export function createSmtpTransport(url: string, timeoutMs: number) {
  return createTransport(transportOptions(url, timeoutMs));
}

function transportOptions(url: string, timeoutMs: number) {
  return {
    url,
    // A password is never sent over an unencrypted connection.
    requireTLS: hasCredentials(url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Asks the server on a separate connection whether it offers SMTPUTF8 (RFC 6531): nodemailer would send to an address that
 * needs it, whether or not the server offers it.
 */
async function offersSmtpUtf8(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  let offered = false;
  const ignore = () => undefined;
  const debug = (_entry: unknown, message: unknown) => {
    offered ||= /^250[ -]SMTPUTF8\b/im.test(String(message));
  };
  const logger = { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
  const options = { ...parseConnectionUrl(url), ...transportOptions(url, timeoutMs), debug: true, logger };
  const connection = new SmtpConnection(options);
  try {
    const greeted = once(connection, 'connect', { signal });
    connection.connect();
    await greeted;
    return offered;
  } finally {
    // Ignores later errors of the connection: the result is already known.
    connection.on('error', ignore).close();
  }
}

/** The address cannot be written in ASCII, and the server accepts no other. */
class AddressNotSupported extends Error {}

/** E-mail to payers. A notice that the mail server accepts counts as delivered. */
export function createEmailChannel(settings: SmtpSettings, clock: Clock, timeoutMs: number): PayerChannel {
  const { templates = OWN_TEMPLATES } = settings;
  const transport = createSmtpTransport(settings.url, timeoutMs);
  return {
    name,
    lacks: ({ email }) => (ADDRESS.test(email ?? '') ? null : 'e-mail address'),
    send: async ({ id, body }) => {
      const { name: payer, email } = body.data.payer;
      const address = toSmtpAddress(email ?? '');
      // nodemailer's own time-outs restart with each byte; this one covers the whole delivery.
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const isOffered = !needsSmtpUtf8(address) || (await offersSmtpUtf8(settings.url, timeoutMs, signal));
        if (!isOffered) throw new AddressNotSupported();
        const info = await transport.sendMail({
          from: settings.from,
          to: { name: oneLine(payer ?? ''), address },
          ...renderEmail(writeEmail(body, templates)),
          // The same for repeated deliveries, so that mailboxes can recognize a second copy.
          messageId: `<${id}@${domainOf(settings.from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
        const smtpResponse = withoutAddress(info.response, address);
        return { kind: 'delivered', channel: name, evidence: { smtpResponse }, at: clock.realNow() };
      } catch (error) {
        return { kind: 'failed', channel: name, reason: reasonOf(error) };
      }
    },
    close: () => Promise.resolve(),
  };
}

function hasCredentials(url: string): boolean {
  return new URL(url).username !== '';
}

/** Mail servers like to repeat the address, which is personal data. */
function withoutAddress(response: string, address: string): string {
  const parts = response.toLowerCase().split(address.toLowerCase());
  return (parts.length === 1 ? response : parts.join('[masked]')).slice(0, 200);
}

function reasonOf(error: unknown): string {
  if (error instanceof AddressNotSupported)
    return 'e-mail not sent: the address has letters beyond ASCII before the @, and the mail server does not offer SMTPUTF8';
  return `e-mail not accepted: ${smtpCode(error)}`;
}

/** `EENVELOPE 550`: the server's text is left out, as it contains the address. */
function smtpCode(error: unknown): string {
  const status =
    typeof error === 'object' && error !== null && 'responseCode' in error ? error.responseCode : undefined;
  return typeof status === 'number' ? `${errorCode(error)} ${status}` : errorCode(error);
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';
}

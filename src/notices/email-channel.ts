import { createTransport } from 'nodemailer';
import type { Clock } from '../platform/clock';
import { layOut, oneLine, writeEmail } from './email-text';
import { errorCode, type PayerChannel } from './notice-result';
import { OWN_TEMPLATES, type Templates } from './templates';

export interface SmtpSettings {
  /** `smtp://…` or `smtps://…`, with credentials where the server wants them. */
  readonly url: string;
  readonly from: string;
  /** Ours where none are given. */
  readonly templates?: Templates | undefined;
}

const name = 'email';

/** One address and nothing else: no second one, no name, no line end to smuggle a header in. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]{1,255}$/u;

/** @param timeoutMs that each step may take */
export function createSmtpTransport(url: string, timeoutMs: number) {
  return createTransport({
    url,
    // A password never goes over a connection that is not encrypted.
    requireTLS: hasCredentials(url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Accepted by the server counts as delivered. */
export function createEmailChannel(settings: SmtpSettings, clock: Clock, timeoutMs: number): PayerChannel {
  const { templates = OWN_TEMPLATES } = settings;
  const transport = createSmtpTransport(settings.url, timeoutMs);
  return {
    name,
    lacks: ({ email }) => (ADDRESS.test(email ?? '') ? null : 'e-mail address'),
    send: async ({ id, body }) => {
      const { name: payer, email } = body.data.payer;
      const address = email ?? '';
      try {
        const info = await transport.sendMail({
          from: settings.from,
          to: { name: oneLine(payer ?? ''), address },
          ...layOut(writeEmail(body, templates)),
          // The same over repeated deliveries, so that mailboxes can recognise a second copy.
          messageId: `<${id}@${domainOf(settings.from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          // nodemailer's own time-outs start anew with each byte; this one spans the whole delivery.
          signal: AbortSignal.timeout(timeoutMs),
        });
        const smtpResponse = withoutAddress(info.response, address);
        return { kind: 'delivered', channel: name, evidence: { smtpResponse }, at: clock.realNow() };
      } catch (error) {
        return { kind: 'failed', channel: name, reason: `e-mail not accepted: ${smtpCode(error)}` };
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

/** `EENVELOPE 550`: the server's words are left out, as they name the address. */
function smtpCode(error: unknown): string {
  const status =
    typeof error === 'object' && error !== null && 'responseCode' in error ? error.responseCode : undefined;
  return typeof status === 'number' ? `${errorCode(error)} ${status}` : errorCode(error);
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';
}

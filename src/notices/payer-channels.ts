import type { Clock } from '../platform/clock';
import { createEmailChannel, type SmtpSettings } from './email-channel';
import type { PayerChannel } from './notice-result';
import type { Templates } from './templates';
import { createWebhookChannel, type WebhookSettings } from './webhook-channel';

/** What opens each channel; one without settings is not there. */
export interface PayerChannelSettings {
  /** The merchant's own messenger. */
  readonly payerWebhook?: WebhookSettings | undefined;
  readonly smtp?: SmtpSettings | undefined;
}

/** The variables of the configuration that make the settings. */
type Variables = Readonly<
  Partial<Record<'NOTICE_WEBHOOK_URL' | 'NOTICE_WEBHOOK_SECRET' | 'SMTP_URL' | 'NOTICE_FROM', string>>
>;

/** @param templates the words of e-mails; ours where none are given */
export function payerChannelSettings(variables: Variables, templates?: Templates): PayerChannelSettings {
  const { NOTICE_WEBHOOK_URL: url, NOTICE_WEBHOOK_SECRET: secret, SMTP_URL: server, NOTICE_FROM: from } = variables;
  return {
    payerWebhook: url === undefined || secret === undefined ? undefined : { url, secret },
    smtp: server === undefined || from === undefined ? undefined : { url: server, from, templates },
  };
}

type Open = (settings: PayerChannelSettings, clock: Clock, timeoutMs: number) => PayerChannel | null;

/** Every way to a payer there may be; null where it has no settings. */
const CHANNELS: readonly Open[] = [
  ({ payerWebhook }, ...how) =>
    payerWebhook === undefined ? null : { ...createWebhookChannel(payerWebhook, ...how), lacks: () => null },
  ({ smtp }, ...how) => (smtp === undefined ? null : createEmailChannel(smtp, ...how)),
];

/**
 * @param timeoutMs real ms for one delivery as a whole
 * @throws Error where a webhook's secret or URL is none.
 */
export function openPayerChannels(settings: PayerChannelSettings, clock: Clock, timeoutMs: number): PayerChannel[] {
  return CHANNELS.map((open) => open(settings, clock, timeoutMs)).filter((channel) => channel !== null);
}

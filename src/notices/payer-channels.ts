import type { Clock } from '../platform/clock';
import { createEmailChannel, type SmtpSettings } from './email-channel';
import type { PayerChannel } from './notice-result';
import type { Templates } from './templates';
import { createWebhookChannel, type WebhookSettings } from './webhook-channel';

/** The settings of each channel; a channel without settings is not used. */
export interface PayerChannelSettings {
  /** The merchant's own message system. */
  readonly payerWebhook?: WebhookSettings | undefined;
  readonly smtp?: SmtpSettings | undefined;
}

/** The configuration variables with these settings. */
type Variables = Readonly<
  Partial<Record<'NOTICE_WEBHOOK_URL' | 'NOTICE_WEBHOOK_SECRET' | 'SMTP_URL' | 'NOTICE_FROM', string>>
>;

/** @param templates the texts of e-mails; dueday's own by default */
export function payerChannelSettings(variables: Variables, templates?: Templates): PayerChannelSettings {
  const { NOTICE_WEBHOOK_URL: url, NOTICE_WEBHOOK_SECRET: secret, SMTP_URL: server, NOTICE_FROM: from } = variables;
  return {
    payerWebhook: url === undefined || secret === undefined ? undefined : { url, secret },
    smtp: server === undefined || from === undefined ? undefined : { url: server, from, templates },
  };
}

type Open = (settings: PayerChannelSettings, clock: Clock, timeoutMs: number) => PayerChannel | null;

/** Opens each possible channel to payers; null if the channel has no settings. */
const CHANNELS: readonly Open[] = [
  ({ payerWebhook }, ...how) =>
    payerWebhook === undefined ? null : { ...createWebhookChannel(payerWebhook, ...how), lacks: () => null },
  ({ smtp }, ...how) => (smtp === undefined ? null : createEmailChannel(smtp, ...how)),
];

/**
 * Opens the channels that have settings.
 * @param timeoutMs real ms for one whole delivery
 * @throws Error if a webhook's secret or URL is invalid
 */
export function openPayerChannels(settings: PayerChannelSettings, clock: Clock, timeoutMs: number): PayerChannel[] {
  return CHANNELS.map((open) => open(settings, clock, timeoutMs)).filter((channel) => channel !== null);
}

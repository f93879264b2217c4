import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/log';
import { isForPayer, type Notice, type PayerNoticeBody } from './notice-body';
import { type Channel, combine, type NoticeResult, type PayerChannel } from './notice-result';
import { openPayerChannels, type PayerChannelSettings } from './payer-channels';
import { createWebhookChannel, type WebhookSettings } from './webhook-channel';

export interface NotifierOptions extends PayerChannelSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The webhook of the merchant. */
  readonly eventWebhook?: WebhookSettings | undefined;
  /** Real milliseconds for one whole delivery; defaults to 15000. */
  readonly timeoutMs?: number | undefined;
}

export interface Notifier {
  /**
   * Tries once on every channel except those that are `gone`, which refuse further notices. Retrying is the caller's
   * responsibility, see `noticeBackoff`.
   */
  deliver(notice: Notice, gone?: readonly string[]): Promise<NoticeResult>;
  close(): Promise<void>;
}

/** @throws Error if a webhook's secret or URL is invalid */
export function createNotifier(options: NotifierOptions): Notifier {
  const { clock, logger, eventWebhook, timeoutMs = 15_000 } = options;
  const toPayer = openPayerChannels(options, clock, timeoutMs);
  const toMerchant = eventWebhook === undefined ? null : createWebhookChannel(eventWebhook, clock, timeoutMs);
  return {
    deliver: async (notice, gone = []) => {
      const { body } = notice;
      const result = isForPayer(body)
        ? await notifyPayer({ ...notice, body }, toPayer, gone)
        : await notifyMerchant(notice, toMerchant);
      report(logger, notice, result);
      return result;
    },
    close: async () => {
      await Promise.all([...toPayer.map((channel) => channel.close()), toMerchant?.close()]);
    },
  };
}

async function notifyPayer(
  notice: Notice<PayerNoticeBody>,
  channels: readonly PayerChannel[],
  gone: readonly string[],
): Promise<NoticeResult> {
  const { payer } = notice.body.data;
  const lacking = channels.map((channel) => channel.lacks(payer));
  const open = channels.filter(({ name }, index) => lacking[index] === null && !gone.includes(name));
  if (open.length > 0) return combine(await Promise.all(open.map((channel) => channel.send(notice))));
  if (gone.length > 0) return { kind: 'gone', reason: `no channel to the payer is left: ${gone.join(' and ')} gone` };
  if (channels.length === 0) return { kind: 'no_channel', reason: 'no channel to payers is configured' };
  return { kind: 'no_channel', reason: `the payer has no ${lacking.join(' and no ')}` };
}

async function notifyMerchant(notice: Notice, webhook: Channel | null): Promise<NoticeResult> {
  return webhook === null ? { kind: 'audit_only' } : combine([await webhook.send(notice)]);
}

/** Ids, types, outcomes and reasons only: a payer's name and address never reach the log (rules 28 and 29). */
function report(logger: Logger, notice: Notice, result: NoticeResult): void {
  const line = { noticeId: notice.id, type: notice.body.type, outcome: result.kind };
  if (result.kind === 'failed' || result.kind === 'gone') logger.warn({ ...line, reason: result.reason }, 'notice');
  else logger.debug(line, 'notice');
}

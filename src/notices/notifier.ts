import type { Clock } from '../clock';
import type { Logger } from '../log';
import { createEmailChannel, type EmailChannel, isAddress, type SmtpSettings } from './email-channel';
import { isForPayer, type NoticeBody, type PayerNoticeBody } from './notice-body';
import { type ChannelResult, combine, type NoticeResult } from './notice-result';
import { createWebhookChannel, type WebhookChannel, type WebhookSettings } from './webhook-channel';

export interface NotifierOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** To payers, by the merchant's own messenger. */
  readonly payerWebhook?: WebhookSettings | undefined;
  /** To payers, by e-mail. */
  readonly smtp?: SmtpSettings | undefined;
  /** To the merchant. */
  readonly eventWebhook?: WebhookSettings | undefined;
  /** Real milliseconds for one delivery as a whole; 15000 where none is given. */
  readonly timeoutMs?: number | undefined;
}

export interface Notice {
  /** `webhook-id`: the same over repeated deliveries. Visible ASCII. */
  readonly id: string;
  /** Business time as ISO text, of what the notice tells. */
  readonly timestamp: string;
  readonly body: NoticeBody;
}

export interface Notifier {
  /** Tries once on every channel there is. Repeating it is the caller's part, see `noticeBackoff`. */
  deliver(notice: Notice): Promise<NoticeResult>;
  close(): Promise<void>;
}

/** @throws Error where a webhook's secret or URL is none. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { clock, logger, timeoutMs = 15_000 } = options;
  const toWebhook = (settings: WebhookSettings | undefined): WebhookChannel | null =>
    settings === undefined ? null : createWebhookChannel(settings, clock, timeoutMs);
  const payerWebhook = toWebhook(options.payerWebhook);
  const eventWebhook = toWebhook(options.eventWebhook);
  const email = options.smtp === undefined ? null : createEmailChannel(options.smtp, clock, timeoutMs);
  return {
    deliver: async (notice) => {
      const { body } = notice;
      const result = isForPayer(body)
        ? await tellPayer(notice, body, payerWebhook, email)
        : await tellMerchant(notice, eventWebhook);
      report(logger, notice, result);
      return result;
    },
    close: async () => {
      await Promise.all([payerWebhook?.close(), eventWebhook?.close()]);
    },
  };
}

async function tellPayer(
  notice: Notice,
  body: PayerNoticeBody,
  webhook: WebhookChannel | null,
  email: EmailChannel | null,
): Promise<NoticeResult> {
  const address = body.data.payer.email;
  const tries: Promise<ChannelResult>[] = [];
  if (webhook !== null) tries.push(webhook.post(notice.id, payloadOf(notice)));
  if (email !== null && isAddress(address)) tries.push(email.send(notice.id, address, body));
  if (tries.length > 0) return combine(await Promise.all(tries));
  const reason = email === null ? 'no channel to payers is configured' : 'the payer has no e-mail address';
  return { kind: 'no_channel', reason };
}

async function tellMerchant(notice: Notice, webhook: WebhookChannel | null): Promise<NoticeResult> {
  if (webhook === null) return { kind: 'trail_only' };
  return combine([await webhook.post(notice.id, payloadOf(notice))]);
}

function payloadOf({ timestamp, body }: Notice): string {
  const { payer, ...data } = body.data;
  const { name, email, reference } = payer;
  const known = { name, ...(email == null ? {} : { email }), ...(reference == null ? {} : { reference }) };
  return JSON.stringify({ type: body.type, timestamp, data: { ...data, payer: known } });
}

/** Ids, types and outcomes only: a payer's name and address never reach the log (rules 28 and 29). */
function report(logger: Logger, notice: Notice, result: NoticeResult): void {
  const line = { noticeId: notice.id, type: notice.body.type, outcome: result.kind };
  if (result.kind === 'failed' || result.kind === 'gone') logger.warn({ ...line, reason: result.reason }, 'notice');
  else logger.debug(line, 'notice');
}

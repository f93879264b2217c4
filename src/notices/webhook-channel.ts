import type { Clock } from '../platform/clock';
import { ANY_ADDRESS, createWebhookSender, requireSecret } from '../webhooks';
import { payloadOf } from './notice-body';
import type { Channel, ChannelResult } from './notice-result';

export interface WebhookSettings {
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
}

const name = 'webhook';

/**
 * A webhook that receives notices, signed according to Standard Webhooks 1.0 with the real time.
 * @throws Error if the secret is invalid; the message does not contain it
 */
export function createWebhookChannel({ url, secret }: WebhookSettings, clock: Clock, timeoutMs: number): Channel {
  requireSecret(secret);
  const sender = createWebhookSender(ANY_ADDRESS, clock, timeoutMs);
  return {
    name,
    send: async (notice) => {
      const post = { url, secrets: [secret], id: notice.id, body: payloadOf(notice), isOwn: true };
      const { status, error } = await sender.post(post);
      if (status !== null) return judge(status, clock.realNow());
      return { kind: 'failed', channel: name, reason: `webhook not delivered: ${error ?? 'no code'}` };
    },
    close: () => sender.close(),
  };
}

function judge(status: number, at: number): ChannelResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', channel: name, evidence: { httpStatus: status }, at };
  if (status === 410)
    return { kind: 'gone', channel: name, reason: 'the webhook answered 410: it wants no more notices' };
  const redirect = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return { kind: 'failed', channel: name, reason: `the webhook answered ${status}${redirect}` };
}

import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { Clock } from '../clock';
import { SECOND } from '../domain/time';
import { addressesOf, lookupBy } from '../lookup';
import { payloadOf } from './notice-body';
import { type Channel, type ChannelResult, errorCode } from './notice-result';

export interface WebhookSettings {
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
}

const name = 'webhook';

/** To one receiver. One more would wait for a connection, and its time-out runs meanwhile. */
export const MOST_POSTS_AT_ONCE = 50;

/** Signs and posts by Standard Webhooks 1.0, under real time. @throws Error where the secret is none, without naming it. */
export function createWebhookChannel(settings: WebhookSettings, clock: Clock, timeoutMs: number): Channel {
  const signer = createSigner(settings.secret);
  const connect = { timeout: timeoutMs, lookup: lookupBy(addressesOf) };
  // A connection for each delivery: a kept one that the receiver is closing would only cost a back-off.
  const agent = new Agent({ pipelining: 0, connections: MOST_POSTS_AT_ONCE, connect });
  return {
    name,
    send: async (notice) => {
      const { id } = notice;
      const payload = payloadOf(notice);
      const at = clock.realNow();
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / SECOND)),
        'webhook-signature': signer.sign(id, new Date(at), payload),
      };
      try {
        const status = await postOnce(agent, settings.url, headers, payload, timeoutMs);
        return judge(status, clock.realNow());
      } catch (error) {
        return { kind: 'failed', channel: name, reason: `webhook not delivered: ${errorCode(error)}` };
      }
    },
    close: () => agent.close(),
  };
}

function createSigner(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Error('a webhook secret is whsec_ and base64');
  }
}

/** The status alone counts; the body is not read. The time-out spans connection and answer. */
async function postOnce(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
  answer.body.on('error', () => undefined).destroy();
  return answer.statusCode;
}

function judge(status: number, at: number): ChannelResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', channel: name, evidence: { httpStatus: status }, at };
  if (status === 410)
    return { kind: 'gone', channel: name, reason: 'the webhook answered 410: it wants no more notices' };
  const redirect = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return { kind: 'failed', channel: name, reason: `the webhook answered ${status}${redirect}` };
}

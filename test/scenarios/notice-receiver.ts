import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../src/platform/clock';
import { randomBytes } from 'node:crypto';

/** One delivery as the merchant's own messenger saw it. */
export interface Delivery {
  readonly webhookId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly subscriptionId: string;
    readonly payer: { readonly name: string; readonly email?: string };
  };
  /** Business time of its arrival. */
  readonly at: number;
  readonly accepted: boolean;
}

/** The merchant's messenger: accepts notices with a valid signature, unless it is out of order for a subscription. */
export interface NoticeReceiver {
  readonly url: string;
  readonly secret: string;
  readonly deliveries: Delivery[];
  /** Requests that the standard verifier refused. */
  readonly forged: string[];
  /** Answers 503 to notices about the subscription until business time has reached the instant. */
  outOfOrder(subscriptionId: string, until: number): void;
  /** Accepted notices about the subscription, in order. */
  told(subscriptionId: string, type: string): Delivery[];
  close(): Promise<void>;
}

export async function startNoticeReceiver(clock: Clock): Promise<NoticeReceiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = new Webhook(secret);
  const deliveries: Delivery[] = [];
  const forged: string[] = [];
  const outages = new Map<string, number>();
  const receive = (body: string, headers: IncomingMessage['headers']): number => {
    const notice = verified(webhook, body, headers);
    if (notice === null) {
      forged.push(body);
      return 400;
    }
    const at = clock.now();
    const accepted = at >= (outages.get(notice.data.subscriptionId) ?? 0);
    deliveries.push({ ...notice, webhookId: String(headers['webhook-id']), at, accepted });
    return accepted ? 204 : 503;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(receive(Buffer.concat(chunks).toString(), request.headers)).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    secret,
    deliveries,
    forged,
    outOfOrder: (subscriptionId, until) => void outages.set(subscriptionId, until),
    told: (subscriptionId, type) =>
      deliveries.filter((each) => each.accepted && each.type === type && each.data.subscriptionId === subscriptionId),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function verified(
  webhook: Webhook,
  body: string,
  headers: IncomingMessage['headers'],
): Pick<Delivery, 'type' | 'data'> | null {
  try {
    return webhook.verify(body, headers as Record<string, string>) as Pick<Delivery, 'type' | 'data'>;
  } catch {
    return null;
  }
}

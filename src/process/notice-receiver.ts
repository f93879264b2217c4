import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type Logger, loggable } from '../platform/log';

/** A notice as the merchant's messenger receives it, its signature checked. */
export interface ReceivedNotice {
  readonly type: string;
  readonly timestamp: string;
  /** A one-time payment has no subscription. */
  readonly data: Readonly<Record<string, unknown>> & {
    readonly subscriptionId: string | null;
    readonly paymentId: string | null;
  };
}

export type Messenger = Awaited<ReturnType<typeof startMessenger>>;

const notice = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.looseObject({ subscriptionId: z.string().nullable(), paymentId: z.string().nullable() }),
});

/**
 * Stands in for the merchant's own messenger, which would contact the payer.
 * @param secret with which notices are signed; a random one by default
 */
export async function startMessenger(
  log: Logger,
  onNotice: (notice: ReceivedNotice) => void,
  secret = `whsec_${randomBytes(32).toString('base64')}`,
) {
  const webhook = new Webhook(secret);
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/notices', async (request, reply) => {
    try {
      onNotice(notice.parse(webhook.verify(String(request.body), request.headers as Record<string, string>)));
      return await reply.code(204).send();
    } catch (error) {
      log.warn({ err: loggable(error) }, 'the messenger refused a notice');
      return reply.code(400).send();
    }
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/notices`, secret, stop: () => app.close() };
}

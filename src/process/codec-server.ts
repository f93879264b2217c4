import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type PayloadCodec, ValueError } from '@temporalio/common';
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sameKey } from '../admin/access/secret';
import { type Logger, loggable } from '../platform/log';
import { payloadFromJson, payloadToJson } from '../platform/payload-encryption';

export interface CodecServerOptions {
  /** Decodes what workers and clients have encrypted. */
  readonly codec: PayloadCodec;
  /** A caller who has it may read everything that Temporal stores of dueday. */
  readonly key: string;
  /** Where Temporal's Web UI is, such as `https://temporal.internal`: pages of these origins alone may ask from a browser. */
  readonly origins: readonly string[];
  readonly log: Logger;
}

/** Where every process says that it lives. */
const HEALTH = '/healthz';

/** A page of a history of many cycles. */
const BODY_LIMIT = 20 * 1024 * 1024;

/** Bytes are Base64, as in protobuf's JSON. */
const Bytes = z.base64();
const Body = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), Bytes).default({}), data: Bytes.default('') })),
});

/**
 * Temporal's remote codec, for reading alone: `POST /decode` opens the payloads that Temporal's Web UI and command line
 * hold, for who has the key, as a bearer token or as the password of HTTP Basic. A browser asks for it at `GET /` and then
 * sends it by itself; `GET /healthz` alone answers without it. Nothing is encoded, as nothing is to be written by hand.
 * Temporal does not say whose payload it asks for: that one was changed is found, that it was copied from another workflow
 * only by the worker.
 */
export async function createCodecServer({ codec, key, origins, log }: CodecServerOptions): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: BODY_LIMIT });
  // Before the key is asked for, so that a page may read why it was refused.
  await app.register(helmet, { strictTransportSecurity: false });
  await app.register(cors, { origin: [...origins], credentials: true, methods: ['POST'] });
  app.addHook('onRequest', async (request, reply) => {
    const isOpen = request.method === 'OPTIONS' || request.routeOptions.url === HEALTH;
    if (isOpen || isAllowed(request.headers.authorization, key)) return;
    await reply
      .code(401)
      .header('www-authenticate', 'Basic realm="dueday codec server", charset="UTF-8"')
      .send({ message: 'the key of the codec server is needed: as a bearer token, or as the password of HTTP Basic' });
  });
  app.get(HEALTH, () => ({ status: 'ok' }));
  app.get('/', async (_request, reply) => reply.type('text/plain').send("Temporal's Web UI may now read.\n"));
  app.post('/decode', async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
    try {
      const opened = await codec.decode(body.data.payloads.map(payloadFromJson));
      return { payloads: opened.map(payloadToJson) };
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      log.warn({ err: loggable(error) }, 'a payload could not be opened');
      return reply.code(422).send({ message: error.message });
    }
  });
  return app;
}

function isAllowed(authorization: string | undefined, key: string): boolean {
  const [, scheme = '', given = ''] = /^(\w+) +(\S+)$/.exec(authorization ?? '') ?? [];
  if (/^bearer$/i.test(scheme)) return sameKey(given, key);
  if (!/^basic$/i.test(scheme)) return false;
  const [, ...password] = Buffer.from(given, 'base64').toString().split(':');
  return sameKey(password.join(':'), key);
}

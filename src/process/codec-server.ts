import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type PayloadCodec, ValueError } from '@temporalio/common';
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sameKey } from '../admin/access/secret';
import { type Logger, loggable } from '../platform/log';
import { payloadFromJson, payloadToJson } from '../platform/payload-encryption';

export interface CodecServerOptions {
  /** Decrypts what workers and clients have encrypted. */
  readonly codec: PayloadCodec;
  /** A caller with this key can read everything that Temporal stores for dueday. */
  readonly key: string;
  /** Origins of Temporal's Web UI, such as `https://temporal.internal`: only their pages may call from a browser. */
  readonly origins: readonly string[];
  readonly log: Logger;
}

/** The liveness path of every process. */
const HEALTH = '/healthz';

/** Large enough for a page of a history with many cycles. */
const BODY_LIMIT = 20 * 1024 * 1024;

/** Bytes are encoded in Base64, as in protobuf's JSON. */
const Bytes = z.base64();
const Body = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), Bytes).default({}), data: Bytes.default('') })),
});

/**
 * Temporal's remote codec, for reading only: `POST /decode` decrypts payloads for Temporal's Web UI and command line. The
 * caller sends the key as a bearer token or as the password of HTTP Basic. A browser prompts for it at `GET /` and then sends it
 * automatically; only `GET /healthz` answers without it. There is no `/encode`, as nothing should be written by hand. Temporal does
 * not say which workflow a payload belongs to: tampering is detected here, a copy from another workflow only by the worker.
 */
export async function createCodecServer({ codec, key, origins, log }: CodecServerOptions): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: BODY_LIMIT });
  // Registered before the key check, so that a page can read why it was refused.
  await app.register(helmet, { strictTransportSecurity: false });
  await app.register(cors, { origin: [...origins], credentials: true, methods: ['POST'] });
  app.addHook('onRequest', async (request, reply) => {
    const isOpen = request.method === 'OPTIONS' || request.routeOptions.url === HEALTH;
    if (isOpen || isAllowed(request.headers.authorization, key)) return;
    await reply
      .code(401)
      .header('www-authenticate', 'Basic realm="dueday codec server", charset="UTF-8"')
      .send({ message: 'the key of the codec server is required, as a bearer token or as the password of HTTP Basic' });
  });
  app.get(HEALTH, () => ({ status: 'ok' }));
  app.get('/', async (_request, reply) =>
    reply.type('text/plain').send("Temporal's Web UI can now decrypt payloads.\n"),
  );
  app.post('/decode', async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
    try {
      const opened = await codec.decode(body.data.payloads.map(payloadFromJson));
      return { payloads: opened.map(payloadToJson) };
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      log.warn({ err: loggable(error) }, 'a payload could not be decrypted');
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

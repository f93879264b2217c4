import { createHash, timingSafeEqual } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common';
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Logger } from '../log';

export interface CodecServerOptions {
  /** Decodes what workers and clients have encrypted. */
  readonly codec: PayloadCodec;
  /** Whoever has it may read everything that Temporal stores of dueday. */
  readonly key: string;
  /** Where Temporal's Web UI is, such as `https://temporal.internal`: pages of these origins alone may ask from a browser. */
  readonly origins: readonly string[];
  readonly log: Logger;
}

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
 * sends it by itself. Nothing is encoded, as nothing is to be written by hand. Temporal does not say whose payload it
 * asks for: that one was changed is found, that it was copied from another workflow only by the worker.
 */
export async function createCodecServer({ codec, key, origins, log }: CodecServerOptions): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: BODY_LIMIT });
  // Before the key is asked for, so that a page may read why it was refused.
  await app.register(helmet, { strictTransportSecurity: false });
  await app.register(cors, { origin: [...origins], credentials: true, methods: ['POST'] });
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' || isAllowed(request.headers.authorization, key)) return;
    await reply
      .code(401)
      .header('www-authenticate', 'Basic realm="dueday codec server", charset="UTF-8"')
      .send({ message: 'the key of the codec server is needed: as a bearer token, or as the password of HTTP Basic' });
  });
  app.get('/', async (_request, reply) => reply.type('text/plain').send("Temporal's Web UI may now read.\n"));
  app.post('/decode', async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
    try {
      const opened = await codec.decode(body.data.payloads.map(fromJson));
      return { payloads: opened.map(toJson) };
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      log.warn({ err: error }, 'a payload could not be opened');
      return reply.code(422).send({ message: error.message });
    }
  });
  return app;
}

function isAllowed(authorization: string | undefined, key: string): boolean {
  const [, scheme = '', given = ''] = /^(\w+) +(\S+)$/.exec(authorization ?? '') ?? [];
  if (/^bearer$/i.test(scheme)) return isSame(given, key);
  if (!/^basic$/i.test(scheme)) return false;
  const [, ...password] = Buffer.from(given, 'base64').toString().split(':');
  return isSame(password.join(':'), key);
}

/** In constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

type PayloadJson = z.output<typeof Body>['payloads'][number];

function fromJson({ metadata, data }: PayloadJson): Payload {
  const fields = Object.entries(metadata).map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')] as const);
  return { metadata: Object.fromEntries(fields), data: Buffer.from(data, 'base64') };
}

function toJson({ metadata, data }: Payload): PayloadJson {
  const fields = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  return {
    metadata: Object.fromEntries(fields) as Record<string, string>,
    data: Buffer.from(data ?? []).toString('base64'),
  };
}

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { callerOf } from './caller';
import { Problem } from './problems';

/** Headers that keep browsers from guessing, framing and loading from elsewhere. TLS, and HSTS with it, is the proxy's. */
export async function sendProtectiveHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: true,
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      directives: {
        'default-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'upgrade-insecure-requests': null,
      },
    },
  });
}

/** By its id a caller and the log speak of the same request. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
}

/** Bytes below which compressing an answer costs more than it saves. */
const COMPRESSED_FROM = 1_024;

/** Answers are compressed as the caller accepts it; the stream of events and answers to imports are not. Register before the routes. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: COMPRESSED_FROM,
    encodings: ['br', 'gzip'],
    // A body that arrives compressed is refused: its size would be known too late.
    globalDecompression: false,
  });
}

/** What is read again and has not changed is answered 304: each readable answer has a tag of its content. */
export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    // Weak: the same answer may leave compressed.
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', tag);
    if (!isKnown(request.headers['if-none-match'], tag)) return payload;
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  });
}

/** @param known tags that the caller has, or `*` */
function isKnown(known: string | undefined, tag: string): boolean {
  const tags = (known ?? '').split(',').map((each) => each.trim());
  return tags.some((each) => each === '*' || each.replace(/^W\//, '') === tag.slice(2));
}

/** What the API answers is for the caller that asked, at that moment. */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/**
 * Of a server that closes, each answer is its connection's last. A caller would else keep the connection, and the server
 * would not have closed before the caller let go of it: Fastify says so only of requests that came after. Of an answer that
 * had begun, a stream, the connection is closed once it has ended.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let closes = false;
  app.addHook('preClose', async () => {
    closes = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closes) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    if (closes) app.server.closeIdleConnections();
  });
}

/**
 * A body that is not there in time is answered with 408, and its connection closed; routes that read a stream limit its
 * pauses themselves. Node's own time limit of a whole request would cut off an import that is under way for minutes.
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.routeOptions.config.streamed === true || !hasBody(request.headers)) return payload;
    const late = setTimeout(() => {
      if (!reply.sent) void reply.header('connection', 'close').send(bodyIsLate(timeoutMs));
    }, timeoutMs);
    const stop = () => clearTimeout(late);
    payload.once('end', stop).once('close', stop);
    return payload;
  });
}

export function bodyIsLate(timeoutMs: number): Problem {
  return new Problem('request_timeout', `No more of the body came within ${timeoutMs / 1000} seconds.`);
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body as a stream, for as long as it goes on. */
    streamed?: boolean;
  }
}

/**
 * Refuses work with 503 while the process is too busy to do it in time.
 * @param delayMs that the event loop may take. It is looked at as often: a look that finds no turn since the one before counts
 *   as a delay without end, and would be one of a second.
 */
export async function refuseUnderPressure(app: FastifyInstance, delayMs: number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: delayMs,
    exposeStatusRoute: false,
  });
}

/** After authentication: counts by key, so that one caller's storm is not another's. */
export async function limitRequests(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    hook: 'preParsing',
    keyGenerator: (request) => callerOf(request).firstKeyId,
    // A job keeps a pace of its own, and its calls count as the one that has ordered it.
    allowList: (request) => callerOf(request).jobId !== undefined,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Problem('rate_limited', `Too many requests with this key. Try again in ${seconds} seconds.`);
    },
  });
}

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { callerOf } from './caller';
import { Problem } from './problems';

/**
 * Headers against content sniffing, framing and loading from other hosts. The proxy is responsible for TLS, and thus
 * for HSTS.
 */
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

/**
 * The policy of pages that the program serves: nothing from other hosts, no inline scripts or styles unless `more` permits them, and
 * no framing.
 * @param more directives of one site, in addition to these
 */
export function policyOfPages(more: readonly string[] = []): string {
  return [
    "default-src 'self'",
    ...more,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

/** Adds the request's id, under which the log has the request, to every response. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
}

/** Below this number of bytes, compressing a response costs more than it saves. */
const COMPRESSED_FROM = 1_024;

/**
 * Compresses responses if the caller accepts it. The plugin leaves out event streams and NDJSON, such as the responses to imports.
 * Register before the routes.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: COMPRESSED_FROM,
    encodings: ['br', 'gzip'],
    // Compressed request bodies are rejected, because their size would be known too late.
    globalDecompression: false,
  });
}

/** Adds an ETag of the content to responses of reads, and answers 304 if the caller already has it. */
export function tagAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    // Weak, because the same response may also be sent compressed.
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

/** Responses are only for this caller and this moment. */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/**
 * While the server closes, each response is the last on its connection. Otherwise callers would keep their connections, and
 * the server could not finish closing: Fastify sends `connection: close` only for requests that arrive afterwards. If a
 * response had already started, such as a stream, its connection is closed when it ends.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    if (isClosing) app.server.closeIdleConnections();
  });
}

/**
 * Answers 408 and closes the connection if a body does not arrive in time; routes that read a stream limit its pauses
 * themselves. Node's own time-out for a whole request would cut off an import that runs for minutes.
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.routeOptions.config.streamed === true || !hasBody(request.headers)) return payload;
    const late = setTimeout(() => {
      if (!reply.sent) void reply.header('connection', 'close').send(bodyTimedOut(timeoutMs));
    }, timeoutMs);
    const stop = () => clearTimeout(late);
    payload.once('end', stop).once('close', stop);
    return payload;
  });
}

export function bodyTimedOut(timeoutMs: number): Problem {
  return new Problem('request_timeout', `The body was not received within ${timeoutMs / 1000} seconds.`);
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body as a stream of any duration. */
    streamed?: boolean;
  }
}

/**
 * Rejects requests with 503 while the process is overloaded.
 * @param delayMs maximum event loop delay, and also the sample interval: if the loop has not run between two samples, the delay
 *   counts as infinite, which with the plugin's default interval would already happen after one second
 */
export async function refuseUnderPressure(app: FastifyInstance, delayMs: number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: delayMs,
    exposeStatusRoute: false,
  });
}

/** Register after authentication: counts per key, so that one caller's load does not affect others. */
export async function limitRequests(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    hook: 'preParsing',
    keyGenerator: (request) => callerOf(request).firstKeyId,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Problem('rate_limited', `Too many requests with this key. Try again in ${seconds} seconds.`);
    },
  });
}

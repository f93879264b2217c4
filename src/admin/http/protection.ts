import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { callerOf } from './authentication';
import { Problem } from './problems';

/** Headers that keep browsers from guessing, framing and loading from elsewhere. TLS, and HSTS with it, is the proxy's. */
export async function sendProtectiveHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: true,
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      directives: { 'default-src': ["'self'"], 'img-src': ["'self'", 'data:'], 'upgrade-insecure-requests': null },
    },
  });
}

/** Beyond it timers and polls of the same process would come late. */
const MAX_EVENT_LOOP_DELAY_MS = 5_000;

/** Refuses work with 503 while the process is too busy to do it in time. */
export async function refuseUnderPressure(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, { maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS, exposeStatusRoute: false });
}

/** After authentication: counts by key, so that one caller's storm is not another's. */
export async function limitRequests(app: FastifyInstance, perMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    hook: 'preParsing',
    keyGenerator: (request) => callerOf(request).keyId,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Problem('rate_limited', `Too many requests with this key. Try again in ${seconds} seconds.`);
    },
  });
}

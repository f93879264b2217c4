import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withLogFields } from '../log';
import { openRequest, type OpenSpan, type Outcome } from './spans';
import { attributesOf, type Subject } from './subject';

/** A request under way. */
interface Traced {
  readonly subject: Subject;
  readonly span: OpenSpan;
}

/**
 * A span of each request that comes so far: register it behind what turns callers away, so that no caller without a key
 * has spans made, or a trace joined. By route and not by path, and never a body. Lines of the log have the ids, too.
 */
export function traceRequests(app: FastifyInstance): void {
  const underWay = new WeakMap<FastifyRequest, Traced>();
  const enter = (request: FastifyRequest, go: () => void) => {
    const { subject, span } = underWay.get(request) ?? open(request);
    underWay.set(request, { subject, span });
    withLogFields({ ...subject }, () => span.run(go));
  };
  app.addHook('onRequest', (request, _reply, done) => enter(request, done));
  // A body comes from the socket, and leaves the work at hand behind.
  app.addHook('preValidation', (request, _reply, done) => enter(request, done));
  app.addHook('onResponse', async (request, reply) => underWay.get(request)?.span.end(outcomeOf(reply)));
}

function open(request: FastifyRequest): Traced {
  const { method, headers } = request;
  const route = request.routeOptions.url ?? 'none';
  const subject = subjectOfRoute(route, request.params);
  const attributes = { 'http.request.method': method, 'http.route': route, ...attributesOf(subject) };
  return { subject, span: openRequest(`${method} ${route}`, headers['traceparent'], { kind: 'server', attributes }) };
}

function outcomeOf({ statusCode }: FastifyReply): Outcome {
  return {
    attributes: { 'http.response.status_code': statusCode },
    fault: statusCode >= 500 ? String(statusCode) : null,
  };
}

/** Nothing of a path has been checked yet, and callers may type anything: what has not the form of an id is left out. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const CYCLE = /^\d{1,6}$/;

function subjectOfRoute(route: string, params: unknown): Subject {
  const { id = '', n = '' } = params as Readonly<Partial<Record<'id' | 'n', string>>>;
  if (!ID.test(id)) return {};
  if (route.startsWith('/v1/payments/:id')) return { paymentId: id };
  if (!route.startsWith('/v1/subscriptions/:id')) return {};
  return { subscriptionId: id, ...(CYCLE.test(n) ? { cycle: Number(n) } : {}) };
}

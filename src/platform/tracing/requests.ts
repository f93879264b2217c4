import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withLogFields } from '../log';
import { openRequest, type OpenSpan, type Outcome } from './spans';
import { attributesOf, type Subject } from './subject';

/** A request in progress. */
interface Traced {
  readonly subject: Subject;
  readonly span: OpenSpan;
}

/**
 * Creates a span for each request: register it after the access checks, so that callers without a key neither create spans nor
 * join traces. Spans have the route instead of the path, and never a body. Log lines have the ids, too.
 */
export function traceRequests(app: FastifyInstance): void {
  const traced = new WeakMap<FastifyRequest, Traced>();
  const enter = (request: FastifyRequest, next: () => void) => {
    const { subject, span } = traced.get(request) ?? open(request);
    traced.set(request, { subject, span });
    withLogFields({ ...subject }, () => span.run(next));
  };
  app.addHook('onRequest', (request, _reply, done) => enter(request, done));
  // Reading a body from the socket loses the async context.
  app.addHook('preValidation', (request, _reply, done) => enter(request, done));
  app.addHook('onResponse', async (request, reply) => traced.get(request)?.span.end(outcomeOf(reply)));
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

/** The path has not been validated yet: anything that does not have the form of an id is left out. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const CYCLE = /^\d{1,6}$/;

function subjectOfRoute(route: string, params: unknown): Subject {
  const { id = '', n = '' } = params as Readonly<Partial<Record<'id' | 'n', string>>>;
  if (!ID.test(id)) return {};
  if (route.startsWith('/v1/payments/:id')) return { paymentId: id };
  if (!route.startsWith('/v1/subscriptions/:id')) return {};
  return { subscriptionId: id, ...(CYCLE.test(n) ? { cycle: Number(n) } : {}) };
}

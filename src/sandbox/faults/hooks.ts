import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure, Refusal } from '../refusal';
import type { Service } from '../service';
import { gzipBomb, HTML_PAGE, hugeBody, malformedBody, pause, slowBody } from './bodies';
import type { FaultSpec } from './faults';

declare module 'fastify' {
  interface FastifyRequest {
    /** The faults that were taken for this request. */
    faults: FaultSpec[];
  }
}

/**
 * Injects the faults: `beforeCommit` acts before a request is executed, `afterCommit` on its response.
 */
export function installFaults(app: FastifyInstance, service: Service, closing: AbortSignal): void {
  app.decorateRequest('faults');
  app.addHook('onRequest', async (request) => {
    request.faults = [];
  });
  app.addHook('preHandler', async (request, reply) => {
    request.faults = service.faults.take({
      method: request.method,
      path: pathOf(request),
      paymentId: paymentIdOf(request),
    });
    for (const fault of request.faults) {
      service.log.info({ fault: fault.kind, method: request.method, path: pathOf(request) }, 'fault injected');
      await beforeCommit(fault, request, reply, closing);
    }
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = request.faults.find((one) => one.kind !== 'late_listing');
    return fault === undefined ? payload : afterCommit(fault, request, reply, String(payload), closing);
  });
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

export function paymentIdOf(request: FastifyRequest): string | null {
  for (const part of [request.params, request.query, request.body]) {
    const paymentId = (part as { paymentId?: unknown } | null | undefined)?.paymentId;
    if (typeof paymentId === 'string') return paymentId;
  }
  return null;
}

/** For how many real ms lists omit what this request creates. */
export function hiddenFor(request: FastifyRequest): number {
  const fault = request.faults.find((one) => one.kind === 'late_listing');
  return fault?.kind === 'late_listing' ? fault.delayMs : 0;
}

async function beforeCommit(
  fault: FaultSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<void> {
  switch (fault.kind) {
    case 'swallowed':
      reply.hijack();
      if (fault.close) request.raw.socket.destroy();
      return;
    case 'late_commit':
      request.raw.socket.destroy();
      await pause(fault.delayMs, closing);
      return;
    case 'error_before_commit':
      await sendError(fault, reply);
      return;
    case 'rate_limit':
      if (fault.retryAfter !== null) reply.header('retry-after', String(fault.retryAfter));
      await sendRefusal(new Refusal('RATE_LIMITED', 'too many requests'), reply);
      return;
    case 'forbidden':
      await sendRefusal(new Refusal('FORBIDDEN', 'this address is not allowed'), reply);
      return;
    case 'unauthorized':
      await sendRefusal(new Refusal('UNAUTHENTICATED', 'the token is missing or has expired'), reply);
      return;
    case 'lost_answer':
    case 'hang':
    case 'delay':
    case 'error_after_commit':
    case 'malformed':
    case 'huge':
    case 'gzip_bomb':
    case 'slow_body':
    case 'late_listing':
      return;
  }
}

async function sendRefusal(refusal: Refusal, reply: FastifyReply): Promise<void> {
  await reply.code(refusal.statusCode).send(failure(refusal));
}

type ErrorFault = Extract<FaultSpec, { kind: 'error_before_commit' | 'error_after_commit' }>;

function errorBody(fault: ErrorFault): string {
  return fault.html
    ? HTML_PAGE
    : JSON.stringify(failure({ detail: fault.detail, description: 'fault set under /_sandbox/faults' }));
}

function asError(fault: ErrorFault, reply: FastifyReply): FastifyReply {
  return reply.code(fault.status).type(fault.html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8');
}

async function sendError(fault: ErrorFault, reply: FastifyReply): Promise<void> {
  await asError(fault, reply).send(errorBody(fault));
}

/** The body to send instead of `body`. */
async function afterCommit(
  fault: FaultSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  closing: AbortSignal,
): Promise<unknown> {
  switch (fault.kind) {
    case 'lost_answer':
      request.raw.socket.destroy();
      return body;
    case 'hang':
      return waitUntilGone(request);
    case 'delay':
      await pause(fault.delayMs, closing);
      return body;
    case 'error_after_commit':
      asError(fault, reply).removeHeader('content-length');
      return errorBody(fault);
    case 'malformed':
      reply.removeHeader('content-length');
      if (fault.variant === 'html') reply.type('text/html; charset=utf-8');
      return malformedBody(fault.variant, body);
    case 'huge':
      reply.removeHeader('content-length');
      return hugeBody(body, fault.bytes);
    case 'gzip_bomb':
      reply.removeHeader('content-length').header('content-encoding', 'gzip');
      return gzipBomb(body, fault.bytes);
    case 'slow_body':
      reply.removeHeader('content-length');
      return slowBody(body, fault.delayMs, closing);
    case 'swallowed':
    case 'late_commit':
    case 'error_before_commit':
    case 'rate_limit':
    case 'forbidden':
    case 'unauthorized':
    case 'late_listing':
      return body;
  }
}

/** Waits until the client disconnects, or the server closes and destroys its sockets. */
async function waitUntilGone(request: FastifyRequest): Promise<string> {
  const { socket } = request.raw;
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return '';
}

import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { abandonIdempotent, beginIdempotent, finishIdempotent, type IdempotentRun, type StoredAnswer } from '../ledger';
import { loggable } from '../log';
import type { AdminDeps } from './admin-deps';
import { callerOf } from './caller';
import { IdempotencyLeases, LONGEST_RUN_MS } from './idempotency-leases';
import { invalidRequest, Problem } from './problems';
import { hashBody } from './request-hash';
import { openAnswer, sealAnswer } from './sealed-answer';

declare module 'fastify' {
  interface FastifyRequest {
    /** The run whose answer is to be kept; null where no key came, or another run has it. */
    idempotentRun: IdempotentRun | null;
    /** Whether the run's key is free again after the answer. */
    forgetsAnswer: boolean;
  }
  interface FastifyContextConfig {
    /** The answer holds a secret: it is kept sealed. */
    sealed?: boolean;
  }
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Same key and same body, same answer, for 24 hours of real time. Looked up before the body is checked against its
 * schema: what was right when first sent, a date in the future for one, may no longer be.
 */
export function answerOnce(app: FastifyInstance, deps: AdminDeps): void {
  const leases = new IdempotencyLeases(deps.leases ?? deps.db, deps.logger);
  app.addHook('onClose', async () => leases.stop());
  app.decorateRequest('idempotentRun', null);
  app.decorateRequest('forgetsAnswer', false);
  app.addHook('preValidation', async (request, reply) => {
    const key = request.method === 'POST' ? keyOf(request) : null;
    if (key === null) return;
    const answer = await begin(deps, key, request);
    if (request.idempotentRun !== null) leases.hold(request.idempotentRun);
    if (answer !== null) await replay(answer, request, reply);
  });
  // Nothing was judged or done: once the halt is lifted, the same request is to be carried out.
  app.addHook('onError', async (request, _reply, error) => {
    if (error instanceof Problem && error.code === 'halted') request.forgetsAnswer = true;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const run = request.idempotentRun;
    request.idempotentRun = null;
    if (run === null) return payload;
    await keep(deps, run, request, reply, payload);
    leases.release(run);
    return payload;
  });
}

/** The caller's key; null where none came. @throws Problem where it is no key. */
export function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY_FORM.test(header)) return header;
  const message = 'expected 1 to 255 visible ASCII characters; got something else';
  throw invalidRequest([{ path: 'Idempotency-Key', message }]);
}

/** The answer given before, or null where this request is the first and goes on. */
async function begin(deps: AdminDeps, key: string, request: FastifyRequest): Promise<StoredAnswer | null> {
  const startedRealAt = deps.clock.realNow();
  const run = { apiKeyId: callerOf(request).keyId, key, runId: randomUUID(), startedRealAt };
  const begun = await beginIdempotent(deps.db, {
    ...run,
    methodPath: `${request.method} ${request.url}`,
    bodyHash: hashBody(request.body),
    diedBeforeReal: startedRealAt - LONGEST_RUN_MS,
  });
  switch (begun.kind) {
    case 'started':
      request.idempotentRun = run;
      return null;
    case 'answered':
      return begun.answer;
    case 'running':
      throw new Problem('idempotency_in_progress', 'Ask again in a moment.', {}, { 'retry-after': '1' });
    case 'reused':
      throw new Problem('idempotency_key_reused', 'The first request with this key had another path or body.');
  }
}

async function replay(answer: StoredAnswer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const text = isSealed(request) ? openAnswer(callerOf(request).key, String(answer.body)) : JSON.stringify(answer.body);
  await reply.code(answer.status).headers(answer.headers).header('idempotent-replay', 'true').send(text);
}

/** Keeps the answer, unless it is a 5xx or `halted`: such a request may be repeated. */
async function keep(
  deps: AdminDeps,
  run: IdempotentRun,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  try {
    if (reply.statusCode >= 500 || request.forgetsAnswer) {
      await abandonIdempotent(deps.db, run);
      return;
    }
    const text = typeof payload === 'string' ? payload : 'null';
    const body: unknown = isSealed(request) ? sealAnswer(callerOf(request).key, text) : JSON.parse(text);
    const answer = { status: reply.statusCode, headers: keptHeaders(reply), body };
    if (await finishIdempotent(deps.db, run, answer)) return;
    request.log.warn('the key was taken over while its request ran: this answer is not kept');
  } catch (error) {
    // What was asked is done, or refused: the caller must hear of it even if the answer cannot be kept.
    request.log.error({ err: loggable(error) }, 'an idempotent answer could not be kept');
  }
}

function isSealed(request: FastifyRequest): boolean {
  return request.routeOptions.config.sealed === true;
}

const KEPT_HEADERS = ['content-type', 'location'] as const;

function keptHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}

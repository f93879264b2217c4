import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify';
import type { OrderId } from '../../domain/ids';
import { DAY } from '../../domain/time';
import {
  type OrderKind,
  abandonIdempotent,
  beginIdempotent,
  finishIdempotent,
  type IdempotentRun,
  type StoredAnswer,
} from '../../ledger';
import { loggable } from '../../platform/log';
import type { AdminDeps } from '../dependencies';
import { type Caller, callerOf } from './caller';
import { requestFingerprint } from './fingerprint';
import { IdempotencyLeases } from './idempotency-leases';
import { invalidRequest, Problem } from './problems';
import { schemaFaults } from './validation';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The answer that shows a new API key is kept for repeated requests, but no key is ever stored readable: it is sealed
 * with the caller's own key, of which only a hash is kept. The caller who repeats the request can open it; the ledger cannot.
 */
export function sealAnswer(apiKey: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @throws Error where the answer was sealed with another key, or was changed. */
export function openAnswer(apiKey: string, kept: string): string {
  const bytes = Buffer.from(kept, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function secretOf(apiKey: string, nonce: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', apiKey, nonce, 'dueday idempotent answer', 32));
}

/** The id of what is to be created, and whether it follows from the request, so that a repeat meets it again. */
export interface ChosenId<T extends string = string> {
  readonly id: T;
  readonly isOfRequest: boolean;
  /** Follows from API key, Idempotency-Key and body, also where the caller chose the id; null without a key. */
  readonly requestId: string | null;
}

/**
 * One that follows from API key, Idempotency-Key and body: a request repeated after a lost or a 5xx answer finds what it
 * made, and makes nothing a second time. Without a key, a random one.
 */
export function idOfCreation<T extends string>(
  prefix: 'sub' | 'pay',
  body: unknown,
  caller: Caller,
  idempotencyKey: string | null,
): ChosenId<T> {
  const requestId =
    idempotencyKey === null ? null : idFrom(requestFingerprint({ apiKeyId: caller.firstKeyId, idempotencyKey, body }));
  const id = `${prefix}_${requestId ?? randomUUID().replaceAll('-', '')}` as T;
  return { id, isOfRequest: requestId !== null, requestId };
}

/**
 * By it a request is recognized that is repeated for want of an answer, on the same day (UTC): a key that is used again after
 * 24 hours stands for another request. A job's stands for one call for ever. Null without a key.
 */
export function requestIdOf(request: FastifyRequest): string | null {
  const { idempotentRun: run, method, url, body } = request;
  if (run === null) return null;
  const within = callerOf(request).jobId === undefined ? Math.floor(run.startedRealAt / DAY) : 'job';
  const { apiKeyId, key: idempotencyKey } = run;
  return idFrom(requestFingerprint({ apiKeyId, idempotencyKey, call: `${method} ${url}`, body, within }));
}

const PREFIXES: Readonly<Record<OrderKind, string>> = { capture: 'cap', refund: 'ref' };

/** Follows from API key and Idempotency-Key alone: a key once used for an order stands for that order for ever. */
export function orderIdOf(kind: OrderKind, caller: Caller, idempotencyKey: string): OrderId {
  return `${PREFIXES[kind]}_${idFrom(requestFingerprint({ apiKeyId: caller.firstKeyId, idempotencyKey, call: kind }))}` as OrderId;
}

function idFrom(fingerprint: Buffer): string {
  return fingerprint.toString('hex').slice(0, 32);
}

/**
 * The Idempotency-Key of an order that moves money: without one, a request repeated after a lost answer would move it
 * twice. The body's faults are answered together with a missing key.
 * @throws Problem `invalid_request`.
 */
export function keyOfOrder(request: FastifyRequest, kind: OrderKind): string {
  const key = keyOf(request);
  const faults = [...schemaFaults(request.validationError)];
  const message = `expected 1 to 255 visible ASCII characters, chosen anew for each ${kind}; got nothing`;
  if (key === null) faults.push({ path: 'Idempotency-Key', message });
  if (key === null || faults.length > 0) throw invalidRequest(faults);
  return key;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The run whose answer is to be kept; null where no key came, or another run has it. */
    idempotentRun: IdempotentRun | null;
  }
  interface FastifyContextConfig {
    /** The answer holds a secret: it is kept sealed. */
    sealed?: boolean;
    /** Every call is a new one: no answer of it is given again. */
    unrepeated?: boolean;
    /** The path names a person: it is kept as a hash. */
    personalPath?: boolean;
    /** What a repeated request is answered instead of the kept body: what the first one created, as it is now. */
    replayedAs?: (kept: unknown, request: FastifyRequest) => Promise<unknown>;
  }
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Same key and same body, same answer, for 24 hours of real time; only what was carried out has one. The key is looked up
 * before the body is checked against its schema: what was right when first sent, a date in the future for one, may no
 * longer be.
 */
export function answerOnce(app: FastifyInstance, deps: AdminDeps): void {
  const leases = new IdempotencyLeases(deps.leases ?? deps.db, deps.logger);
  app.addHook('onClose', async () => leases.stop());
  app.decorateRequest('idempotentRun', null);
  app.addHook('preValidation', async (request, reply) => {
    const isKept = request.method === 'POST' && request.routeOptions.config.unrepeated !== true;
    const key = isKept ? keyOf(request) : null;
    if (key === null) return;
    const answer = await begin(deps, key, request);
    if (request.idempotentRun !== null) leases.hold(request.idempotentRun);
    if (answer !== null) await replay(answer, request, reply);
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
  const run = { apiKeyId: callerOf(request).firstKeyId, key, runId: randomUUID(), startedRealAt };
  const methodPath = `${request.method} ${pathOf(request)}`;
  const fingerprint = requestFingerprint({ call: methodPath, body: request.body });
  const begun = await beginIdempotent(deps.db, { ...run, methodPath, fingerprint });
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

function pathOf({ url, routeOptions }: FastifyRequest): string {
  if (routeOptions.config.personalPath !== true) return url;
  return `${routeOptions.url ?? ''} ${createHash('sha256').update(url).digest('hex')}`;
}

async function replay(answer: StoredAnswer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const body = await replayedBody(answer, request);
  await reply.code(answer.status).headers(answer.headers).header('idempotent-replay', 'true').send(body);
}

/** As text, or as an object that is still to be serialized. */
async function replayedBody(answer: StoredAnswer, request: FastifyRequest): Promise<unknown> {
  const { replayedAs } = request.routeOptions.config;
  if (replayedAs !== undefined) return replayedAs(answer.body, request);
  return isSealed(request) ? unsealed(answer, callerOf(request)) : JSON.stringify(answer.body);
}

/** @throws Problem where the first request came in another session, or with the key that was replaced: only that can open it. */
function unsealed({ body }: StoredAnswer, { key }: Caller): string {
  try {
    return openAnswer(key, String(body));
  } catch {
    const detail = 'The first request with this key came in another session, or with an API key that was replaced.';
    throw new Problem('idempotency_key_reused', detail);
  }
}

/** Keeps the answer of what was carried out. A refused request may be repeated, or corrected, with the same key. */
async function keep(
  deps: AdminDeps,
  run: IdempotentRun,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  try {
    if (reply.statusCode >= 400) {
      await abandonIdempotent(deps.db, run);
      return;
    }
    const text = typeof payload === 'string' ? payload : 'null';
    const body: unknown = isSealed(request) ? sealAnswer(callerOf(request).key, text) : JSON.parse(text);
    const answer = { status: reply.statusCode, headers: keptHeaders(reply), body };
    if (await finishIdempotent(deps.db, run, answer)) return;
    request.log.warn('the key was taken over while its request ran: this answer is not kept');
  } catch (error) {
    // What was asked is done, or refused: the caller must be answered even if the answer cannot be kept.
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

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
  releaseIdempotent,
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
 * A response that contains a new API key or webhook secret is stored for repeated requests, but never in plain text: it
 * is encrypted with the caller's own key, which is stored only as a hash. Only a caller who repeats the request can
 * decrypt it.
 */
export function sealAnswer(apiKey: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @throws Error if the response was sealed with another key, or was changed. */
export function openAnswer(apiKey: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, secretOf(apiKey, nonce), nonce);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function secretOf(apiKey: string, nonce: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', apiKey, nonce, 'dueday idempotent answer', 32));
}

/** The id of what will be created, and whether it is derived from the request, so that a repetition finds it again. */
export interface ChosenId<T extends string = string> {
  readonly id: T;
  readonly isDerived: boolean;
  /** Derived from API key, Idempotency-Key and body, even if the caller chose the id; null without an Idempotency-Key. */
  readonly requestId: string | null;
}

/**
 * An id derived from API key, Idempotency-Key and body, so that a request repeated after a lost or 5xx response finds what it
 * created and creates nothing twice. Without an Idempotency-Key, a random id.
 */
export function creationIdOf<T extends string>(
  prefix: 'sub' | 'pay',
  body: unknown,
  caller: Caller,
  idempotencyKey: string | null,
): ChosenId<T> {
  const requestId =
    idempotencyKey === null ? null : idFrom(requestFingerprint({ apiKeyId: caller.firstKeyId, idempotencyKey, body }));
  const id = `${prefix}_${requestId ?? randomUUID().replaceAll('-', '')}` as T;
  return { id, isDerived: requestId !== null, requestId };
}

/**
 * Identifies a request, and its repetitions after a lost response. The id includes the UTC day of the first try,
 * because after 24 hours a key may be used for another request. Null without an Idempotency-Key.
 */
export function requestIdOf(request: FastifyRequest): string | null {
  const { idempotentRun: run, method, url, body } = request;
  if (run === null) return null;
  const within = Math.floor(run.startedRealAt / DAY);
  const { apiKeyId, key: idempotencyKey } = run;
  return idFrom(requestFingerprint({ apiKeyId, idempotencyKey, call: `${method} ${url}`, body, within }));
}

const PREFIXES: Readonly<Record<OrderKind, string>> = { capture: 'cap', refund: 'ref' };

/** Derived from API key and Idempotency-Key only: an Idempotency-Key once used for an order always identifies this order. */
export function orderIdOf(kind: OrderKind, caller: Caller, idempotencyKey: string): OrderId {
  return `${PREFIXES[kind]}_${idFrom(requestFingerprint({ apiKeyId: caller.firstKeyId, idempotencyKey, call: kind }))}` as OrderId;
}

/** The id of what a request with this fingerprint creates or asks for. */
export function idFrom(fingerprint: Buffer): string {
  return fingerprint.toString('hex').slice(0, 32);
}

/**
 * The Idempotency-Key of an order that moves money: without one, a request repeated after a lost response would move it
 * twice. A missing key is reported together with errors in the body.
 * @throws Problem `invalid_request`.
 */
export function requireOrderKey(request: FastifyRequest, kind: OrderKind): string {
  const key = keyOf(request);
  const faults = [...schemaFaults(request.validationError)];
  const message = `expected 1 to 255 visible ASCII characters, unique for each ${kind}; got nothing`;
  if (key === null) faults.push({ path: 'Idempotency-Key', message });
  if (key === null || faults.length > 0) throw invalidRequest(faults);
  return key;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The run whose response will be stored; null if there is no key, or another run holds it. */
    idempotentRun: IdempotentRun | null;
  }
  interface FastifyContextConfig {
    /** The response contains a secret, and is stored encrypted. */
    sealed?: boolean;
    /** Every request is a new one: its response is never replayed. */
    skipIdempotency?: boolean;
    /** The path names a payer, and is stored as a hash. */
    personalPath?: boolean;
    /** Computes the response to a repeated request instead of the stored body: the created resource in its current state. */
    replayedAs?: (stored: unknown, request: FastifyRequest) => Promise<unknown>;
  }
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * A POST that repeats key, path and body gets the same response for 24 hours of real time, if the first request succeeded. The key is
 * looked up before the body is validated, because a body that was valid at first, such as one with a future date, may be
 * invalid now.
 */
export function answerOnce(app: FastifyInstance, deps: AdminDeps): void {
  const leases = new IdempotencyLeases(deps.leases ?? deps.db, deps.logger);
  app.addHook('onClose', async () => leases.stop());
  app.decorateRequest('idempotentRun', null);
  app.addHook('preValidation', async (request, reply) => {
    const isStored = request.method === 'POST' && request.routeOptions.config.skipIdempotency !== true;
    const key = isStored ? keyOf(request) : null;
    if (key === null) return;
    const answer = await begin(deps, key, request);
    if (request.idempotentRun !== null) leases.hold(request.idempotentRun);
    if (answer !== null) await replay(answer, request, reply);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const run = request.idempotentRun;
    request.idempotentRun = null;
    if (run === null) return payload;
    await store(deps, run, request, reply, payload);
    leases.release(run);
    return payload;
  });
}

/** The Idempotency-Key; null if there is none. @throws Problem if it is malformed */
export function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY_FORM.test(header)) return header;
  const message = 'expected 1 to 255 visible ASCII characters; got something else';
  throw invalidRequest([{ path: 'Idempotency-Key', message }]);
}

/** The stored response, or null if this request is the first and continues. */
async function begin(deps: AdminDeps, key: string, request: FastifyRequest): Promise<StoredAnswer | null> {
  const startedRealAt = deps.clock.realNow();
  const run = { apiKeyId: callerOf(request).firstKeyId, key, runId: randomUUID(), startedRealAt };
  const methodPath = `${request.method} ${pathOf(request)}`;
  const fingerprint = requestFingerprint({ call: methodPath, body: request.body });
  const result = await beginIdempotent(deps.db, { ...run, methodPath, fingerprint });
  switch (result.kind) {
    case 'started':
      request.idempotentRun = { ...run, startedRealAt: result.startedRealAt };
      return null;
    case 'answered':
      return result.answer;
    case 'running':
      throw new Problem('idempotency_in_progress', 'Repeat the request in a moment.', {}, { 'retry-after': '1' });
    case 'reused':
      throw new Problem('idempotency_key_reused', 'The first request with this key had a different path or body.');
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

/** Text, or an object that is still to be serialized. */
async function replayedBody(answer: StoredAnswer, request: FastifyRequest): Promise<unknown> {
  const { replayedAs } = request.routeOptions.config;
  if (replayedAs !== undefined) return replayedAs(answer.body, request);
  return isSealed(request) ? unsealed(answer, callerOf(request)) : JSON.stringify(answer.body);
}

/** @throws Problem if the first request was sent in another session or with another key: only that session or key can decrypt it */
function unsealed({ body }: StoredAnswer, { key }: Caller): string {
  try {
    return openAnswer(key, String(body));
  } catch {
    const detail =
      'The first request with this key was sent in another session, or with an API key that has been replaced.';
    throw new Problem('idempotency_key_reused', detail);
  }
}

/** Stores the response of a successful request. A rejected one may be repeated, or corrected, with the same key. */
async function store(
  deps: AdminDeps,
  run: IdempotentRun,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  try {
    if (reply.statusCode >= 400) {
      await (reply.statusCode >= 500 ? releaseIdempotent : abandonIdempotent)(deps.db, run);
      return;
    }
    const text = typeof payload === 'string' ? payload : 'null';
    const body: unknown = isSealed(request) ? sealAnswer(callerOf(request).key, text) : JSON.parse(text);
    const answer = { status: reply.statusCode, headers: storedHeaders(reply), body };
    if (await finishIdempotent(deps.db, run, answer)) return;
    request.log.warn('the idempotency key was taken over while its request ran: this response is not stored');
  } catch (error) {
    // The request was carried out or rejected: the caller must be answered even if the response cannot be stored.
    request.log.error({ err: loggable(error) }, 'an idempotent response could not be stored');
  }
}

function isSealed(request: FastifyRequest): boolean {
  return request.routeOptions.config.sealed === true;
}

const STORED_HEADERS = ['content-type', 'location'] as const;

function storedHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    STORED_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}

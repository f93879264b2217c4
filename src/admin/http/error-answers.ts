import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { isNativeError } from 'node:util/types';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ReadingRefused, whyNotWritable } from '../../ledger';
import { loggable } from '../../platform/log';
import { invalidRequest, notFound, Problem, PROBLEM_TYPE } from './problems';

/**
 * The only place where errors become responses. No internal details are returned; errors with status 500 and above are
 * logged with the request's id. Register before the routes.
 */
export function answerErrors(app: FastifyInstance): void {
  const methods = new MethodsOfPaths();
  app.addHook('onRoute', ({ method, url }) => methods.add(url, [method].flat()));
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const problem = problemOf(error, request);
    if (problem.statusCode >= 500) logFault(request, problem, error);
    if (problem.code === 'payload_too_large') await readRest(request.raw);
    return reply.sent ? reply : sendProblem(reply, problem, request);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.of(request.url.split('?', 1)[0] ?? '');
    sendProblem(
      reply,
      allowed.length === 0 ? notFound('There is no such path.') : notAllowed(request.method, allowed),
      request,
    );
  });
}

/** How long the rest of a body that is too large is read. */
const READ_REST_MS = 2_000;

/**
 * Reads the rest of a body and discards it. The connection is closed after the answer: if bytes were left unread, the
 * client would see a reset instead of the answer.
 */
function readRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(resolve, READ_REST_MS);
    const stop = () => {
      clearTimeout(late);
      resolve();
    };
    request.once('end', stop).once('close', stop).resume();
  });
}

function notAllowed(method: string, allowed: readonly string[]): Problem {
  const allow = allowed.join(', ');
  return new Problem('method_not_allowed', `This path supports ${allow}, not ${method}.`, {}, { allow });
}

/** The methods that each path of the API supports. */
class MethodsOfPaths {
  private readonly routes: { readonly path: RegExp; readonly methods: readonly string[] }[] = [];

  /** Registers a route. Of wildcard routes only the console's root counts: whether a path below one exists is not known here. */
  add(url: string, methods: readonly string[]): void {
    const path = url === '/*' ? '/' : url;
    if (path.includes('*')) return;
    this.routes.push({ path: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`), methods });
  }

  /** Empty if there is no such path. */
  of(path: string): readonly string[] {
    const found = this.routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)].toSorted();
  }
}

/**
 * Answers errors that the HTTP framework finds before routing: a path that cannot be decoded, or is far too long. No hooks
 * run, so the headers of every response are set here.
 */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(WITHOUT_HOOKS);
  void sendProblem(reply, problemOf(error, request), request);
}

/** The headers of every response, for when no hook sets them. */
const WITHOUT_HOOKS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Answers errors that Node finds before there is a request: bytes that are not HTTP, headers that are too large or too late.
 * The connection is closed after the response, because the bytes that follow can no longer be parsed.
 */
export function answerClientError(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const problem = clientProblem(error);
  const requestId = randomUUID();
  this.log.debug({ reqId: requestId, code: error.code, status: problem.statusCode }, 'answered');
  const body = JSON.stringify({ ...problem.body(), requestId });
  const headers = {
    ...WITHOUT_HOOKS,
    'x-request-id': requestId,
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${problem.statusCode} ${STATUS_CODES[problem.statusCode]}`, ...lines].join('\r\n');
  // Otherwise a client that keeps its half open would keep the connection.
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function clientProblem({ code }: ConnectionError): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request headers did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('payload_too_large', `Path and headers may be at most ${maxHeaderSize / 1024} KiB in total.`);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'The chunk extensions of the body are too large.');
    default:
      return malformed();
  }
}

function sendProblem(reply: FastifyReply, problem: Problem, request: FastifyRequest): FastifyReply {
  const body = { ...problem.body(), requestId: request.id };
  const headers = { ...problem.headers, 'x-request-id': request.id };
  return reply.code(problem.statusCode).headers(headers).type(PROBLEM_TYPE).send(JSON.stringify(body));
}

/** The problem if the ledger could not answer now; null for any other error. @param isRead whether the request changes nothing */
export function ledgerProblem(error: unknown, isRead = false): Problem | null {
  if (error instanceof ReadingRefused) return new Problem('not_ready', READ_REFUSALS[error.why], {}, RETRY);
  const whyReadOnly = whyNotWritable(error);
  if (whyReadOnly !== null) {
    const detail = `The ledger is read-only at the moment: ${whyReadOnly}. Nothing was done.`;
    return new Problem('not_ready', detail, {}, RETRY_LATER);
  }
  if (!isLedgerDown(error)) return null;
  const why = whyDown(error);
  const then = isRead ? 'Try again in a few seconds.' : 'It is not known whether anything was done.';
  return new Problem('not_ready', `${why} ${then}`, {}, RETRY);
}

/** Why the ledger did not answer. It may be up: perhaps all connections are in use, or a statement was slow. */
function whyDown(error: unknown): string {
  if (!isNativeError(error)) return UNREACHED;
  const code = 'code' in error ? error.code : undefined;
  if (code === '53300' || error.message.startsWith(NONE_FREE)) return NONE_FREE_SAYS;
  return code === '57014' ? 'The ledger took too long.' : UNREACHED;
}

const UNREACHED = 'The ledger cannot be reached.';
const NONE_FREE_SAYS =
  'No connection to the ledger became free in time: too many requests at once, or the ledger answers slowly.';
/** The driver's message if no connection of the pool became free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect';

function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  const ofLedger = ledgerProblem(error, request.method === 'GET' || request.method === 'HEAD');
  if (ofLedger !== null) return ofLedger;
  if (error.code === 'FST_UNDER_PRESSURE')
    return new Problem('not_ready', 'This API process is overloaded. Try again in a few seconds.', {}, RETRY);
  if (error.statusCode !== undefined && error.statusCode < 500) return refusalOf(error, request);
  return new Problem('internal', `Internal error. The log has details for request ${request.id}.`);
}

const RETRY = { 'retry-after': '5' };
/** Longer, because an operator has to fix the cause. */
const RETRY_LATER = { 'retry-after': '30' };

const READ_REFUSALS: Readonly<Record<ReadingRefused['why'], string>> = {
  too_slow: 'The query took too long. Narrow it, or try again later.',
  too_many: 'Too many concurrent reads. Try again in a few seconds.',
};

/** Requests that the HTTP framework rejected before their handler ran. The framework's own messages are not returned. */
function refusalOf(error: FastifyError, request: FastifyRequest): Problem {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', 'A body may be at most 1 MiB.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'Expected a body of type application/json.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('There is nothing with this id.');
    case 'FST_ERR_BAD_URL':
      return invalidRequest([{ path: '', message: 'expected a path in percent-encoded UTF-8; got invalid encoding' }]);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest([
        { path: 'Content-Length', message: 'expected the length of the body; got a different number' },
      ]);
    default:
      request.log.warn({ code: error.code }, 'request refused by the HTTP framework');
      return malformed();
  }
}

function malformed(): Problem {
  return invalidRequest([{ path: '', message: 'expected a well-formed HTTP request; got a malformed one' }]);
}

function logFault(request: FastifyRequest, problem: Problem, error: Error): void {
  const level = problem.code === 'internal' ? 'error' : 'warn';
  const { code, cause: reason } = problem;
  request.log[level]({ err: loggable(error), code, reason, route: request.routeOptions.url }, 'request failed');
}

/** Error codes of the network for an unreachable server. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
]);

/** SQLSTATEs: connection exceptions, too many connections, shutting down or starting up, statement cancelled. */
const NOT_NOW = /^(08...|53300|57P0[1-4]|57014)$/;

/** The driver's own errors have no code. */
const DRIVER_MESSAGES = new RegExp(`^(${NONE_FREE}|Connection terminated|Client has encountered a connection error)`);

/** Whether the ledger was unreachable, or could not answer now, as opposed to a faulty query. */
export function isLedgerDown(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNREACHABLE.has(code) || NOT_NOW.test(code) || DRIVER_MESSAGES.test(error.message);
}

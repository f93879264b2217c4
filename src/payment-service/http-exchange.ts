import { Agent, type Dispatcher } from 'undici';
import { inSpan, type Outcome } from '../platform/tracing';

/** The trimmed value of a header; the first if there are several, undefined if there is none. */
export function headerText(header: WireHeaders[string]): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.trim();
}

/**
 * Epoch milliseconds of an HTTP date, only in RFC 9110's preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
 * @returns undefined for any other text.
 */
export function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text))
    return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** One HTTP request as it goes on the wire. */
export interface WireRequest {
  /** Its name in traces. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly origin: string;
  /** The path with its query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller's last check, such as its time limit, right before the first byte; if false, the result is `not_sent`, `fenced`. */
  readonly beforeSend?: (() => boolean) | undefined;
  /** Uses the permit of the cap on calls, after `beforeSend`; if false, the result is `not_sent`, {@link PERMIT_LOST}. */
  readonly usePermit?: (() => boolean) | undefined;
}

/** The reason of a request that is not written because its permit went to another process while it connected. */
export const PERMIT_LOST = 'the permit went to another process while connecting';

export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * `answered`: a complete answer. `broken`: bytes may have been sent, and no complete answer came; `status` if its head did.
 * `not_sent`: not one byte of the request was written.
 */
export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: WireHeaders; readonly body: Buffer }
  | { readonly kind: 'broken'; readonly status?: number; readonly headers?: WireHeaders; readonly reason: string }
  | { readonly kind: 'not_sent'; readonly reason: string };

export interface ExchangeLimits {
  /** Real milliseconds for a whole request: queue, connection, head and body. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

export interface HttpExchange {
  send(request: WireRequest): Promise<ExchangeOutcome>;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 100;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A connection that has been idle for longer is closed and not used again. Servers keep idle connections open for seconds, so the
 * other side rarely closes one that was used this recently; if it does, a request that changes something has an unknown outcome.
 */
const KEPT_IDLE_MS = 500;

/** Redirects are not followed and nothing is repeated. A connection carries one request at a time. */
export function createHttpExchange(limits: ExchangeLimits): HttpExchange {
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, limits.timeoutMs) },
    // One timer covers the whole request; undici's own would restart with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEPT_IDLE_MS,
    keepAliveMaxTimeout: KEPT_IDLE_MS,
    pipelining: 1,
  });
  let closing: Promise<unknown> | null = null;
  return {
    send: (request) =>
      inSpan(request.operation, () => dispatch(agent, request, limits), {
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'server.address': request.origin.replace(/^\w+:\/\//, ''),
        },
        outcomeOf: tracedOutcome,
      }),
    close: async () => {
      closing ??= agent.close();
      await closing;
    },
  };
}

/** Reasons are our own texts and contain only codes. */
function tracedOutcome(outcome: ExchangeOutcome): Outcome {
  if (outcome.kind === 'answered')
    return {
      attributes: { 'http.response.status_code': outcome.status },
      fault: outcome.status >= 500 ? String(outcome.status) : null,
    };
  return { attributes: { 'dueday.reason': outcome.reason }, fault: outcome.kind };
}

function dispatch(agent: Agent, request: WireRequest, limits: ExchangeLimits): Promise<ExchangeOutcome> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, limits, resolve, reject);
    const { method, origin, path, headers, body } = request;
    try {
      agent.dispatch({ method, origin, path, headers, body: body ?? null }, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

/**
 * Knows exactly whether a byte may have been sent: undici calls `onRequestStart` on an open connection, synchronously before
 * it writes. Before that call every error is `not_sent`, after it every error is `broken`. With one request at a time on a connection,
 * undici repeats no request that it has started; a second call of `onRequestStart` would be such a repetition, and is refused.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private readonly startedAt = performance.now();
  private controller: Dispatcher.DispatchController | null = null;
  private settled = false;
  private status: number | undefined;
  private headers: WireHeaders = {};
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly request: WireRequest,
    private readonly limits: ExchangeLimits,
    private readonly resolve: (outcome: ExchangeOutcome) => void,
    private readonly reject: (fault: unknown) => void,
  ) {
    this.timer = setTimeout(() => this.giveUp(`no complete answer within ${limits.timeoutMs} ms`), limits.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) {
      controller.abort(new Error('given up before it could be written'));
      return;
    }
    if (this.controller !== null) {
      this.giveUp('the connection was lost');
      controller.abort(new Error('it may have been written already'));
      return;
    }
    if (this.isTooLate()) {
      this.giveUp('not connected in time');
      controller.abort(new Error('too late'));
      return;
    }
    if (this.mayStart(controller)) this.controller = controller;
  }

  /** Whether less than half of the request's time is left: it would probably end with an unknown outcome, so it is not sent. */
  private isTooLate(): boolean {
    return performance.now() - this.startedAt > this.limits.timeoutMs / 2;
  }

  private mayStart(controller: Dispatcher.DispatchController): boolean {
    try {
      const isFenced = this.request.beforeSend?.() === false;
      if (!isFenced && this.request.usePermit?.() !== false) return true;
      this.settle({ kind: 'not_sent', reason: isFenced ? 'fenced' : PERMIT_LOST });
    } catch (fault) {
      this.settle(null);
      this.reject(fault);
    }
    controller.abort(new Error('fenced'));
    return false;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: WireHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    if (Number(headers['content-length'] ?? 0) > this.limits.maxResponseBytes) this.giveUpOnSize();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.size += chunk.length;
    if (this.size > this.limits.maxResponseBytes) this.giveUpOnSize();
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.status === undefined) this.giveUp('the answer has no status');
    else {
      const body = Buffer.concat(this.chunks);
      this.settle({ kind: 'answered', status: this.status, headers: this.headers, body });
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Error messages contain hosts and headers: only the code is used (rule 28). */
  fail(error: unknown): void {
    const code = codeOf(error);
    this.giveUp(this.controller === null ? `not connected: ${code}` : `the connection broke: ${code}`);
  }

  private giveUpOnSize(): void {
    this.giveUp(`the answer is larger than ${this.limits.maxResponseBytes} bytes`);
  }

  private giveUp(reason: string): void {
    if (this.controller === null) {
      this.settle({ kind: 'not_sent', reason: reason.replace('no complete answer', 'not written') });
      return;
    }
    const head = this.status === undefined ? {} : { status: this.status, headers: this.headers };
    this.settle({ kind: 'broken', ...head, reason });
    this.controller.abort(new Error(reason));
  }

  private settle(outcome: ExchangeOutcome | null): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.chunks = [];
    if (outcome !== null) this.resolve(outcome);
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'no code';
}

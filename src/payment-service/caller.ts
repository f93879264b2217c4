import type { Clock } from '../platform/clock';
import { certainLead, type RequestTimes } from '../domain/send';
import type { Logger } from '../platform/log';
import type { AccessTokens } from './access-token';
import { type ReadValue, readAnswer, type CallOutcome, CALL_REFUSED, type NotSent, type ServiceResult } from './answer';
import type { CircuitBreaker } from './circuit-breaker';
import { headerText, readHttpDate, type ExchangeOutcome, type HttpExchange, type WireRequest } from './http-exchange';
import { maskSecrets, isId } from './wire';
import { sendWith, type WorkPermits } from './call-rate';
import type { Permit } from './permits';

export type Operation =
  | 'request_payment'
  | 'get_consent'
  | 'cancel_consent'
  | 'initiate'
  | 'list_authorizations'
  | 'release'
  | 'capture'
  | 'list_captures'
  | 'refund'
  | 'list_refunds';

/** For metrics: one call, from the moment at which its first permit was free, in real milliseconds. */
export interface CallReport {
  readonly operation: Operation;
  readonly outcome: CallOutcome;
  readonly ms: number;
}

export interface ServiceCall<T> {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, from `pathOf`. */
  readonly path: string;
  readonly body?: unknown;
  readonly beforeSend?: (() => boolean) | undefined;
  readonly read: ReadValue<T>;
}

export type Caller = <T>(call: ServiceCall<T>) => Promise<ServiceResult<T>>;

export interface CallerOptions {
  readonly baseUrl: string;
  readonly clientSecret: string;
  readonly apiKey?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly exchange: HttpExchange;
  readonly tokens: AccessTokens;
  readonly circuit: CircuitBreaker;
  readonly permits: WorkPermits;
  readonly onCall?: ((report: CallReport) => void) | undefined;
}

/** What a call needs in order to be made without waiting. */
interface Equipped {
  readonly token: string;
  readonly permit: Permit;
}

/**
 * Makes one call once a permit is free: gets a token, sends the request, repeats it once with a fresh token after a 401, and
 * interprets the answer.
 */
export function createCaller(options: CallerOptions): Caller {
  return async (call) => {
    const permit = await options.permits.take();
    if (permit === null) return CALL_REFUSED;
    const startedAt = options.clock.realNow();
    const equipped = equip(options, permit);
    const result = await options.circuit
      .run(() => callWithToken(options, call, equipped))
      .finally(() => permit.giveBack());
    report(options, call.operation, result, options.clock.realNow() - startedAt);
    return result;
  };
}

/** A call that has to wait for a token or a circuit probe gives its permit back: the token request and the probe may need the last one. */
function equip({ circuit, tokens }: CallerOptions, permit: Permit): Equipped | null {
  const token = circuit.state === 'closed' ? tokens.stored() : null;
  if (token !== null) return { token, permit };
  permit.giveBack();
  return null;
}

async function callWithToken<T>(
  options: CallerOptions,
  call: ServiceCall<T>,
  ready: Equipped | null,
): Promise<ServiceResult<T>> {
  const equipped = ready ?? (await equipAgain(options));
  if ('kind' in equipped) return equipped;
  const first = await exchange(options, call, equipped);
  if (!first.tokenRefused) return first.result;
  const fresh = await options.tokens.replace(equipped.token);
  if (fresh.kind === 'not_sent') return fresh;
  const again = await options.permits.take();
  return again === null ? CALL_REFUSED : (await exchange(options, call, { token: fresh.value, permit: again })).result;
}

async function equipAgain({ tokens, permits }: CallerOptions): Promise<Equipped | NotSent> {
  const token = await tokens.current();
  if (token.kind === 'not_sent') return token;
  const permit = await permits.take();
  return permit === null ? CALL_REFUSED : { token: token.value, permit };
}

interface Exchanged<T> {
  readonly result: ServiceResult<T>;
  /** Whether a 401 refused the token. One whose body is a rejection did not: the call is never sent again (rule 28). */
  readonly tokenRefused: boolean;
}

async function exchange<T>(
  options: CallerOptions,
  call: ServiceCall<T>,
  { token, permit }: Equipped,
): Promise<Exchanged<T>> {
  const askedAt = options.clock.realNow();
  const outcome = await sendWith(permit, options.exchange, requestOf(options, call, token));
  const answeredAt = options.clock.realNow();
  const secrets = [token, options.clientSecret, options.apiKey];
  const mask = (text: string): string => maskSecrets(text, secrets);
  const result = readAnswer(outcome, call.read, { realNow: answeredAt, mask });
  const is401 = outcome.kind !== 'not_sent' && outcome.status === 401;
  return {
    result: withClockLead(result, outcome, { askedAt, answeredAt }),
    tokenRefused: is401 && result.kind === 'not_sent',
  };
}

function withClockLead<T>(result: ServiceResult<T>, outcome: ExchangeOutcome, asked: RequestTimes): ServiceResult<T> {
  if (result.kind !== 'accepted' || outcome.kind !== 'answered') return result;
  const shown = readHttpDate(headerText(outcome.headers['date']));
  const clockLead = shown === undefined ? 0 : certainLead(shown, asked);
  return clockLead === 0 ? result : { ...result, clockLead };
}

function requestOf(options: CallerOptions, call: ServiceCall<unknown>, token: string): WireRequest {
  const base = new URL(options.baseUrl);
  return {
    operation: call.operation,
    method: call.method,
    origin: base.origin,
    path: base.pathname.replace(/\/+$/, '') + call.path,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    beforeSend: call.beforeSend,
  };
}

function report(options: CallerOptions, operation: Operation, result: ServiceResult<unknown>, ms: number): void {
  const line = { operation, outcome: result.kind, ms };
  if (result.kind === 'not_sent' || result.kind === 'unknown') {
    options.logger.warn({ ...line, reason: result.reason }, 'payment service call');
  } else options.logger.debug(line, 'payment service call');
  options.onCall?.({ operation, outcome: result.kind, ms });
}

/**
 * `/a/b?c=d`, every part percent-encoded, undefined query values omitted.
 * @throws RangeError if an id cannot have come from the service, as it could change the path's meaning
 */
export function pathOf(segments: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const path = segments.map((segment) => `/${encodeURIComponent(checked(segment))}`).join('');
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(checked(value))}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function checked(segment: string): string {
  if (!isId(segment)) throw new RangeError('an id must be 1 to 200 visible ASCII characters and not a dot segment');
  return segment;
}

import { bodyOf, type Exchange, field, result, text } from './exchange';

/** A row does not hold: the answer is not what the reference says. */
export class Differs extends Error {
  override readonly name = 'Differs';

  constructor(
    readonly exchange: Exchange,
    message: string,
  ) {
    super(message);
  }
}

/** A row cannot be played against this service, or not by this caller; the message says why. */
export class CannotBeTried extends Error {
  override readonly name = 'CannotBeTried';
}

/** Requires a 2xx that is neither a Failure nor a record that has failed. @throws Differs */
export function accepted(exchange: Exchange, what: string): Exchange {
  if (isAccepted(notLimited(exchange))) return exchange;
  throw new Differs(exchange, `${what} should be accepted, and was refused: ${describeAnswer(exchange)}`);
}

/** Requires a 2xx: the answer to a query, in any state of the record. @throws Differs */
export function answered(exchange: Exchange, what: string): Exchange {
  const { status } = notLimited(exchange).answer;
  if (status >= 200 && status < 300) return exchange;
  throw new Differs(exchange, `${what} should be answered; the answer was ${describeAnswer(exchange)}`);
}

/**
 * Requires a refusal: a 4xx, a Failure, or a record whose status is failed. A 5xx is not a refusal, whatever its body says, as it leaves
 * open what was done.
 * @throws Differs
 */
export function refused(exchange: Exchange, what: string): Exchange {
  if (isRefused(notLimited(exchange)) && exchange.answer.status < 500) return exchange;
  throw new Differs(exchange, `${what} should be refused; the answer was ${describeAnswer(exchange)}`);
}

/** @throws Differs */
export function same(exchange: Exchange, what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Differs(exchange, `${what} should be ${JSON.stringify(expected)}; it was ${shown(found)}`);
}

/** @throws Differs */
export function oneOf(exchange: Exchange, what: string, found: unknown, expected: readonly unknown[]): void {
  if (expected.includes(found)) return;
  const wanted = expected.map((one) => JSON.stringify(one)).join(' or ');
  throw new Differs(exchange, `${what} should be ${wanted}; it was ${shown(found)}`);
}

export function isAccepted(exchange: Exchange): boolean {
  const { status } = exchange.answer;
  return status >= 200 && status < 300 && !saysFailed(exchange);
}

export function isRefused(exchange: Exchange): boolean {
  const { status } = exchange.answer;
  return saysFailed(exchange) || (status >= 400 && status < 500);
}

/** The exchange, unless the service limits the rate: "429 too many requests" says nothing about the request. @throws CannotBeTried */
function notLimited(exchange: Exchange): Exchange {
  if (exchange.answer.status !== 429) return exchange;
  throw new CannotBeTried('the service takes no more requests for now (429)');
}

function saysFailed(exchange: Exchange): boolean {
  const body = bodyOf(exchange);
  return text(body, 'result')?.trim().toUpperCase() === 'FAILED' || result(body) === 'failed';
}

function describeAnswer(exchange: Exchange): string {
  const body = bodyOf(exchange);
  const words = [text(body, 'detail'), text(body, 'description'), result(body)].filter((one) => one !== undefined);
  const isRecord = field(body, 'status') !== undefined || words.length > 0;
  return `${exchange.answer.status}${isRecord ? ` ${words.join(', ')}` : ''}`;
}

/** Says that no answer came, with the error code of the network or of undici. Null for our own faults, which have no code. */
export function connectionFault(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `no answer came: ${code}` : null;
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

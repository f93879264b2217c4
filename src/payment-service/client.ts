import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/log';
import { createAccessTokens } from './access-token';
import { notSent } from './answer';
import { type CallRate, UNLIMITED, WorkPermits } from './call-rate';
import { type CallReport, createCaller } from './caller';
import { CIRCUIT, type CircuitOptions, type CircuitState, createCircuitBreaker } from './circuit-breaker';
import { createCalls } from './calls';
import { createHttpExchange } from './http-exchange';
import type { PaymentService } from './payment-service';
import { type Spellings, DEFAULT_SPELLINGS } from './spellings';

export interface PaymentServiceOptions {
  /** May have a path prefix; with or without a trailing slash. */
  readonly baseUrl: string;
  /** Default: {@link tokenUrlOf} the base URL. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey?: string | undefined;
  /** Real milliseconds for a whole request; after it the outcome is unknown. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: 1 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Default: 300; a token is refreshed after four fifths of this time. */
  readonly tokenLifeSeconds?: number | undefined;
  /** Default: {@link DEFAULT_SPELLINGS}. */
  readonly spellings?: Partial<Spellings> | undefined;
  /** Default: {@link CIRCUIT}. */
  readonly circuit?: CircuitOptions | undefined;
  /** The cap on calls. Default: {@link UNLIMITED}. */
  readonly rate?: CallRate | undefined;
  /** Called whenever the circuit opens, probes or closes. */
  readonly onCircuit?: ((state: CircuitState) => void) | undefined;
  /** Called once per call, for metrics. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** The default token endpoint. */
export function tokenUrlOf(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/oauth/token`;
}

/** The client of one merchant payment service. Holds a token of its own, so a process should have few clients; must be closed. */
export function createPaymentService(options: PaymentServiceOptions): PaymentService {
  const { timeoutMs, maxResponseBytes = MEBIBYTE, tokenLifeSeconds = 300 } = options;
  const exchange = createHttpExchange({ timeoutMs, maxResponseBytes });
  const tokenUrl = options.tokenUrl ?? tokenUrlOf(options.baseUrl);
  const rate = options.rate ?? UNLIMITED;
  const permits = new WorkPermits(rate);
  const tokens = createAccessTokens({ ...options, tokenUrl, tokenLifeSeconds, exchange, permits });
  const circuit = createCircuitBreaker(options.circuit ?? CIRCUIT, (state) => {
    options.logger.warn({ state }, 'payment service circuit');
    options.onCircuit?.(state);
  });
  const spellings = { ...DEFAULT_SPELLINGS, ...options.spellings };
  return {
    as: (priority, work) => permits.as(priority, work),
    withReservation: (calls, work, signal) => permits.withReservation(calls, work, signal),
    stopWaiting: () => rate.close(),
    async checkAccess() {
      if (circuit.state === 'open') return notSent('the last calls to the service have all failed');
      const token = await tokens.current();
      return token.kind === 'token' ? { kind: 'accepted', value: null } : token;
    },
    circuitState: () => circuit.state,
    ...createCalls(createCaller({ ...options, exchange, tokens, circuit, permits }), spellings, options.baseUrl),
    close: () => exchange.close(),
  };
}

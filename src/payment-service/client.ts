import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/log';
import { createAccessTokens } from './access-token';
import { notSent } from './answer';
import { type CallRate, UNLIMITED, TurnTaking } from './call-rate';
import { type CallReport, createCaller } from './caller';
import { CIRCUIT, type CircuitOptions, type CircuitState, createCircuitBreaker } from './circuit-breaker';
import { createCalls } from './calls';
import { createHttpExchange } from './http-exchange';
import type { PaymentService } from './payment-service';
import { type Spellings, USUAL_SPELLINGS } from './spellings';

export interface PaymentServiceOptions {
  /** May carry a path prefix; with or without a closing slash. */
  readonly baseUrl: string;
  /** {@link tokenUrlOf} the base URL where none is given. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey?: string | undefined;
  /** Real milliseconds for one request as a whole; past it the outcome is unknown. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 1 MiB where none is given. */
  readonly maxResponseBytes?: number | undefined;
  /** 300 where none is given; refreshed at four fifths of it. */
  readonly tokenLifeSeconds?: number | undefined;
  /** {@link USUAL_SPELLINGS} where none are given. */
  readonly spellings?: Partial<Spellings> | undefined;
  /** {@link CIRCUIT} where none is given. */
  readonly circuit?: CircuitOptions | undefined;
  /** Where calls are capped; {@link UNLIMITED} where none is given. */
  readonly rate?: CallRate | undefined;
  /** Called whenever calls are held back, probed or let through again. */
  readonly onCircuit?: ((state: CircuitState) => void) | undefined;
  /** Called once per call, for metrics. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Where tokens are had where nothing else is said. */
export function tokenUrlOf(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/oauth/token`;
}

/** The client of one merchant payment service; one per process, as it holds the process's token. Close it. */
export function createPaymentService(options: PaymentServiceOptions): PaymentService {
  const { timeoutMs, maxResponseBytes = MEBIBYTE, tokenLifeSeconds = 300 } = options;
  const exchange = createHttpExchange({ timeoutMs, maxResponseBytes });
  const tokenUrl = options.tokenUrl ?? tokenUrlOf(options.baseUrl);
  const rate = options.rate ?? UNLIMITED;
  const turns = new TurnTaking(rate);
  const tokens = createAccessTokens({ ...options, tokenUrl, tokenLifeSeconds, exchange, turns });
  const circuit = createCircuitBreaker(options.circuit ?? CIRCUIT, (state) => {
    options.logger.warn({ state }, 'payment service circuit');
    options.onCircuit?.(state);
  });
  const spellings = { ...USUAL_SPELLINGS, ...options.spellings };
  return {
    as: (priority, work) => turns.as(priority, work),
    inTurn: (calls, work, signal) => turns.inTurn(calls, work, signal),
    stopWaiting: () => rate.close(),
    async checkAccess() {
      if (circuit.state === 'open') return notSent('the service did not answer lately');
      const token = await tokens.current();
      return token.kind === 'token' ? { kind: 'accepted', value: null } : token;
    },
    circuitState: () => circuit.state,
    ...createCalls(createCaller({ ...options, exchange, tokens, circuit, turns }), spellings, options.baseUrl),
    close: () => exchange.close(),
  };
}

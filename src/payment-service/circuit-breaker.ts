import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState as State,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
} from 'cockatiel';
import { notSent, type ServiceResult } from './answer';
import { HANDED_ON } from './http-exchange';

export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitOptions {
  /** Calls in a row that the service did not answer, after which none is made for a while. */
  readonly failuresInARow: number;
  /** Real ms of the first such while; each further one is longer, up to the last. */
  readonly firstPauseMs: number;
  readonly lastPauseMs: number;
}

/** Short enough that no collection window is lost to it, long enough to leave a service in trouble alone. */
export const CIRCUIT: CircuitOptions = { failuresInARow: 10, firstPauseMs: 500, lastPauseMs: 5_000 };

/** The back-off that all calls of the process share: while open, nothing leaves; then one call probes for all others. */
export interface CircuitBreaker {
  readonly state: CircuitState;
  run<T>(call: () => Promise<ServiceResult<T>>): Promise<ServiceResult<T>>;
}

export function createCircuitBreaker(
  options: CircuitOptions,
  onChange: (state: CircuitState) => void = () => undefined,
): CircuitBreaker {
  const { failuresInARow, firstPauseMs, lastPauseMs } = options;
  const policy = circuitBreaker(
    handleWhenResult((result) => isTrouble(result as ServiceResult<unknown>)),
    {
      breaker: new ConsecutiveBreaker(failuresInARow),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: firstPauseMs, maxDelay: lastPauseMs }),
    },
  );
  policy.onStateChange((state) => onChange(nameOf(state)));
  return {
    get state() {
      return nameOf(policy.state);
    },
    async run(call) {
      try {
        return await policy.execute(call);
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        return notSent('the service did not answer lately and is left alone for a moment', firstPauseMs);
      }
    },
  };
}

/** Reasons of the caller itself. */
const OURS: ReadonlySet<string> = new Set(['fenced', HANDED_ON]);

/** What the caller itself held back says nothing of the service; a refusal is an answer. */
function isTrouble(result: ServiceResult<unknown>): boolean {
  return result.kind === 'unknown' || (result.kind === 'not_sent' && !OURS.has(result.reason));
}

function nameOf(state: State): CircuitState {
  switch (state) {
    case State.Closed:
      return 'closed';
    case State.HalfOpen:
      return 'half_open';
    case State.Open:
    case State.Isolated:
      return 'open';
  }
}

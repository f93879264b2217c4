import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState as State,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
} from 'cockatiel';
import { notSent, type ServiceResult } from './answer';
import { PERMIT_LOST } from './http-exchange';

export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitOptions {
  /**
   * Consecutive calls without a readable answer after which the circuit opens; a call counts, too, if there was no token for it
   * or if it was answered with 401, 403 or 429.
   */
  readonly failuresInARow: number;
  /** Real ms for which it first stays open; longer each time, up to the last. */
  readonly firstWaitMs: number;
  readonly lastWaitMs: number;
}

/** Short enough that no collection window is missed, long enough to relieve a service in trouble. */
export const CIRCUIT: CircuitOptions = { failuresInARow: 10, firstWaitMs: 500, lastWaitMs: 5_000 };

/** The back-off shared by all calls of the process: while it is open, nothing is sent; then one call probes for all others. */
export interface CircuitBreaker {
  readonly state: CircuitState;
  run<T>(call: () => Promise<ServiceResult<T>>): Promise<ServiceResult<T>>;
}

export function createCircuitBreaker(
  options: CircuitOptions,
  onChange: (state: CircuitState) => void = () => undefined,
): CircuitBreaker {
  const { failuresInARow, firstWaitMs, lastWaitMs } = options;
  const policy = circuitBreaker(
    handleWhenResult((result) => isTrouble(result as ServiceResult<unknown>)),
    {
      breaker: new ConsecutiveBreaker(failuresInARow),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: firstWaitMs, maxDelay: lastWaitMs }),
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
        return notSent('the last calls to the service have all failed: calls are paused for a moment', firstWaitMs);
      }
    },
  };
}

/** Reasons that come from this process. */
const OURS: ReadonlySet<string> = new Set(['fenced', PERMIT_LOST]);

/** What this process held back says nothing about the service; a refusal is an answer. */
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

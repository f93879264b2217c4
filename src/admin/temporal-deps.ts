import type { Client } from '@temporalio/client';
import type { Clock } from '../clock';
import type { Pool } from '../ledger';
import type { RetryPolicy } from '../domain/subscription/retries';

export interface TemporalGatewayDeps {
  readonly client: Client;
  readonly taskQueue: string;
  readonly db: Pool;
  readonly clock: Clock;
  /** Frozen into each cycle by the workflow. */
  readonly retryPolicy: RetryPolicy;
  /** First attempts spread over this stretch, in seconds; 0 for none. */
  readonly spreadSeconds: number;
  /** How long before it is collected an increase is announced to the payer, ms. */
  readonly increaseNotice: number;
  readonly patience?: Partial<Patience>;
}

/** Real ms until an answer is given up. */
export interface Patience {
  /** Longer than one request to the payment service may take. */
  readonly createMs: number;
  readonly steerMs: number;
  /** After it a cancellation that the service has not confirmed is answered as accepted (rule 31). */
  readonly cancelMs: number;
}

const PATIENCE: Patience = { createMs: 45_000, steerMs: 10_000, cancelMs: 700 };

export function patienceOf({ patience }: Pick<TemporalGatewayDeps, 'patience'>): Patience {
  return { ...PATIENCE, ...patience };
}

/** Without a worker an update would wait for ever. Real time: it bounds a network call. */
export function withPatience<T>(
  deps: Pick<TemporalGatewayDeps, 'client' | 'clock'>,
  ms: number,
  call: () => Promise<T>,
): Promise<T> {
  return deps.client.withDeadline(deps.clock.realNow() + ms, call);
}

import type { Endpoint } from '../common/schemas';

/** What the console offers to send to an endpoint. The API decides. */
export interface Offered {
  /** Whether a sample can be sent. */
  readonly isTestable: boolean;
  /** Whether events can be sent again, for a period or one by one. */
  readonly isReplayable: boolean;
}

/** Nothing to a disabled endpoint; only samples to the one of the environment, whose notices are resent differently. */
export function offeredOf({ enabled, readOnly }: Pick<Endpoint, 'enabled' | 'readOnly'>): Offered {
  return { isTestable: enabled, isReplayable: enabled && !readOnly };
}

import type { Endpoint } from '../common/schemas';

/** What the console offers to send to an endpoint. The API decides. */
export interface Offered {
  /** Whether a test event can be sent. */
  readonly isTestable: boolean;
  /** Whether events can be sent again, for a period or one by one. */
  readonly isReplayable: boolean;
}

/** Nothing to a disabled endpoint; only test events to the endpoint `env`, whose notices are resent differently. */
export function offeredOf({ enabled, readOnly }: Pick<Endpoint, 'enabled' | 'readOnly'>): Offered {
  return { isTestable: enabled, isReplayable: enabled && !readOnly };
}

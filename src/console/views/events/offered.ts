import type { Endpoint } from '../common/schemas';

/** What can be sent to an endpoint in its state. The API has the last word. */
export interface Offered {
  /** A sample. */
  readonly isTestable: boolean;
  /** Events once more, those of a span or one by one. */
  readonly isReplayable: boolean;
}

/** Nothing to a disabled one; to that of the environment only samples, as its notices have a way of their own. */
export function offeredOf({ enabled, readOnly }: Pick<Endpoint, 'enabled' | 'readOnly'>): Offered {
  return { isTestable: enabled, isReplayable: enabled && !readOnly };
}

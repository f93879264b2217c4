import type { Sinks } from '@temporalio/workflow';

/** What a message is for, of which the payload could not be read or was made for something else. */
export type RefusedKind = 'activity' | 'workflow' | 'signal' | 'update' | 'query';

/** The type of the failure with which a workflow ends at once, having done nothing. */
export const REFUSED_START = 'refused_start';

/** How workflows report the messages that they refuse to their worker, which counts and logs them. */
export interface RefusalSinks extends Sinks {
  refusals: {
    report(kind: RefusedKind, name: string, why: string): void;
  };
}

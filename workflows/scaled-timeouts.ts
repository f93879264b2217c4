import { msToNumber } from '@temporalio/common/lib/time';
import type { ActivityOptions, WorkflowInterceptors } from '@temporalio/workflow';
import { type ClockSetting, scaledTimeout } from '../src/contract/steps';

/**
 * On a test clock that runs ahead, the waits of all activities are shorter: see {@link scaledTimeout}. Without one nothing changes.
 * Which options an activity has is no part of a history's order of commands: histories of either kind replay.
 */
export function interceptors(): WorkflowInterceptors {
  let clock: ClockSetting | null = null;
  return {
    inbound: [
      {
        execute(input, next) {
          const [first] = input.args as [{ readonly clock?: ClockSetting | null }?];
          clock = first?.clock ?? null;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, options: scaleTimeouts(input.options, clock) }),
      },
    ],
  };
}

/** Milliseconds, or a text such as `20 seconds`. */
type Wait = string | number;

interface Waits {
  readonly heartbeatTimeout?: Wait;
  readonly startToCloseTimeout?: Wait;
  readonly retry?: { readonly maximumInterval?: Wait };
}

/** An activity with a heartbeat may take long; one without is found dead by its time-out. */
function scaleTimeouts(options: ActivityOptions, clock: ClockSetting | null): ActivityOptions {
  if (clock === null) return options;
  const { heartbeatTimeout: beat, startToCloseTimeout: whole, retry } = options as Waits;
  const short = (wait: Wait) => scaledTimeout(clock, msToNumber(wait));
  return {
    ...options,
    ...(beat === undefined ? {} : { heartbeatTimeout: short(beat) }),
    ...(beat !== undefined || whole === undefined ? {} : { startToCloseTimeout: short(whole) }),
    ...(retry?.maximumInterval === undefined
      ? {}
      : { retry: { ...options.retry, maximumInterval: short(retry.maximumInterval) } }),
  };
}

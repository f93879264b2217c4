import type { WorkflowClientInterceptor } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import {
  argumentOf,
  bind,
  bindAll,
  openValues,
  type RefusalSinks,
  type RefusedKind,
  resultOf,
} from '../contract/bound-values';
import { MINUTE } from '../domain/time';
import type { Logger } from './log';
import type { Telemetry } from './metrics';

/** Counts and logs a message that was refused. */
export type ReportRefusal = (kind: RefusedKind, name: string, why: string) => void;

/** For clients with keys: binds each start and each message to its purpose. */
export const bindCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: bindStart(input.workflowType, input.options) }),
  signal: (input, next) => next({ ...input, args: bindAll(argumentOf('signal', input.signalName), input.args) }),
  signalWithStart: (input, next) =>
    next({
      ...input,
      signalArgs: bindAll(argumentOf('signal', input.signalName), input.signalArgs),
      options: bindStart(input.workflowType, input.options),
    }),
};

function bindStart<Options extends { readonly args: unknown[] }>(workflowType: string, options: Options): Options {
  return { ...options, args: bindAll(argumentOf('workflow', workflowType), options.args) };
}

/**
 * Interceptors for workers: an activity whose input is unreadable, or was created for another purpose, fails permanently before it
 * does anything.
 * @param isSealed whether keys are configured: then an input must be bound to its activity, and its result is bound, too
 */
export function bindActivities(isSealed: boolean, report: ReportRefusal): ActivityInterceptorsFactory {
  return ({ info: { activityType } }) => ({
    inbound: {
      async execute(input, next) {
        const found = openValues(argumentOf('activity', activityType), input.args, isSealed);
        if (found.kind === 'refused') {
          report('activity', activityType, found.why);
          throw refusal(found.why);
        }
        const result = await next({ ...input, args: found.values });
        return isSealed ? bind(resultOf('activity', activityType), result) : result;
      },
    },
  });
}

/** Benign, because it is already reported: Temporal's library must not log each refusal as well. */
function refusal(why: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: `the input cannot be read: ${why}`,
    type: 'invalid_request',
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** Counts each refused message, and logs at most one per minute, with the count since the last line. */
export function createRefusalReport(log: Logger, { recordRefusal }: Pick<Telemetry, 'recordRefusal'>): ReportRefusal {
  let refused = 0;
  let loggedAt = -Infinity;
  return (kind, name, why) => {
    recordRefusal(kind);
    refused += 1;
    // Monotonic time, which changes of the clock do not affect.
    if (performance.now() - loggedAt < MINUTE) return;
    log.warn({ security: 'message.refused', what: `${kind} ${name}`, why, refused }, 'security event');
    loggedAt = performance.now();
    refused = 0;
  };
}

/** Reports the messages that workflows refuse. */
export function refusalSinks(report: ReportRefusal): InjectedSinks<RefusalSinks> {
  return { refusals: { report: { fn: (_info, kind, name, why) => report(kind, name, why), callDuringReplay: false } } };
}

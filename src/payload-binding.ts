import type { WorkflowClientInterceptor } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { argumentOf, bind, bindAll, openValues, resultOf } from './contract/bound-values';
import type { RefusedKind } from './contract/refusals';

/** Counts and logs a message that was refused. */
export type ReportRefusal = (kind: RefusedKind, name: string, why: string) => void;

/** Of a client with keys: binds each start and each message to what it is for. */
export const bindCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: bindStart(input.workflowType, input.options) }),
  signal: (input, next) => next({ ...input, args: bindAll(argumentOf('signal', input.signalName), input.args) }),
  signalWithStart: (input, next) =>
    next({
      ...input,
      signalArgs: bindAll(argumentOf('signal', input.signalName), input.signalArgs),
      options: bindStart(input.workflowType, input.options),
    }),
  startUpdate: (input, next) => next({ ...input, args: bindAll(argumentOf('update', input.updateName), input.args) }),
  startUpdateWithStart: (input, next) =>
    next({
      ...input,
      updateArgs: bindAll(argumentOf('update', input.updateName), input.updateArgs),
      workflowStartOptions: bindStart(input.workflowType, input.workflowStartOptions),
    }),
};

function bindStart<Options extends { readonly args: unknown[] }>(workflowType: string, options: Options): Options {
  return { ...options, args: bindAll(argumentOf('workflow', workflowType), options.args) };
}

/**
 * Of a worker: an activity whose input cannot be read, or was made for something else, fails for good before it does anything.
 * @param isSealed whether there are keys: then an input must be bound to its activity, and its result is bound, too
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

/** Reported already: Temporal's library is not to log each one as well. */
function refusal(why: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: `the input cannot be read: ${why}`,
    type: 'invalid_request',
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

import { ApplicationFailure } from '@temporalio/common';
import { log, type WorkflowInterceptors } from '@temporalio/workflow';
import { whyUnreadable } from '../src/contract/arguments';

/**
 * What could not be read decides nothing. Sent by a person it is refused, and the workflow goes on. Where the history has
 * it as taken, or it is the workflow's own input, a key is missing: the task faults until the worker has it. None of these
 * waits, so that the order of commands is as without them.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        execute(input, next) {
          requireReadable('the input', ...input.args);
          return next(input);
        },
        validateUpdate(input, next) {
          const why = whyUnreadable(input.args);
          if (why !== null) throw refusal(`update ${input.name}`, why);
          next(input);
        },
        handleUpdate(input, next) {
          requireReadable(`update ${input.name}`, ...input.args);
          return next(input);
        },
        handleSignal(input, next) {
          const why = whyUnreadable(input.args);
          if (why === null) return next(input);
          report(`signal ${input.signalName}`, why);
          return Promise.resolve();
        },
        handleQuery(input, next) {
          const why = whyUnreadable(input.args);
          return why === null ? next(input) : Promise.reject(refusal(`query ${input.queryName}`, why));
        },
      },
    ],
    outbound: [],
  };
}

/** @throws Error where one of the values could not be read: it fails the task, and not the workflow. */
export function requireReadable(what: string, ...values: readonly unknown[]): void {
  const why = whyUnreadable(values);
  if (why !== null) throw new Error(`${what} cannot be read: ${why}`);
}

function refusal(what: string, why: string): ApplicationFailure {
  report(what, why);
  return ApplicationFailure.nonRetryable(`${what} cannot be read: ${why}`, 'invalid_request');
}

function report(what: string, why: string): void {
  log.warn('security event', { security: 'message.refused', what, why });
}

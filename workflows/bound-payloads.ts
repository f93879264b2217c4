import { ApplicationFailure } from '@temporalio/common';
import { proxySinks, workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import {
  argumentOf,
  bind,
  bindAll,
  isBound,
  openValues,
  type RefusalSinks,
  REFUSED_START,
  type RefusedKind,
  resultOf,
} from '../src/contract/bound-values';

const { refusals } = proxySinks<RefusalSinks>();

interface ActivityCall {
  readonly activityType: string;
  readonly args: unknown[];
}

/**
 * If encryption keys are configured, everything that a workflow sends is bound to its purpose, and the workflow refuses
 * everything that is not bound to the expected purpose, except a query that is not bound at all. It ignores a signal
 * with another purpose, and ends at once if its own input has another purpose: neither fails a workflow task. Workflows
 * accept no updates. A result that cannot be read fails the task; if a key is missing, this lasts until the worker has
 * the key.
 */
export function interceptors(): WorkflowInterceptors {
  /** Determined by the input: a history is bound from its start or not at all. */
  let isSealed = false;
  const bound = (purpose: string, args: unknown[]) => (isSealed ? bindAll(purpose, args) : args);
  const received = (purpose: string, value: unknown) => requireResult(purpose, value, isSealed);
  const opened = (kind: 'signal' | 'query', name: string, args: unknown[]) =>
    openValues(argumentOf(kind, name), args, isSealed && kind !== 'query');
  const schedule = <Input extends ActivityCall>(input: Input, next: (input: Input) => Promise<unknown>) => {
    const { activityType: name, args } = input;
    const result = next({ ...input, args: bound(argumentOf('activity', name), args) });
    return result.then((value) => received(resultOf('activity', name), value));
  };
  return {
    inbound: [
      {
        execute(input, next) {
          const { workflowType } = workflowInfo();
          isSealed = input.args.some(isBound);
          const found = openValues(argumentOf('workflow', workflowType), input.args, isSealed);
          if (found.kind === 'refused') return Promise.reject(refusedStart(workflowType, found.why));
          if (found.values.length === 0) return Promise.reject(refusedStart(workflowType, 'it has no input'));
          const ended = next({ ...input, args: found.values });
          return isSealed ? ended.then((result) => bind(resultOf('workflow', workflowType), result)) : ended;
        },
        handleSignal(input, next) {
          const found = opened('signal', input.signalName, input.args);
          if (found.kind === 'opened') return next({ ...input, args: found.values });
          refusals.report('signal', input.signalName, found.why);
          return Promise.resolve();
        },
        handleQuery(input, next) {
          const found = opened('query', input.queryName, input.args);
          if (found.kind === 'refused') return Promise.reject(refusal('query', input.queryName, found.why));
          return next({ ...input, args: found.values });
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: schedule,
        scheduleLocalActivity: schedule,
        async startChildWorkflowExecution(input, next) {
          const { workflowType: name, options } = input;
          const args = bound(argumentOf('workflow', name), options.args);
          const [started, ended] = await next({ ...input, options: { ...options, args } });
          const result = ended.then((value) => received(resultOf('workflow', name), value));
          // The workflow decides whether anything waits for the result.
          result.catch(() => undefined);
          return [started, result];
        },
        signalWorkflow: (input, next) =>
          next({ ...input, args: bound(argumentOf('signal', input.signalName), input.args) }),
        continueAsNew: (input, next) =>
          next({ ...input, args: bound(argumentOf('workflow', input.options.workflowType), input.args) }),
      },
    ],
  };
}

/**
 * In a replay, a worker has accepted the input before, so this worker only lacks a key: the task fails until it has the
 * key.
 */
function refusedStart(workflowType: string, why: string): Error {
  if (workflowInfo().unsafe.isReplaying) return new Error(`the input cannot be read: ${why}`);
  return refusal('workflow', workflowType, why, REFUSED_START);
}

/** @throws Error if the value cannot be read or is bound to another purpose: that fails the task, not the workflow. */
function requireResult(purpose: string, value: unknown, isSealed: boolean): unknown {
  const found = openValues(purpose, [value], isSealed);
  if (found.kind === 'refused') throw new Error(`the ${purpose} cannot be read: ${found.why}`);
  return found.values[0];
}

function refusal(kind: RefusedKind, name: string, why: string, type = 'invalid_request'): ApplicationFailure {
  refusals.report(kind, name, why);
  return ApplicationFailure.nonRetryable(`${kind} ${name} cannot be read: ${why}`, type);
}

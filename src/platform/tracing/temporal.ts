import { context, propagation } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { withLogFields } from '../log';
import { faultOf, inSpan, inTraceOf, type Outcome } from './spans';
import { attributesOf, type Subject, subjectOf } from './subject';

/**
 * Traces across Temporal without code in workflows: an activity derives its trace from its input, so that timers, retries, restarts
 * and continued runs all belong to one trace. Names of spans and the header are those of Temporal's SDKs.
 */

/**
 * Creates a span for each run of an activity, in its subject's trace, and adds the subject to its log lines.
 * @param isStop whether a failure of this type only means that the activity continues later
 */
export function traceActivities(isStop: (type: string) => boolean): ActivityInterceptorsFactory {
  return ({ info }) => {
    let logged: Subject = {};
    const attributes = {
      'dueday.workflow_id': info.workflowExecution?.workflowId ?? '',
      'dueday.run_of_activity': info.attempt,
    };
    return {
      inbound: {
        execute(input, next) {
          const subject = subjectOf(input.args[0]);
          logged = subject;
          const described = {
            attributes,
            outcomeOf,
            outcomeOfError: (error: unknown) => outcomeOfError(error, isStop),
          };
          const work = () => next(input);
          return withLogFields({ ...subject }, () =>
            inTraceOf(subject, `RunActivity:${info.activityType}`, work, described),
          );
        },
      },
      // For the SDK's own log lines about the activity.
      outbound: { getLogAttributes: (input, next) => next({ ...input, ...logged }) },
    };
  };
}

/** Results are unions on `kind`, and the kind says enough. */
function outcomeOf(result: unknown): Outcome {
  const kind = typeof result === 'object' && result !== null && 'kind' in result ? result.kind : null;
  return typeof kind === 'string' ? { attributes: { 'dueday.outcome': kind } } : {};
}

function outcomeOfError(error: unknown, isStop: (type: string) => boolean): Outcome {
  const type = error instanceof ApplicationFailure ? error.type : null;
  if (type == null) return { fault: faultOf(error) };
  return isStop(type) ? { attributes: { 'dueday.outcome': type } } : { fault: type };
}

/** Creates a span for each call that starts or signals a workflow, linked to its subject's trace. */
export const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    called(`StartWorkflow:${input.workflowType}`, subjectOfCall(input.options.workflowId, input.options.args), (own) =>
      next({ ...input, headers: { ...input.headers, ...own } }),
    ),
  signalWithStart: (input, next) => {
    const { workflowId, args } = input.options;
    return called(`SignalWithStartWorkflow:${input.signalName}`, subjectOfCall(workflowId, args), (own) =>
      next({ ...input, headers: { ...input.headers, ...own } }),
    );
  },
  signal: (input, next) =>
    called(`SignalWorkflow:${input.signalName}`, subjectOfCall(idIn(input), input.args), (own) =>
      next({ ...input, headers: { ...input.headers, ...own } }),
    ),
};

function idIn(input: { readonly workflowExecution: { readonly workflowId?: string | null } }): string {
  return input.workflowExecution.workflowId ?? '';
}

/** The workflow id names the subscription; the arguments may name a cycle. */
function subjectOfCall(workflowId: string, args: readonly unknown[]): Subject {
  const [, subscriptionId] = /^subscription\/(.+)$/.exec(workflowId) ?? [];
  return { ...(subscriptionId === undefined ? {} : { subscriptionId }), ...subjectOf(args[0]) };
}

function called<T>(name: string, subject: Subject, call: (own: Headers) => Promise<T>): Promise<T> {
  const described = { kind: 'client', attributes: attributesOf(subject), linkedTo: subject } as const;
  return inSpan(name, () => call(currentHeaders()), described);
}

/** The key under which Temporal's SDKs pass the trace context. */
const HEADER = '_tracer-data';

/** Empty if nothing is traced: no header is sent. */
function currentHeaders(): Headers {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.keys(carrier).length === 0 ? {} : { [HEADER]: defaultPayloadConverter.toPayload(carrier) };
}

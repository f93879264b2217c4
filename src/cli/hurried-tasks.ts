import type { WorkflowClientInterceptor } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { type ClockSetting, hurried, SECOND } from '../domain/time';

/** Temporal's own: so long it waits for the worker that took a workflow's task, before another one may. Real ms. */
const TASK_PATIENCE = 10 * SECOND;

/**
 * What a client starts on a test clock that runs ahead is not kept waiting by a worker that died with its task: see
 * {@link hurried}. A workflow that continues as new keeps what it was started with.
 */
export function hurriedTasks(setting: ClockSetting): WorkflowClientInterceptor {
  const workflowTaskTimeout = msToTs(hurried(setting, TASK_PATIENCE));
  return {
    startWithDetails: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
    startUpdateWithStart: (input, next) =>
      next({ ...input, workflowStartOptions: { ...input.workflowStartOptions, workflowTaskTimeout } }),
  };
}

import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { baseQueue, queueName, queueOf } from '../src/contract/workflows';

/**
 * Sends each activity to the queue of its kind. On which queue an activity was scheduled is no part of a history's order of
 * commands: histories in which all were on the workflow's own queue, or notices among what collects, replay.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [],
    outbound: [
      {
        scheduleActivity(input, next) {
          const queue = queueOf(input.activityType);
          if (queue === null) return next(input);
          const taskQueue = queueName(baseQueue(workflowInfo().taskQueue), queue);
          return next({ ...input, options: { ...input.options, taskQueue } });
        },
      },
    ],
  };
}

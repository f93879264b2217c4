import { PAYMENT_WORKFLOW, REFUND_WORKFLOW } from '../contract/payments';
import { NOTICE_WORKFLOW, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { noticeWorkflowId } from '../contract/workflows';
import type { NoticeId } from '../domain/ids';
import { toIso } from '../domain/time';
import { unlessRunning, WHERE_NONE_RUNS } from './starts';
import { onTaskQueue, type TemporalGatewayDeps, withPatience } from './temporal';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'>;

const TYPES = [SUBSCRIPTION_WORKFLOW, PAYMENT_WORKFLOW, REFUND_WORKFLOW, NOTICE_WORKFLOW] as const;

/** A workflow that has ended, however it did; one that continued as new has not. */
export interface ClosedWorkflow {
  readonly type: (typeof TYPES)[number];
  /** Its workflow id without its type: of the subscription, the payment's request, the refund, the notice. */
  readonly id: string;
}

/** Of the workflows of a task queue, those that ended at or after an instant of real time. Temporal's lists lag. */
export async function* listClosed({ client, taskQueue }: Deps, sinceReal: number): AsyncGenerator<ClosedWorkflow> {
  const types = TYPES.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType in (${types}) and ${onTaskQueue(taskQueue)}
    and ExecutionStatus in ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut') and CloseTime >= '${toIso(sinceReal)}'`;
  for await (const { type, workflowId } of client.workflow.list({ query, pageSize: 500 })) {
    const known = TYPES.find((each) => each === type);
    if (known !== undefined) yield { type: known, id: workflowId.slice(workflowId.indexOf('/') + 1) };
  }
}

const START_MS = 10_000;

/** Starts the workflow of a notice again, unless it runs. */
export async function startNotice(deps: Deps, noticeId: NoticeId): Promise<void> {
  const options = { workflowId: noticeWorkflowId(noticeId), taskQueue: deps.taskQueue, ...WHERE_NONE_RUNS };
  const start = () =>
    deps.client.workflow.start(NOTICE_WORKFLOW, {
      ...options,
      args: [noticeId],
      staticSummary: 'deliver what is not delivered',
    });
  await unlessRunning(() => withPatience(deps, START_MS, start));
}

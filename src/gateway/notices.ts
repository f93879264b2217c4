import { NOTICE_WORKFLOW } from '../contract/messages';
import { noticeWorkflowId } from '../contract/workflows';
import type { NoticeId } from '../domain/ids';
import type { NotReady } from './outcomes';
import { unlessRunning, WHERE_NONE_RUNS } from './starts';
import { patienceOf, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** The way from the admin API to the workflows that deliver notices. */
export interface NoticeGateway {
  /** Delivers it now by a workflow of its own, in place of one that waits for its next try. */
  deliver(noticeId: NoticeId): Promise<NoticeRun>;
}

export type NoticeRun = { readonly kind: 'begun' } | NotReady;

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue' | 'patience'>;

export function createNoticeGateway(deps: Deps): NoticeGateway {
  return {
    deliver: (noticeId) =>
      begun(deps, () =>
        deps.client.workflow.start(NOTICE_WORKFLOW, {
          workflowId: noticeWorkflowId(noticeId),
          taskQueue: deps.taskQueue,
          args: [noticeId, true],
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: 'deliver again what a person has asked for',
        }),
      ),
  };
}

function begun(deps: Deps, ask: () => Promise<unknown>): Promise<NoticeRun> {
  return unlessAway(async () => {
    await withPatience(deps, patienceOf(deps).steerMs, ask);
    return { kind: 'begun' };
  });
}

/** Starts the workflow of a notice again, unless it runs. */
export async function startNotice(deps: Deps, noticeId: NoticeId): Promise<void> {
  const options = { workflowId: noticeWorkflowId(noticeId), taskQueue: deps.taskQueue, ...WHERE_NONE_RUNS };
  const start = () =>
    deps.client.workflow.start(NOTICE_WORKFLOW, {
      ...options,
      args: [noticeId],
      staticSummary: 'deliver what is not delivered',
    });
  await unlessRunning(() => withPatience(deps, patienceOf(deps).steerMs, start));
}

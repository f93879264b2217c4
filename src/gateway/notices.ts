import { NOTICE_WORKFLOW, noticeSignal } from '../contract/messages';
import { noticeWorkflowId, subscriptionWorkflowId } from '../contract/workflows';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { NoticeId, SubscriptionId } from '../domain/ids';
import type { NotReady } from './outcomes';
import { isNotReady, patienceOf, type TemporalGatewayDeps, withPatience } from './temporal';

/** The way from the admin API to the workflows that deliver notices. */
export interface NoticeGateway {
  /**
   * Notifies the subscription's workflow that a person has done something about a notice which it may be delivering: it
   * looks at once. What is in the ledger it finds in any case, with its own next try.
   */
  wake(subscriptionId: SubscriptionId): Promise<NoticeRun>;
  /** Delivers it now by a workflow of its own, in place of one that waits for its next try. */
  deliver(noticeId: NoticeId): Promise<NoticeRun>;
}

export type NoticeRun = { readonly kind: 'begun' } | NotReady;

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue' | 'patience'>;

export function createNoticeGateway(deps: Deps): NoticeGateway {
  return {
    wake: (subscriptionId) =>
      begun(deps, async () => {
        await deps.client.workflow
          .getHandle(subscriptionWorkflowId(subscriptionId))
          .signal(noticeSignal)
          .catch(unlessEnded);
      }),
    deliver: (noticeId) =>
      begun(deps, async () => {
        await deps.client.workflow.start(NOTICE_WORKFLOW, {
          workflowId: noticeWorkflowId(noticeId),
          taskQueue: deps.taskQueue,
          args: [noticeId, true],
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: 'deliver again what a person has asked for',
        });
      }),
  };
}

async function begun(deps: Deps, ask: () => Promise<void>): Promise<NoticeRun> {
  try {
    await withPatience(deps, patienceOf(deps).steerMs, ask);
    return { kind: 'begun' };
  } catch (error) {
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

/** The workflow that waited for the notice has ended: the ledger has what was done. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { NOTICE_WORKFLOW } from '../src/contract/messages';
import { noticeWorkflowId } from '../src/contract/workflow-ids';
import type { NoticeId } from '../src/domain/ids';

/** Starts the delivery of a notice that nothing waits for; a second start of it is none. */
export async function sendNotice(noticeId: NoticeId): Promise<void> {
  try {
    await startChild(NOTICE_WORKFLOW, {
      workflowId: noticeWorkflowId(noticeId),
      args: [noticeId],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `notice ${noticeId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

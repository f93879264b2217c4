import { ActivityFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import type { ConsentRequestResult, DiscardResult } from '../src/contract/activities';
import { NOTICE_WORKFLOW } from '../src/contract/messages';
import { noticeWorkflowId } from '../src/contract/workflows';
import type { NoticeId } from '../src/domain/ids';

/** Work in turns: each begins when the one before has ended, however it ended. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  get idle(): boolean {
    return this.waiting === 0;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const done = () => {
      this.waiting -= 1;
    };
    const turn = this.last.then(work, work);
    this.last = turn.then(done, done);
    return turn;
  }
}

/** The worker died with the request under way, or the time was up: what is on record only discarding tells. */
export function unavailable(error: unknown): ConsentRequestResult {
  if (!(error instanceof ActivityFailure)) throw error;
  return { kind: 'unavailable', reason: error.cause?.message ?? error.message };
}

/** What a request came to that the worker could not tell: the ledger has the last word (rule 18). */
export function afterDiscarding(answer: ConsentRequestResult, discarded: DiscardResult): ConsentRequestResult {
  return discarded?.kind === 'on_record' ? { ...discarded, kind: 'requested' } : answer;
}

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

import { type SearchAttributePair, TemporalFailure } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { changedSignal } from '../src/contract/messages';

/** Real time by the workflow's deterministic clock. Epoch ms. */
export function realNow(): number {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- inside a workflow Date is the workflow's own time
  return Date.now();
}

/** Whether the error is a failure of something that a workflow requested from Temporal, and neither a cancellation nor a bug of ours. */
export function isFailure(error: unknown): error is TemporalFailure {
  return error instanceof TemporalFailure && !isCancellation(error);
}

/** Notifies a workflow of its row's revision; one that has ended needs no signal. */
export async function signalChanged(workflowId: string, revision: number): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(changedSignal, revision);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}

/** Attributes omitted by a step do not change. */
type Wanted = { readonly key: SearchAttributePair['key']; readonly value: string | undefined };

/** Upserts only the search attributes that change: each upsert is an event in the history. */
export function showAttributes(wanted: readonly Wanted[]): void {
  const shown = workflowInfo().typedSearchAttributes;
  const changed = wanted.filter(({ key, value }) => value !== undefined && shown.get(key) !== value);
  if (changed.length > 0) upsertSearchAttributes(changed as SearchAttributePair[]);
}

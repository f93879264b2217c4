import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { SubscriptionId } from '../domain/ids';
import type { AttemptRef } from './steps';

export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}

/** The id of the workflow that follows one attempt to its outcome. */
export function attemptWorkflowId(subscriptionId: SubscriptionId, { cycle, attempt }: AttemptRef): string {
  return `attempt/${subscriptionId}/${cycle}/${attempt}`;
}

/** Search attributes, by which the Temporal Web UI can filter. No personal data. All three are keywords. */
export const DUEDAY_STATUS = defineSearchAttributeKey<'KEYWORD'>('DuedayStatus', SearchAttributeType.KEYWORD);
export const DUEDAY_STANDING = defineSearchAttributeKey<'KEYWORD'>('DuedayStanding', SearchAttributeType.KEYWORD);
export const DUEDAY_REPETITION = defineSearchAttributeKey<'KEYWORD'>('DuedayRepetition', SearchAttributeType.KEYWORD);

export const SEARCH_ATTRIBUTES = [DUEDAY_STATUS, DUEDAY_STANDING, DUEDAY_REPETITION];

/**
 * Queues with their own slots for work that must not wait for other work (rule 31): work that needs only the ledger, work for
 * which operators and payers wait, and collecting, however much of it is due at once.
 */
export const QUEUES = ['ledger', 'interactive', 'collecting'] as const;
export type Queue = (typeof QUEUES)[number];

/** @param base the configured task queue, on which workflows run */
export function queueName(base: string, queue: Queue): string {
  return `${base}/${queue}`;
}

/** Workflows that operators and payers wait for start here, so that thousands waking on the base queue do not delay them. */
export function interactiveQueue(base: string): string {
  return queueName(base, 'interactive');
}

const INTERACTIVE = queueName('', 'interactive');

/** Whether a workflow runs on the queue for work for which operators and payers wait. */
export function isInteractiveQueue(taskQueue: string): boolean {
  return taskQueue.endsWith(INTERACTIVE);
}

/** @param taskQueue the task queue of a workflow */
export function baseQueue(taskQueue: string): string {
  return isInteractiveQueue(taskQueue) ? taskQueue.slice(0, -INTERACTIVE.length) : taskQueue;
}

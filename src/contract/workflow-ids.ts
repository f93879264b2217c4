import type { NoticeId, SubscriptionId } from '../domain/ids';

export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}

export function noticeWorkflowId(noticeId: NoticeId): string {
  return `notice/${noticeId}`;
}

import type { NoticeKind } from '../../../contract/notices';
import { words } from '../../format';

const NAMES: Readonly<Record<NoticeKind, string>> = {
  'payment.failed': 'A payment failed',
  'payment.increase_announced': 'The amount will rise',
  'payment.upcoming': 'A payment is due soon',
  'subscription.paused': 'Paused',
  'subscription.resumed': 'Resumed',
  'subscription.cancelled': 'Cancelled',
  'subscription.completed': 'Completed',
  'consent.failed': 'The consent failed',
  'cycle.missed': 'A cycle was missed',
  'cycle.failed': 'A cycle failed',
  'cycle.unresolved': 'An outcome is unknown',
  'capture.deadline_near': 'A capture deadline is near',
};

/** The name of a notice; the API's own, in plain words, for a type that this page does not know. */
export function nameOfNotice(type: string): string {
  const known: Readonly<Partial<Record<string, string>>> = NAMES;
  return known[type] ?? words(type.replace('.', ' '));
}

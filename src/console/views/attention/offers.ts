import type { OperationId } from '../../../client/operations';
import { money, type MoneyValue } from '../../format';
import type { Attention, RecommendedCall } from '../common/schemas';

/** How the console offers a recommended call. */
interface Offer {
  readonly label: string;
  readonly needs: OperationId;
  readonly consequences: string;
  readonly isGrave?: boolean;
}

/** The outcome of a recommended call in words, and what is left to do for an item of this kind. */
export function doneText(label: string, kind: string): string {
  return `Done: ${label}. ${LEFT_TO_DO[kind] ?? 'The item leaves the list once its cause is gone.'}`;
}

/** The warnings of an answer, such as that the refunded debit has already been reversed. */
export function warningsIn({ warnings }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [];
}

/** What is left to do for the kinds of items that stay after their recommended call. */
const LEFT_TO_DO: Readonly<Partial<Record<string, string>>> = {
  contradiction: 'Close the item when you have checked the result.',
  debit_after_cancel: 'Acknowledge the item when you have checked the result.',
};

/** Kinds of items about an attempt that an operator may resolve (rules 18, 41). */
const RESOLVABLE: ReadonlySet<string> = new Set(['unresolved', 'unlisted', 'pending_past_window']);

export function isResolvable({ kind }: Pick<Attention, 'kind'>): boolean {
  return RESOLVABLE.has(kind);
}

/** Kinds of items that stay until an operator acknowledges them, and whose recommended call does not do that (rule 25). */
const ACKNOWLEDGED: ReadonlySet<string> = new Set(['capture_failed', 'debit_after_cancel', 'notice_undeliverable']);

export function isAcknowledgeable({ kind }: Pick<Attention, 'kind'>): boolean {
  return ACKNOWLEDGED.has(kind);
}

/**
 * The previous cycle, if the item asks which of two cycles was paid by a debit that another system made (rule 40); null
 * otherwise. Such an item has as evidence the previous cycle's end in the ledger, and the authorization that the service lists.
 */
export function previousInQuestion({
  kind,
  cycle,
  ledger,
  service,
}: Pick<Attention, 'kind' | 'cycle' | 'ledger' | 'service'>): number | null {
  if (kind !== 'contradiction' || cycle === null || service?.state !== 'listed') return null;
  return ledger?.state === 'failed' || ledger?.state === 'missed' ? cycle - 1 : null;
}

/** The offer for a call; null if the console does not know the call. */
export function offerOf({ method, path, body }: RecommendedCall): Offer | null {
  if (method === 'PATCH') return path.startsWith('/v1/webhook-endpoints/') ? OFFERS['enable'] : null;
  const verb = path.slice(path.lastIndexOf('/') + 1);
  const isPayment = path.startsWith('/v1/payments/');
  switch (verb) {
    case 'refunds':
      return refundOf(body['amount'] as MoneyValue, isPayment ? 'refundPayment' : 'refundCycle');
    case 'restart':
      return { ...OFFERS.restart, needs: isPayment ? 'restartPayment' : 'restartSubscription' };
    case 'consent-check':
      return isPayment ? OFFERS.checkPayment : OFFERS.check;
    case 'acknowledge':
    case 'resume':
    case 'replay':
      return OFFERS[verb];
    default:
      return null;
  }
}

function refundOf(amount: MoneyValue, needs: OperationId): Offer {
  return {
    label: `Refund ${money(amount)}`,
    needs,
    consequences: `${money(amount)} goes back to the payer. It cannot be undone.`,
    isGrave: true,
  };
}

const OFFERS = {
  restart: {
    label: 'Restart workflow',
    needs: 'restartSubscription',
    consequences:
      'The workflow is restarted from the state in the ledger. Nothing that was collected is collected again.',
  },
  check: {
    label: 'Check consent',
    needs: 'checkConsent',
    consequences:
      'dueday asks the payment service for the consent now. If the consent has ended, the subscription is cancelled.',
  },
  checkPayment: {
    label: 'Check consent',
    needs: 'checkPayment',
    consequences: 'dueday asks the payment service now whether the payer has approved.',
  },
  acknowledge: {
    label: 'Acknowledge',
    needs: 'acknowledgeSubscription',
    consequences:
      'The items that give the subscription the standing “needs attention” are closed. Nothing else changes.',
  },
  resume: {
    label: 'Resume subscription',
    needs: 'resumeSubscription',
    consequences: 'Due dates from now on are collected again. Due dates during the pause stay skipped.',
  },
  replay: {
    label: 'Replay failed events',
    needs: 'replayEvents',
    consequences:
      'Events that could not be delivered to this endpoint are sent again. Events that fail again are kept.',
  },
  enable: {
    label: 'Enable endpoint',
    needs: 'changeWebhookEndpoint',
    consequences:
      'The endpoint is enabled, and pending events are delivered at once. Then replay the events from the time it was disabled.',
  },
} as const satisfies Readonly<Record<string, Offer>>;

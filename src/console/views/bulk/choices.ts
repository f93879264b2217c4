import type { OperationId } from '../../../client/operations';
import type { BulkAction } from '../common/schemas';

/** The parameters that an action may have. */
export type BulkField = 'until' | 'at' | 'reason' | 'requiredReason' | 'amount' | 'fromCycle';

interface BulkChoice {
  /** The label of its button. */
  readonly name: string;
  /** The words before the number of subscriptions, on the button and in the name of the job; `name` by default. */
  readonly label?: string;
  /** The individual call, which the user must be allowed to make. */
  readonly needs: OperationId;
  /** Whether it cannot be undone. */
  readonly isGrave?: boolean;
  /** What the individual call does. */
  readonly means: string;
  readonly fields: readonly BulkField[];
}

/** Each action makes the individual call `needs` for every subscription, as the user who started the job. */
export const BULK_CHOICES: Readonly<Record<BulkAction, BulkChoice>> = {
  pause: {
    name: 'Pause',
    needs: 'pauseSubscription',
    means: 'Due dates during the pause are skipped for good. Payments already sent may still be collected.',
    fields: ['until', 'reason'],
  },
  resume: {
    name: 'Resume',
    needs: 'resumeSubscription',
    means: 'Due dates from then on are collected again. Due dates during the pause stay skipped.',
    fields: ['reason'],
  },
  cancel: {
    name: 'Cancel',
    needs: 'cancelSubscription',
    isGrave: true,
    means: 'Nothing more is collected, and each consent is ended at the payment service. This cannot be undone.',
    fields: ['reason'],
  },
  retry: {
    name: 'Retry',
    needs: 'retryCycle',
    means: 'A waiting retry is made at once or at the given time, if the payer was notified and time is left.',
    fields: ['at', 'requiredReason'],
  },
  'consent-check': {
    name: 'Check consents',
    label: 'Check consents of',
    needs: 'checkConsent',
    means: 'dueday asks the payment service for each consent. If a consent has ended, its subscription is cancelled.',
    fields: [],
  },
  acknowledge: {
    name: 'Acknowledge',
    needs: 'acknowledgeSubscription',
    means: 'The items that give the subscriptions the standing “needs attention” are closed. Nothing else changes.',
    fields: ['requiredReason'],
  },
  'amount-change': {
    name: 'Change amount',
    label: 'Change the amount of',
    needs: 'changeAmount',
    means: 'All get the same amount, if the rules allow it. Payers are notified before an increase.',
    fields: ['amount', 'fromCycle', 'reason'],
  },
};

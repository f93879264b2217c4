import { Field } from '../../parts';
import type { OperationId } from '../../../client/operations';
import { may } from '../../session';
import { AmountField, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import type { BulkAction } from '../common/schemas';
import { amountOf } from '../common/typed';

interface BulkChoice {
  /** The label of its button. */
  readonly name: string;
  /** The start of the label of the button that carries it out, if it is not the name; the number of subscriptions follows. */
  readonly label?: string;
  /** The single call, which the user must be allowed to make. */
  readonly needs: OperationId;
  /** Whether it cannot be undone. */
  readonly isGrave?: boolean;
  /** What the single call does. */
  readonly means: string;
  readonly fields: readonly (keyof typeof FIELDS)[];
}

/** Each makes the single call of its name for every subscription, as the user who started the job. */
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
    fields: ['at', 'why'],
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
    means: 'The items that give them the standing “needs attention” are closed. Nothing else changes.',
    fields: ['why'],
  },
  'amount-change': {
    name: 'Change amount',
    label: 'Change the amount of',
    needs: 'changeAmount',
    means: 'All get the same amount, if the rules allow it. Payers are notified before an increase.',
    fields: ['amount', 'fromCycle', 'reason'],
  },
};

const FIELDS = {
  until: () => (
    <Field label="Until" hint="In your local time. If empty, the pause lasts until the subscriptions are resumed.">
      <input type="datetime-local" name="until" />
    </Field>
  ),
  at: () => (
    <Field label="At" hint="In your local time. If empty, the retries are made at once.">
      <input type="datetime-local" name="at" />
    </Field>
  ),
  reason: () => <ReasonField />,
  why: () => <ReasonField isRequired />,
  amount: () => <AmountField label="New amount, in euros" start="" />,
  fromCycle: () => (
    <Field label="From cycle" hint="If empty, from the next cycle of each subscription.">
      <input type="number" name="fromCycle" min={0} max={100_000} />
    </Field>
  ),
} as const;

/** The actions that the signed-in user may take. */
export function bulkActions(): readonly BulkAction[] {
  return (Object.keys(BULK_CHOICES) as BulkAction[]).filter((each) => may(BULK_CHOICES[each].needs));
}

/** The parameters of the action. */
export function BulkFields({ of }: { readonly of: BulkAction }) {
  return (
    <>
      {BULK_CHOICES[of].fields.map((name) => {
        const Input = FIELDS[name];
        return <Input key={name} />;
      })}
    </>
  );
}

/** The body of the single call, from the form of the action. @throws Error if the amount is invalid */
export function parametersOf(form: FormData): Record<string, unknown> {
  const fromCycle = textOf(form, 'fromCycle');
  return {
    until: instantOf(form, 'until'),
    at: instantOf(form, 'at'),
    amount: form.has('amount') ? amountOf(requiredText(form, 'amount')) : undefined,
    fromCycle: fromCycle === undefined ? undefined : Number(fromCycle),
    reason: textOf(form, 'reason'),
  };
}

import { Field } from '../../parts';
import type { OperationId } from '../../../client/operations';
import { may } from '../../session';
import { AmountField, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import type { BulkAction } from '../common/schemas';
import { amountOf } from '../common/typed';

interface BulkChoice {
  /** On the button, before how many it concerns. */
  readonly label: string;
  /** The single call, which the user who orders it must be allowed to make. */
  readonly needs: OperationId;
  /** It ends something for good. */
  readonly isGrave?: boolean;
  /** What the single call leads to. */
  readonly means: string;
  readonly fields: readonly (keyof typeof FIELDS)[];
}

/** Each makes the single call of its name for every subscription, as the user who orders it. */
export const BULK_CHOICES: Readonly<Record<BulkAction, BulkChoice>> = {
  pause: {
    label: 'Pause',
    needs: 'pauseSubscription',
    means: 'Due dates in the pause are skipped for good. What was sent already may still land.',
    fields: ['until', 'reason'],
  },
  resume: {
    label: 'Resume',
    needs: 'resumeSubscription',
    means: 'Due dates from then on are collected again. Those of the pause stay skipped.',
    fields: ['reason'],
  },
  cancel: {
    label: 'Cancel',
    needs: 'cancelSubscription',
    isGrave: true,
    means: 'No new attempt is made, and each consent is ended at the payment service. This cannot be undone.',
    fields: ['reason'],
  },
  retry: {
    label: 'Retry',
    needs: 'retryCycle',
    means: 'The cycle that waits for its retry is tried at once, if the payer was notified and time is left.',
    fields: ['why'],
  },
  'consent-check': {
    label: 'Check the consent of',
    needs: 'checkConsent',
    means: 'The payment service is asked for each consent. Where it has ended, the subscription ends with it.',
    fields: [],
  },
  acknowledge: {
    label: 'Acknowledge',
    needs: 'acknowledgeSubscription',
    means: 'All open attention items are cleared, and the standing with them.',
    fields: ['why'],
  },
  'amount-change': {
    label: 'Change the amount of',
    needs: 'changeAmount',
    means: 'All get the same amount, each where its rules allow it. Payers are notified before an increase.',
    fields: ['amount', 'fromCycle', 'reason'],
  },
};

const FIELDS = {
  until: () => (
    <Field label="Until" hint="In your time. Left empty, it lasts until somebody resumes them.">
      <input type="datetime-local" name="until" />
    </Field>
  ),
  reason: () => <ReasonField />,
  why: () => <ReasonField isRequired />,
  amount: () => <AmountField label="New amount, in euros" start="" />,
  fromCycle: () => (
    <Field label="From cycle" hint="Left empty, from the next one of each on.">
      <input type="number" name="fromCycle" min={0} max={100_000} />
    </Field>
  ),
} as const;

/** What the one who is signed in may do. */
export function bulkActions(): readonly BulkAction[] {
  return (Object.keys(BULK_CHOICES) as BulkAction[]).filter((each) => may(BULK_CHOICES[each].needs));
}

/** What the action needs besides the subscriptions that it concerns. */
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

/** The body of the single call, of what the form of its action has. @throws Error where the amount is none */
export function parametersOf(form: FormData): Record<string, unknown> {
  const fromCycle = textOf(form, 'fromCycle');
  return {
    until: instantOf(form, 'until'),
    amount: form.has('amount') ? amountOf(requiredText(form, 'amount')) : undefined,
    fromCycle: fromCycle === undefined ? undefined : Number(fromCycle),
    reason: textOf(form, 'reason'),
  };
}

import { Field } from '../../parts';
import { may } from '../../session';
import { AmountField, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import type { BulkAction } from '../common/schemas';
import { amountOf } from '../common/typed';
import { BULK_CHOICES, type BulkField } from './choices';

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
  requiredReason: () => <ReasonField isRequired />,
  amount: () => <AmountField label="New amount, in euros" start="" />,
  fromCycle: () => (
    <Field label="From cycle" hint="If empty, from the next cycle of each subscription.">
      <input type="number" name="fromCycle" min={0} max={100_000} />
    </Field>
  ),
} as const satisfies Readonly<Record<BulkField, unknown>>;

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

/** The body of the individual call, from the form of the action. @throws Error if the amount is invalid */
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

import { useLocation } from 'preact-iso';
import { post } from '../../client';
import { Field } from '../../parts';
import { Action, instantOf, ReasonField, requiredText } from '../common/action';
import type { Selection } from '../common/selection';
import { CurrentFilter } from '../bulk/current-filter';

/** Holds the subscriptions of the filter; the list of holds, which opens then, shows what the hold would cost. */
export function HoldThese({ of: filter }: { readonly of: Selection }) {
  const { route } = useLocation();
  return (
    <Action
      label="Hold all of these"
      action="Hold"
      title="Hold collection"
      needs="createHold"
      changes={['holds', 'subscriptions', 'attention', 'reports']}
      consequences={
        <>
          <CurrentFilter of={filter} />
          <p>
            Until the hold ends, no attempt starts for the subscriptions that match now. No due date is skipped:
            collection continues afterwards, but a payment whose collection window closes meanwhile is missed or, after
            a first attempt, failed. The next page shows how much would be lost.
          </p>
        </>
      }
      run={async (form, key) => {
        const body = { filter, until: instantOf(form, 'until') ?? '', reason: requiredText(form, 'reason') };
        await post('/v1/holds', undefined, body, key);
        route('/holds');
      }}
    >
      <Field label="Until" hint="In your local time. The hold ends by itself then.">
        <input type="datetime-local" name="until" required />
      </Field>
      <ReasonField isRequired />
    </Action>
  );
}

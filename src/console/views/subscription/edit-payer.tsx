import { LANGUAGES } from '../../../contract/notices';
import { api, ask } from '../../client';
import { Field } from '../../parts';
import { Action, textOf } from '../common/action';
import type { Subscription } from '../common/schemas';

type Payer = Subscription['payer'];

/** The payer's data. The audit log names the changed fields, never their values (rule 29). */
export function EditPayer({ subscription: { subscriptionId: id, payer } }: { readonly subscription: Subscription }) {
  return (
    <Action
      label="Edit payer"
      title="Edit payer"
      action="Save payer"
      needs="changePayer"
      changes={['subscription', 'subscriptions', 'notices']}
      consequences={
        <p>
          Undelivered notices are sent to a new e-mail address at once. Retries wait for a notice, and so for a working
          address.
        </p>
      }
      run={async (form) => {
        const body = changedIn(form, payer);
        if (Object.keys(body).length === 0) return;
        await ask(api.PATCH('/v1/subscriptions/{id}/payer', { params: { path: { id } }, body }));
      }}
    >
      <Field label="E-mail" hint="Leave it empty to remove the address.">
        <input name="email" inputMode="email" autocomplete="off" defaultValue={payer.email ?? ''} />
      </Field>
      <Field label="Reference" hint="Your own identifier for the payer, such as a customer number.">
        <input name="reference" autocomplete="off" defaultValue={payer.reference ?? ''} />
      </Field>
      <Field label="Language" hint="For notices.">
        <select name="language">
          <option value="">default: {LANGUAGES[0]}</option>
          {LANGUAGES.map((each) => (
            <option key={each} value={each} selected={each === payer.language}>
              {each}
            </option>
          ))}
        </select>
      </Field>
    </Action>
  );
}

/** Only the changed fields, because writing an address resends notices. Null removes a value. */
function changedIn(form: FormData, was: Payer) {
  const change = (name: keyof Payer) => {
    const typed = textOf(form, name) ?? null;
    return typed === (was[name] ?? null) ? [] : [[name, typed] as const];
  };
  return Object.fromEntries([...change('email'), ...change('reference'), ...change('language')]) as {
    [Name in keyof Payer]: Payer[Name] | null;
  };
}

import { LANGUAGES } from '../../../contract/notices';
import { api, ask } from '../../client';
import { Field } from '../../parts';
import { Action, textOf } from '../common/action';
import type { Subscription } from '../common/schemas';

type Payer = Subscription['payer'];

/** What is known of the payer. The trail names the fields that changed, never what they hold (rule 29). */
export function EditPayer({ subscription: { subscriptionId: id, payer } }: { readonly subscription: Subscription }) {
  return (
    <Action
      label="Edit payer"
      title="Edit the payer"
      action="Keep payer"
      needs="changePayer"
      changes={['subscription', 'subscriptions', 'notices']}
      consequences={
        <p>
          Notices that did not arrive go to a new e-mail address at once. Retries wait for a notice, and so for an
          address.
        </p>
      }
      run={async (form) => {
        const body = changedIn(form, payer);
        if (Object.keys(body).length === 0) return;
        await ask(api.PATCH('/v1/subscriptions/{id}/payer', { params: { path: { id } }, body }));
      }}
    >
      <Field label="E-mail" hint="Leave it empty for none.">
        <input name="email" inputMode="email" autocomplete="off" defaultValue={payer.email ?? ''} />
      </Field>
      <Field label="Reference" hint="Your own name of the payer.">
        <input name="reference" autocomplete="off" defaultValue={payer.reference ?? ''} />
      </Field>
      <Field label="Language" hint="Of the notices.">
        <select name="language">
          <option value="">none: {LANGUAGES[0]}</option>
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

/** Only what is otherwise: an address that is written anew has notices sent again. Null takes away. */
function changedIn(form: FormData, was: Payer) {
  const is = (name: keyof Payer) => {
    const typed = textOf(form, name) ?? null;
    return typed === (was[name] ?? null) ? [] : [[name, typed] as const];
  };
  return Object.fromEntries([...is('email'), ...is('reference'), ...is('language')]) as {
    [Name in keyof Payer]: Payer[Name] | null;
  };
}

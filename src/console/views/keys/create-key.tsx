import { SCOPES } from '../../../client/values';
import { api, ask } from '../../client';
import { Field } from '../../parts';
import { Action, instantOf, ReasonField, requiredText, textOf } from '../common/action';
import type { Key } from '../common/schemas';
import { amountOf } from '../common/typed';

type Scope = Key['scopes'][number];

interface CreateKeyProps {
  /** Whether the bootstrap key is valid without an end: it ends a day after the first admin key is created. */
  readonly endsBootstrap: boolean;
}

export function CreateKey({ endsBootstrap }: CreateKeyProps) {
  return (
    <Action
      label="New key"
      title="Create a key"
      action="Create key"
      needs="createKey"
      changes={['keys']}
      consequences={
        <>
          <p>Anyone who has the key can do what its role allows. It is shown only once; dueday stores only its hash.</p>
          {endsBootstrap ? (
            <p>
              The first key with the role admin ends the bootstrap key: a day later it is refused, and its sessions end.
              Sign in with the new key before then.
            </p>
          ) : null}
        </>
      }
      run={async (form, key) => {
        const headers = { 'idempotency-key': key };
        return (await ask(api.POST('/v1/keys', { body: bodyOf(form), headers }))).key;
      }}
      shows="The new key"
    >
      <Field label="Name" hint="The audit log shows keys by name. A name can never be used again.">
        <input name="name" required maxLength={100} autocomplete="off" />
      </Field>
      <Field
        label="Holder"
        hint="The person responsible for the key. A key without a holder can neither request nor give approval."
      >
        <input name="holder" maxLength={100} autocomplete="off" />
      </Field>
      <Field label="Role">
        <select name="role">
          <option value="viewer">viewer: read only</option>
          <option value="operator">operator: also pauses, changes, captures, refunds</option>
          <option value="admin">admin: everything</option>
        </select>
      </Field>
      <details class="more">
        <summary>Expiry, scopes and limits</summary>
        <Field label="Expires" hint="In your local time. If empty, the key is valid until it is revoked.">
          <input name="expiresAt" type="datetime-local" />
        </Field>
        <fieldset class="choices">
          <legend>Scopes</legend>
          <p class="hint">Restrict the key to parts of its role. If none is chosen, it has the whole role.</p>
          <div class="choices-list">
            {SCOPES.map((scope) => (
              <label key={scope}>
                <input type="checkbox" name="scopes" value={scope} /> {scope}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="Refunds per day" path="limits.refundPerDay" hint="In euros. If empty, there is no limit.">
          <input name="refundPerDay" inputMode="decimal" autocomplete="off" />
        </Field>
        <Field
          label="Amount change per call"
          path="limits.changePerCall"
          hint="In euros, up or down. If empty, there is no limit."
        >
          <input name="changePerCall" inputMode="decimal" autocomplete="off" />
        </Field>
      </details>
      <ReasonField />
    </Action>
  );
}

/** @throws Error if a limit is not an amount */
function bodyOf(form: FormData) {
  const limits = { refundPerDay: limitOf(form, 'refundPerDay'), changePerCall: limitOf(form, 'changePerCall') };
  const scopes = form.getAll('scopes') as Scope[];
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  return {
    name: requiredText(form, 'name'),
    role: requiredText(form, 'role') as Key['role'],
    holder: textOf(form, 'holder'),
    expiresAt: instantOf(form, 'expiresAt'),
    scopes: scopes.length === 0 ? undefined : scopes,
    limits: isLimited ? limits : undefined,
    reason: textOf(form, 'reason'),
  };
}

function limitOf(form: FormData, name: string) {
  const text = textOf(form, name);
  return text === undefined ? undefined : amountOf(text);
}

import { api, ask } from '../../client';
import { type Column, Empty, Field, Instant } from '../../parts';
import { may } from '../../session';
import { Action, ReasonField, requiredText, textOf } from '../common/action';
import { useAnswer } from '../common/answers';
import { usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Key } from '../common/schemas';

const CHANGES = ['keys'];

/** API keys, for admins. */
export default function Keys() {
  return (
    <>
      <h1>Keys</h1>
      {may('listKeys') ? <List /> : <Empty>Only admins can see keys.</Empty>}
    </>
  );
}

function List() {
  const query = usePageQuery<'listKeys'>([]);
  const page = useAnswer(['keys'], '/v1/keys', { query }, { keepsPrevious: true });
  return (
    <>
      <div class="actions">
        <CreateKey />
      </div>
      <Listing what="keys" page={page} columns={COLUMNS} keyOf={({ keyId }) => keyId} empty="No keys." />
    </>
  );
}

const COLUMNS: readonly Column<Key>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Holder', cell: ({ holder }) => holder ?? '' },
  { head: 'Role', cell: ({ role }) => <span class="word">{role}</span> },
  { head: 'May do', cell: ({ scopes }) => (scopes.length === 0 ? 'everything in its role' : scopes.join(', ')) },
  { head: 'Starts with', cell: ({ prefix }) => <span class="word">{prefix ?? ''}</span> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : <Instant at={lastUsedAt} />) },
  { head: 'State', cell: (key) => <State of={key} /> },
  { head: 'Actions', cell: (key) => (key.revokedAt === undefined ? <Revoke of={key} /> : null) },
];

function State({ of: { revokedAt, expiresAt } }: { readonly of: Key }) {
  const at = revokedAt ?? expiresAt;
  if (at === undefined) return <>valid</>;
  return (
    <>
      {revokedAt === undefined ? 'until' : 'revoked'} <Instant at={at} />
    </>
  );
}

function CreateKey() {
  return (
    <Action
      label="New key"
      title="Create a key"
      action="Create key"
      needs="createKey"
      changes={CHANGES}
      consequences={
        <p>Anyone who has the key can do what its role allows. It is shown only once; dueday stores only its hash.</p>
      }
      run={async (form, key) => {
        const body = {
          name: requiredText(form, 'name'),
          role: requiredText(form, 'role') as Key['role'],
          holder: textOf(form, 'holder'),
          reason: textOf(form, 'reason'),
        };
        const headers = { 'idempotency-key': key };
        return (await ask(api.POST('/v1/keys', { body, headers }))).key;
      }}
      shows="The new key"
    >
      <Field label="Name" hint="The audit log shows keys by name. A name can never be used again.">
        <input name="name" required maxLength={100} autocomplete="off" />
      </Field>
      <Field
        label="Holder"
        hint="The person who uses the key. A key without a holder can neither request nor give approval."
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
      <ReasonField />
    </Action>
  );
}

function Revoke({ of: { keyId, name } }: { readonly of: Key }) {
  return (
    <Action
      label="Revoke"
      title={`Revoke ${name}`}
      needs="revokeKey"
      isGrave
      changes={CHANGES}
      consequences={
        <p>
          From now on, requests with <strong>{name}</strong> are refused, and its sessions end. This cannot be undone. A
          new key needs a new name.
        </p>
      }
      run={(form) => {
        const query = { reason: textOf(form, 'reason') };
        return ask(api.DELETE('/v1/keys/{id}', { params: { path: { id: keyId }, query } }));
      }}
    >
      <ReasonField />
    </Action>
  );
}

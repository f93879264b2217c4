import { api, ask } from '../../client';
import { hasPassed, money } from '../../format';
import { type ChosenColumn, Empty, Instant, useColumns } from '../../parts';
import { may } from '../../session';
import { Action, ReasonField, textOf } from '../common/action';
import { useAnswer } from '../common/answers';
import { isShort } from '../common/facts';
import { usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import type { Key } from '../common/schemas';
import { CreateKey } from './create-key';

const CHANGES = ['keys'];

/** API keys, for admins. */
export default function Keys() {
  if (may('listKeys')) return <List />;
  return (
    <>
      <h1>Keys</h1>
      <Empty>Only admins can see keys.</Empty>
    </>
  );
}

function List() {
  const query = usePageQuery<'listKeys'>([]);
  const page = useAnswer(['keys'], '/v1/keys', { query }, { keepsPrevious: true });
  const { shown, menu } = useColumns('keys', COLUMNS);
  return (
    <>
      <header class="heading">
        <h1>Keys</h1>
        <span class="row-actions">
          {menu}
          <CreateKey endsBootstrap={page.data?.items.some(isBootstrap) ?? false} />
        </span>
      </header>
      <Listing what="keys" page={page} columns={shown} keyOf={({ keyId }) => keyId} empty="No keys." />
    </>
  );
}

const COLUMNS: readonly ChosenColumn<Key>[] = [
  {
    head: 'Name',
    cell: ({ name, prefix }) => (
      <>
        <span class={isShort(name) ? 'word' : undefined}>{name}</span>{' '}
        {prefix === undefined ? null : <span class="under word">starts with {prefix}</span>}
      </>
    ),
    isFixed: true,
  },
  { head: 'Holder', cell: ({ holder }) => holder && <span class="word">{holder}</span> },
  { head: 'Role', cell: ({ role }) => <span class="word">{role}</span> },
  {
    head: 'May do',
    cell: ({ scopes, limits }) => (
      <>
        {scopes.length === 0 ? 'everything in its role' : scopes.join(', ')}{' '}
        <span class="under">{limitsOf(limits)}</span>
      </>
    ),
  },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : <Instant at={lastUsedAt} />) },
  { head: 'State', cell: (key) => <State of={key} /> },
  { head: 'Actions', cell: (key) => (key.revokedAt === undefined ? <Revoke of={key} /> : null), isFixed: true },
];

/** Whether the key is the bootstrap key and valid without an end, as no admin key has been created yet. */
function isBootstrap({ name, revokedAt, expiresAt }: Key): boolean {
  return name === 'bootstrap' && revokedAt === undefined && expiresAt === undefined;
}

function limitsOf({ refundPerDay, changePerCall }: NonNullable<Key['limits']> = {}): string {
  const refunds = refundPerDay === undefined ? [] : [`refunds up to ${money(refundPerDay)} a day`];
  const changes = changePerCall === undefined ? [] : [`changes up to ${money(changePerCall)} a call`];
  return [...refunds, ...changes].join(', ');
}

function State({ of: { revokedAt, expiresAt } }: { readonly of: Key }) {
  const at = revokedAt ?? expiresAt;
  if (at === undefined) return <span class="word">valid</span>;
  const until = hasPassed(at) ? 'expired' : 'until';
  return (
    <>
      {revokedAt === undefined ? until : 'revoked'} <Instant at={at} />
    </>
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
          From now on, requests with <strong>{name}</strong> are refused, and its sessions end. Its running jobs are
          stopped, unless another key has replaced it. This cannot be undone. A new key needs a new name.
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

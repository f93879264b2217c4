import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { StatusBadge } from '../../parts';
import { session } from '../../session';
import { pathTo } from './paths';
import { stateOf } from './state';

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values, one below the other; what has no value is left out. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  const said = of.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {said.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN_FOR = 1_500;

/** An id that can be copied; where it leads somewhere, a link. */
export function Id({ of: id, to }: { readonly of: string; readonly to?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_FOR);
  };
  return (
    <span class="id">
      {to === undefined ? <code>{id}</code> : <a href={to}>{id}</a>}
      <button type="button" class="copy" aria-label={`Copy ${id}`} onClick={() => void copy()}>
        {isCopied ? 'copied' : 'copy'}
      </button>
    </span>
  );
}

/** The one state of a subscription. */
export function Status({ of }: { readonly of: Parameters<typeof stateOf>[0] }) {
  return <StatusBadge status={stateOf(of)} />;
}

interface SubjectProps {
  readonly of: {
    readonly subscriptionId?: string | null | undefined;
    readonly paymentId?: string | null | undefined;
    readonly cycle?: number | undefined;
  };
  /** In place of a link where it is about neither. */
  readonly none?: string;
}

/** What something is about: the link to its page, with the cycle. */
export function Subject({ of: { subscriptionId, paymentId, cycle }, none }: SubjectProps) {
  const collection = subscriptionId == null ? 'payments' : 'subscriptions';
  const id = subscriptionId ?? paymentId;
  if (id == null) return <>{none}</>;
  return (
    <>
      <a href={pathTo(collection, id)}>{id}</a>
      {cycle === undefined ? '' : `, cycle ${cycle}`}
    </>
  );
}

/** In the Temporal Web UI, where the deployment has one. */
export function WorkflowLink({ id }: { readonly id: string }) {
  const url = session.value?.workflowsUrl;
  if (url === undefined) return <Id of={id} />;
  return (
    <a href={`${url}${encodeURIComponent(id)}`} rel="noreferrer" target="_blank">
      {id}
    </a>
  );
}

/** Pairs of metadata, each a word of its own. */
export function Metadata({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(of);
  if (pairs.length === 0) return null;
  return (
    <ul class="pairs">
      {pairs.map(([key, value]) => (
        <li key={key}>
          <span class="muted">{key}</span> {value}
        </li>
      ))}
    </ul>
  );
}

/** What an entry was decided from, or what an answer holds, for those who look closely. */
export function Data({ of }: { readonly of: unknown }) {
  return (
    <details class="data">
      <summary>Data</summary>
      <pre>{JSON.stringify(of, null, 2)}</pre>
    </details>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { StatusBadge } from '../../parts';
import { session } from '../../session';
import { pathTo } from './address';
import { nameOf, stateOf } from './subscription';
import type { Subscription } from './schemas';

export type Fact = readonly [name: string, value: ComponentChildren];

/** A list of names and values; names without a value are omitted. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  const known = of.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN_FOR = 1_500;

/** @param what says what is copied, for screen readers */
function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_FOR);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? 'copied' : 'copy'}
    </button>
  );
}

/** An id that can be copied; a link if `to` is set. */
export function Id({ of: id, to }: { readonly of: string; readonly to?: string }) {
  return (
    <span class="id">
      {to === undefined ? <code>{id}</code> : <a href={to}>{id}</a>}
      <Copy text={id} what={id} />
    </span>
  );
}

/** Code or data that can be copied. @param what such as `the payload` */
export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code-block">
      <Copy text={text} what={what} />
      <pre class="data" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

/** The state of a subscription, in one badge. */
export function Status({ of }: { readonly of: Parameters<typeof stateOf>[0] }) {
  return <StatusBadge status={stateOf(of)} />;
}

/** Whether an id or a reference fits on one line of a table. */
export const isShort = (text: string) => text.length <= 20;

interface SubjectProps {
  readonly of: {
    readonly subscriptionId?: string | null | undefined;
    readonly paymentId?: string | null | undefined;
    readonly cycle?: number | undefined;
  };
  /** Shown instead of a link if there is neither a subscription nor a payment. */
  readonly none?: string;
}

/** A link to the subscription or payment, with the cycle. */
export function Subject({ of: { subscriptionId, paymentId, cycle }, none }: SubjectProps) {
  const collection = subscriptionId == null ? 'payments' : 'subscriptions';
  const id = subscriptionId ?? paymentId;
  if (id == null) return <>{none}</>;
  return (
    <span class={isShort(id) ? 'number' : undefined}>
      <a href={pathTo(collection, id)}>{id}</a>
      {cycle === undefined ? '' : `, cycle ${cycle}`}
    </span>
  );
}

/** A link to the Temporal Web UI, if the deployment has one. */
export function WorkflowLink({ id }: { readonly id: string }) {
  const url = session.value?.workflowsUrl;
  if (url === undefined) return <Id of={id} />;
  return (
    <a href={`${url}${encodeURIComponent(id)}`} rel="noreferrer" target="_blank">
      {id}
    </a>
  );
}

/** Pairs of metadata. */
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

/** The raw data of an entry or a response, folded away. */
export function Data({ of }: { readonly of: unknown }) {
  return (
    <details class="data">
      <summary>Data</summary>
      <pre>{JSON.stringify(of, null, 2)}</pre>
    </details>
  );
}

interface NamedProps {
  readonly payer: Subscription['payer'] | undefined;
  readonly id: string;
}

/** The payer, with the id below; the id alone if nothing is known of the payer. */
export function Named({ payer, id }: NamedProps) {
  const name = nameOf(payer);
  if (name === undefined) return <>{id}</>;
  return (
    <>
      {name} <span class="under">{id}</span>
    </>
  );
}

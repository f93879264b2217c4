import type { VNode } from 'preact';
import { instant, money, type MoneyValue, otherInstant, words } from '../format';

/** An amount in the user's locale. */
export function Money({ of }: { readonly of: MoneyValue }): VNode {
  return <span class="number">{money(of)}</span>;
}

/** A time in the zone of the page; in the other zone on hover. */
export function Instant({ at }: { readonly at: string }): VNode {
  return (
    <time class="number" dateTime={at} title={otherInstant(at)}>
      {instant(at)}
    </time>
  );
}

/** A mark for each tone, so that colour is not the only sign. */
const MARKS = { good: '●', moving: '◐', warning: '▲', bad: '■', quiet: '○' };

/** The tone of each state and standing that a badge shows; all others are quiet. */
const STATES: readonly (readonly [tone: keyof typeof MARKS, states: readonly string[]])[] = [
  [
    'good',
    ['active', 'good', 'collected', 'successful', 'captured', 'paid', 'delivered', 'authorized', 'finished', 'done'],
  ],
  ['moving', ['running', 'pending_consent', 'pending', 'collecting', 'cancelling', 'partly_captured']],
  ['warning', ['dunning', 'paused', 'past_due', 'rejected_retryable', 'stopped', 'not_done', 'in_force']],
  ['bad', ['needs_attention', 'unresolved', 'unknown', 'failed', 'missed', 'rejected', 'refused']],
  ['bad', ['undeliverable', 'dead', 'failing', 'capture_failed']],
];

/** A state in words with its mark. */
export function StatusBadge({ status }: { readonly status: string }): VNode {
  const [tone] = STATES.find(([, states]) => states.includes(status)) ?? (['quiet'] as const);
  return (
    <span class={`badge badge-${tone}`}>
      <span aria-hidden="true">{MARKS[tone]} </span>
      {words(status)}
    </span>
  );
}

import type { VNode } from 'preact';
import { instant, money, type MoneyValue, words } from '../format';

/** An amount in the reader's locale. */
export function Money({ of }: { readonly of: MoneyValue }): VNode {
  return <span class="number">{money(of)}</span>;
}

/** A time where the reader is; in UTC for the pointer. */
export function Instant({ at }: { readonly at: string }): VNode {
  return (
    <time class="number" dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC`}>
      {instant(at)}
    </time>
  );
}

/** How good a state is; its mark says it without colour. */
type Tone = 'good' | 'moving' | 'warning' | 'bad' | 'quiet';

const MARKS: Readonly<Record<Tone, string>> = { good: '●', moving: '◐', warning: '▲', bad: '■', quiet: '○' };

/** States of subscriptions, standings, cycles, attempts, payments, orders, notices and jobs. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  good: 'good',
  collected: 'good',
  successful: 'good',
  captured: 'good',
  delivered: 'good',
  authorized: 'good',
  finished: 'good',
  done: 'good',
  running: 'moving',
  pending_consent: 'moving',
  pending: 'moving',
  collecting: 'moving',
  scheduled: 'quiet',
  partly_captured: 'moving',
  dunning: 'warning',
  paused: 'warning',
  past_due: 'warning',
  rejected_retryable: 'warning',
  stopped: 'warning',
  not_done: 'warning',
  needs_attention: 'bad',
  unresolved: 'bad',
  unknown: 'bad',
  failed: 'bad',
  missed: 'bad',
  rejected: 'bad',
  refused: 'bad',
  undeliverable: 'bad',
  dead: 'bad',
};

/** A state in words with its mark. */
export function StatusBadge({ status }: { readonly status: string }): VNode {
  const tone = TONES[status] ?? 'quiet';
  return (
    <span class={`badge badge-${tone}`}>
      <span aria-hidden="true">{MARKS[tone]} </span>
      {words(status)}
    </span>
  );
}

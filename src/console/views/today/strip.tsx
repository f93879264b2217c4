import type { VNode } from 'preact';
import { count, money, type MoneyValue } from '../../format';

/** One sentence of the strip: how many, and what of them. */
export interface Sentence {
  readonly href: string;
  readonly error: unknown;
  /** Undefined until it is known. */
  readonly count: number | undefined;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
  readonly one: string;
  readonly many: string;
  readonly amount?: MoneyValue | undefined;
  readonly besides?: { readonly words: string; readonly count: number; readonly amount: MoneyValue } | undefined;
}

/** What is to be known at one look; each sentence leads to what it counts. */
export function Strip({ of }: { readonly of: readonly Sentence[] }): VNode {
  return (
    <ul class="strip" aria-label="At a glance">
      {of.map((sentence) => (
        <li key={sentence.href} class={sentence.count === 0 ? 'is-none' : undefined}>
          <a href={sentence.href}>
            <Words {...sentence} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Words({ error, count: n, isMore, one, many, amount, besides }: Sentence): VNode {
  if (n === undefined) {
    return (
      <>
        <strong>{error === null ? '…' : '?'}</strong> {many}
      </>
    );
  }
  return (
    <>
      <strong>
        {count(n)}
        {isMore ? ' or more' : ''}
      </strong>{' '}
      {n === 1 && !isMore ? one : many}
      {amount === undefined || n === 0 ? '' : `, ${money(amount)}`}
      {besides === undefined || n === 0 ? '' : `; ${count(besides.count)} ${besides.words}, ${money(besides.amount)}`}
    </>
  );
}

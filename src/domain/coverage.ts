import type { Instant, Span } from './time';

/** A comparison of ledger and service that has ended, over its span. */
export interface ComparedSpan {
  readonly span: Span;
  /** Business time: what came later, it has not seen. */
  readonly begunAt: Instant;
}

/** A part of a span, and the comparison that covers it. */
export interface ComparedPart<R> {
  readonly span: Span;
  readonly by: R;
}

export interface Coverage<R> {
  /** In the order of time; none overlaps another. */
  readonly parts: readonly ComparedPart<R>[];
  /** What no comparison has looked at, in the order of time. */
  readonly gaps: readonly Span[];
}

/** Which comparison covers which part of the span: of each instant the first one given that looked at it. */
export function coverSpan<R extends ComparedSpan>(span: Span, newestFirst: readonly R[]): Coverage<R> {
  const parts: ComparedPart<R>[] = [];
  let gaps: readonly Span[] = [span];
  for (const by of newestFirst) {
    if (gaps.length === 0) break;
    parts.push(...gaps.flatMap((gap) => overlap(gap, by.span)).map((part) => ({ span: part, by })));
    gaps = gaps.flatMap((gap) => without(gap, by.span));
  }
  return { parts: parts.sort((one, other) => one.span.from - other.span.from), gaps };
}

/** All that was in the span by then has been compared; null where a part of it has not been at all. */
export function comparedUntil({ parts, gaps }: Coverage<ComparedSpan>): Instant | null {
  return gaps.length > 0 ? null : Math.min(...parts.map(({ by }) => by.begunAt));
}

function overlap(one: Span, other: Span): Span[] {
  return unlessEmpty({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) });
}

function without(whole: Span, taken: Span): Span[] {
  return [
    ...unlessEmpty({ from: whole.from, to: Math.min(whole.to, taken.from) }),
    ...unlessEmpty({ from: Math.max(whole.from, taken.to), to: whole.to }),
  ];
}

function unlessEmpty(span: Span): Span[] {
  return span.from < span.to ? [span] : [];
}

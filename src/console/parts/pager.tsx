import type { VNode } from 'preact';

export interface PagerProps {
  /** The `nextCursor` of the page that is shown. */
  readonly next: string | null;
  readonly onNext: (cursor: string) => void;
  /** Left out on the first page. */
  readonly onFirst?: (() => void) | undefined;
}

/** Forward by cursor; back is the browser's own button, as the cursor is in the address. */
export function Pager({ next, onNext, onFirst }: PagerProps): VNode | null {
  if (next === null && onFirst === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {onFirst === undefined ? null : (
        <button type="button" onClick={onFirst}>
          First page
        </button>
      )}
      {next === null ? (
        <span class="hint">This is the last page.</span>
      ) : (
        <button type="button" onClick={() => onNext(next)}>
          Next page
        </button>
      )}
    </nav>
  );
}

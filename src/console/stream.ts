import { type Query, type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { signal } from '@preact/signals';
import { type Change, CHANGE_EVENTS, outdatedBy } from './changes';
import { RefetchPace } from './refetch-pace';
import { may, session } from './session';

/** `live`: the API pushes changes. `polling`: the page asks every few seconds. */
export const liveness = signal<'live' | 'polling'>('polling');

/** Minimum ms between two redraws. */
const REDRAW_EVERY = 500;
const POLL_EVERY = 5_000;
/** Ms before a stream that was refused or closed is opened again. */
const REOPEN_AFTER = 5_000;

/** Refetches what the stream reports as changed; while there is no stream, everything every few seconds. */
export function followChanges(queries: QueryClient): () => void {
  const changes = new ChangeBatch(queries);
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const opened = new EventSource('/v1/stream?changes=true');
    source = opened;
    opened.onopen = () => {
      liveness.value = 'live';
      changes.noteAll();
    };
    opened.onerror = () => {
      liveness.value = 'polling';
      // The browser resumes a broken connection by itself, but not one that was refused.
      if (opened.readyState === EventSource.CLOSED && session.peek() !== null) again = setTimeout(open, REOPEN_AFTER);
    };
    const note = ({ data }: MessageEvent<string>) => changes.note(JSON.parse(data) as Change);
    for (const event of CHANGE_EVENTS) opened.addEventListener(event, note);
  };
  if (may('streamEvents')) open();
  const poll = setInterval(() => {
    if (liveness.value === 'polling') changes.noteAll();
  }, POLL_EVERY);
  return () => {
    clearInterval(poll);
    clearTimeout(again);
    changes.stop();
    source?.close();
    liveness.value = 'polling';
  };
}

/** Returns a function that refetches every query of these collections. */
export function useInvalidation(collections: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(collections.map((first) => queries.invalidateQueries({ queryKey: [first] })));
}

/**
 * Collects what has changed, so that many changes redraw no more than twice a second. What takes long to fetch stays invalidated
 * until it may be fetched again.
 */
class ChangeBatch {
  private readonly pace: RefetchPace;
  private isAll = false;
  private readonly changed = new Set<string>();
  private readonly timer = setInterval(() => this.flush(), REDRAW_EVERY);

  constructor(private readonly queries: QueryClient) {
    this.pace = new RefetchPace(queries.getQueryCache());
  }

  note(change: Change): void {
    for (const name of outdatedBy(change)) this.changed.add(name);
  }

  noteAll(): void {
    this.isAll = true;
  }

  stop(): void {
    clearInterval(this.timer);
    this.pace.stop();
  }

  /** Waits while a query is running: a query restarted again and again would never finish. */
  private flush(): void {
    if (this.queries.isFetching() > 0) return;
    const isOutdated = this.takeOutdated();
    void this.queries.invalidateQueries({ predicate: isOutdated, refetchType: 'none' });
    void this.queries.refetchQueries({
      type: 'active',
      // TanStack marks a query that has failed as invalidated, too; `askAgainAfter` says when it is fetched again.
      predicate: (query) =>
        query.state.error === null ? query.state.isInvalidated && this.pace.isDue(query) : isOutdated(query),
    });
  }

  /** @returns a predicate: whether what was noted since the last call has outdated a query */
  private takeOutdated(): (query: Query) => boolean {
    const { isAll } = this;
    const changed = new Set(this.changed);
    this.isAll = false;
    this.changed.clear();
    return ({ queryKey: [collection, id] }) =>
      isAll || changed.has(String(collection)) || changed.has(`${String(collection)}/${String(id)}`);
  }
}

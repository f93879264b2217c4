import { type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { signal } from '@preact/signals';
import { type Change, CHANGE_EVENTS, outdatedBy } from './changes';
import { may, session } from './session';

/** `live`: changes come by themselves. `polling`: they are asked for every few seconds. */
export const liveness = signal<'live' | 'polling'>('polling');

/** Ms between two redraws at the least: twice a second. */
const REDRAW_EVERY = 500;
const POLL_EVERY = 5_000;
/** Ms before a stream that was refused, or has ended for good, is asked for again. */
const OPEN_AGAIN_AFTER = 5_000;

/** Read again by their views, less often: they go through every subscription. */
const SELDOM = ['forecast'];

/** Reads again what the API says has changed, and everything every few seconds while it cannot say. */
export function followChanges(queries: QueryClient): () => void {
  const news = new News(queries);
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const opened = new EventSource('/v1/stream?changes=true');
    source = opened;
    opened.onopen = () => {
      liveness.value = 'live';
      news.noteAll();
    };
    opened.onerror = () => {
      liveness.value = 'polling';
      // The browser resumes a broken connection by itself, but not one that was refused.
      if (opened.readyState === EventSource.CLOSED && session.peek() !== null)
        again = setTimeout(open, OPEN_AGAIN_AFTER);
    };
    const note = ({ data }: MessageEvent<string>) => news.note(JSON.parse(data) as Change);
    for (const event of CHANGE_EVENTS) opened.addEventListener(event, note);
  };
  if (may('streamEvents')) open();
  const poll = setInterval(() => {
    if (liveness.value === 'polling') news.noteAll();
  }, POLL_EVERY);
  return () => {
    clearInterval(poll);
    clearTimeout(again);
    news.stop();
    source?.close();
    liveness.value = 'polling';
  };
}

/** Has every query of these collections asked again. */
export function useInvalidation(collections: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(collections.map((first) => queries.invalidateQueries({ queryKey: [first] })));
}

/** Collects what has changed, so that many changes redraw no more than twice a second. */
class News {
  private isAll = false;
  private readonly changed = new Set<string>();
  private readonly timer = setInterval(() => this.tell(), REDRAW_EVERY);

  constructor(private readonly queries: QueryClient) {}

  note(change: Change): void {
    for (const name of outdatedBy(change)) this.changed.add(name);
  }

  noteAll(): void {
    this.isAll = true;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Waits while something is being read: what is read anew again and again would never arrive. */
  private tell(): void {
    if ((!this.isAll && this.changed.size === 0) || this.queries.isFetching() > 0) return;
    const { isAll } = this;
    const changed = new Set(this.changed);
    this.isAll = false;
    this.changed.clear();
    void this.queries.invalidateQueries({
      predicate: ({ queryKey: [collection, id] }) =>
        !SELDOM.includes(String(collection)) &&
        (isAll || changed.has(String(collection)) || changed.has(`${String(collection)}/${String(id)}`)),
    });
  }
}

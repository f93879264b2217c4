import type { Query, QueryCache } from '@tanstack/preact-query';

/** A query is running at most this share of the time, so that reports on a large ledger are not computed all the time. */
const MAX_SHARE = 0.1;

/** Measures how long each query takes, and says when it may be refetched because something has changed. */
export class RefetchPace {
  /** Of the queries that are running. */
  private readonly startedAt = new Map<string, number>();
  private readonly dueAt = new Map<string, number>();

  /** @param now ms from any origin */
  constructor(
    queries: QueryCache,
    private readonly now = () => performance.now(),
  ) {
    this.stop = queries.subscribe((event) => {
      const { queryHash } = event.query;
      if (event.type === 'removed') this.forget(queryHash);
      if (event.type !== 'updated') return;
      if (event.action.type === 'fetch') this.startedAt.set(queryHash, this.now());
      if (event.action.type === 'success' || event.action.type === 'error') this.noteEnd(queryHash);
    });
  }

  readonly stop: () => void;

  isDue({ queryHash }: Query): boolean {
    return this.now() >= (this.dueAt.get(queryHash) ?? 0);
  }

  private noteEnd(queryHash: string): void {
    const [startedAt, endedAt] = [this.startedAt.get(queryHash), this.now()];
    if (startedAt !== undefined) this.dueAt.set(queryHash, startedAt + (endedAt - startedAt) / MAX_SHARE);
    this.startedAt.delete(queryHash);
  }

  private forget(queryHash: string): void {
    this.startedAt.delete(queryHash);
    this.dueAt.delete(queryHash);
  }
}

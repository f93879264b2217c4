import { setTimeout as pause } from 'node:timers/promises';

type News<T> =
  | { readonly kind: 'came'; readonly item: IteratorResult<T, void> }
  | { readonly kind: 'broke'; readonly error: unknown };

function next<T>(items: AsyncIterator<T, void>): Promise<News<T>> {
  return items.next().then(
    (item) => ({ kind: 'came', item }),
    (error: unknown) => ({ kind: 'broke', error }),
  );
}

/**
 * Groups items that arrive in quick succession into batches of at most `most`. If the source fails, items that have arrived are
 * yielded first; then the same error is thrown.
 * @param soonMs time after which a batch is yielded even if it is not full
 */
export async function* inBatches<T>(
  items: AsyncIterator<T, void>,
  most: number,
  soonMs: number,
): AsyncGenerator<readonly T[], void, undefined> {
  for (let coming = next(items); ;) {
    const first = await coming;
    if (first.kind === 'broke') throw first.error;
    if (first.item.done === true) return;
    const batch = [first.item.value];
    const full = new AbortController();
    const late = pause(soonMs, null, { signal: full.signal }).catch(() => null);
    for (coming = next(items); batch.length < most; coming = next(items)) {
      const news = await Promise.race([coming, late]);
      if (news?.kind !== 'came' || news.item.done === true) break;
      batch.push(news.item.value);
    }
    full.abort();
    yield batch;
  }
}

type Progress<T, R> = News<T> | { readonly kind: 'answered'; readonly answer: R };

/**
 * Processes at most `width` items concurrently and yields the results in the order of the items, each as soon as it is
 * available. Reads at most one item ahead of those in progress, and no further item until a yielded result is consumed. If the
 * source fails, items in progress are finished first; then the same error is thrown.
 * @param work never rejects
 */
export async function* inOrder<T, R>(
  items: AsyncIterator<T, void>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const underWay: Promise<Progress<T, R>>[] = [];
  let coming: Promise<News<T>> | null = next<T>(items);
  let fault: { readonly error: unknown } | null = null;
  for (;;) {
    const head = underWay.slice(0, 1);
    const open: Promise<Progress<T, R>>[] = coming !== null && underWay.length < width ? [...head, coming] : head;
    if (open.length === 0) break;
    const news: Progress<T, R> = await Promise.race(open);
    switch (news.kind) {
      case 'answered':
        void underWay.shift();
        yield news.answer;
        break;
      case 'came':
        coming = news.item.done === true ? null : next<T>(items);
        if (news.item.done !== true)
          underWay.push(work(news.item.value).then((answer) => ({ kind: 'answered', answer })));
        break;
      case 'broke':
        coming = null;
        fault = news;
    }
  }
  if (fault !== null) throw fault.error;
}

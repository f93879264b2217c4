type News<T, R> =
  | { readonly kind: 'came'; readonly item: IteratorResult<T, void> }
  | { readonly kind: 'broke'; readonly error: unknown }
  | { readonly kind: 'answered'; readonly answer: R };

/**
 * Works on at most `width` items at once and yields their answers in the order of the items, each as soon as it is
 * there. Takes no item that it has no room for, and none while nobody takes the answers. Where the items break off, what
 * is under way is answered first; then it throws the same.
 * @param work never rejects
 */
export async function* inOrder<T, R>(
  items: AsyncIterator<T, void>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const underWay: Promise<News<T, R>>[] = [];
  let coming: Promise<News<T, R>> | null = next<T, R>(items);
  let fault: { readonly error: unknown } | null = null;
  for (;;) {
    const head = underWay.slice(0, 1);
    const open: Promise<News<T, R>>[] = coming !== null && underWay.length < width ? [...head, coming] : head;
    if (open.length === 0) break;
    const news: News<T, R> = await Promise.race(open);
    switch (news.kind) {
      case 'answered':
        void underWay.shift();
        yield news.answer;
        break;
      case 'came':
        coming = news.item.done === true ? null : next<T, R>(items);
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

function next<T, R>(items: AsyncIterator<T, void>): Promise<News<T, R>> {
  return items.next().then(
    (item) => ({ kind: 'came', item }),
    (error: unknown) => ({ kind: 'broke', error }),
  );
}

/** A longer line is answered by a problem, and not kept. */
export const MAX_LINE_BYTES = 64 * 1024;

/** One line as it came, without its end. */
export interface RawLine {
  /** Counted from 1; blank lines count. */
  readonly number: number;
  /** Null where it was too long to be kept. */
  readonly bytes: Buffer | null;
  /** In bytes. */
  readonly length: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Cuts a stream of bytes into lines, blank ones left out. Holds one line at most, however long the stream is. */
export async function* readRawLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine, void, undefined> {
  const line = new GrowingLine();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      const whole = line.take();
      if (!isBlank(whole)) yield whole;
    }
    line.add(chunk.subarray(start));
  }
  const last = line.take();
  if (!isBlank(last)) yield last;
}

function isBlank({ bytes }: RawLine): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09) === true;
}

/** The line that is coming in. */
class GrowingLine {
  private parts: Buffer[] = [];
  private length = 0;
  private number = 1;

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > MAX_LINE_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  take(): RawLine {
    const { number, length } = this;
    const bytes = length > MAX_LINE_BYTES ? null : withoutFrame(Buffer.concat(this.parts), number);
    this.parts = [];
    this.length = 0;
    this.number += 1;
    return { number, bytes, length };
  }
}

/** Without what some programs set before the first line and at the end of each. */
function withoutFrame(bytes: Buffer, number: number): Buffer {
  const isMarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return bytes.subarray(isMarked ? 3 : 0, end);
}

type News<T, R> =
  | { readonly kind: 'came'; readonly item: IteratorResult<T, void> }
  | { readonly kind: 'broke'; readonly error: unknown }
  | { readonly kind: 'answered'; readonly answer: R };

/**
 * Works on at most `width` items at once and yields their answers in the order of the items, each as soon as it is
 * there. Takes no item that it has no room for, and none while no answer is read. Where the items break off, what
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

/** Work that names the same key goes one after the other, in the order in which it came; all else at once. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const turn = Promise.all(keys.map((key) => this.last.get(key) ?? Promise.resolve())).then(work);
    const over = Promise.allSettled([turn]);
    keys.forEach((key) => this.last.set(key, over));
    try {
      return await turn;
    } finally {
      keys.filter((key) => this.last.get(key) === over).forEach((key) => this.last.delete(key));
    }
  }
}

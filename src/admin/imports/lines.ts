import { parseJson } from '../http/json/body';
import { Problem } from '../http/problems';

/** A longer line is answered with a problem and not held in memory. */
export const MAX_LINE_BYTES = 64 * 1024;

/** One line of a file. */
export interface Line {
  /** Counted from 1; blank lines count. */
  readonly number: number;
  /** Parses the line to a JSON value. @throws Problem if it cannot be parsed */
  readonly read: () => unknown;
}

/** One line as received, without its line break. */
export interface RawLine {
  readonly number: number;
  /** Null if the line was too long. */
  readonly bytes: Buffer | null;
  /** The length of the line in bytes, even if it was too long. */
  readonly length: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** One JSON object per line. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  for await (const raw of readRawLines(chunks)) yield { number: raw.number, read: () => parseJson(bytesOf(raw)) };
}

/** @throws Problem if it was too long */
export function bytesOf({ bytes, length }: RawLine): Buffer {
  if (bytes !== null) return bytes;
  throw new Problem('payload_too_large', `A line may be at most ${MAX_LINE_BYTES} bytes long; this one has ${length}.`);
}

/**
 * Splits a stream of bytes into lines, without blank ones. Holds at most one line in memory.
 * @param quotes whether a line feed between quotes belongs to the line
 */
export async function* readRawLines(
  chunks: AsyncIterable<Buffer>,
  quotes = false,
): AsyncGenerator<RawLine, void, undefined> {
  const line = new GrowingLine();
  const ends = quotes ? new QuotedLineEnds() : PLAIN_LINE_ENDS;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = ends.next(chunk, 0); end !== -1; end = ends.next(chunk, start)) {
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

/** The next line end in a chunk from a position on; -1 if there is none. Each byte is examined once. */
interface LineEnds {
  next(chunk: Buffer, from: number): number;
}

const PLAIN_LINE_ENDS: LineEnds = { next: (chunk, from) => chunk.indexOf(LINE_FEED, from) };

/**
 * A quote opens a cell only as its first character, as in RFC 4180: one in the middle of a cell makes its own line invalid and
 * no other.
 */
class QuotedLineEnds implements LineEnds {
  private isQuoted = false;
  /** Whether a quote would open a cell here, or be the second half of `""`. */
  private mayOpen = true;
  /** How many bytes of a byte order mark the file has started with. */
  private marked = 0;

  next(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === BYTE_ORDER_MARK[this.marked]) {
        this.marked += 1;
        continue;
      }
      this.marked = BYTE_ORDER_MARK.length;
      if (byte === QUOTE && (this.isQuoted || this.mayOpen)) {
        this.mayOpen = this.isQuoted;
        this.isQuoted = !this.isQuoted;
      } else if (!this.isQuoted) {
        this.mayOpen = byte === COMMA || byte === LINE_FEED;
        if (byte === LINE_FEED) return at;
      }
    }
    return -1;
  }
}

function isBlank({ bytes }: RawLine): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09) === true;
}

/** The line that is being received. If line feeds in quotes belong to it, its number is that of its first line in the file. */
class GrowingLine {
  private parts: Buffer[] = [];
  private length = 0;
  private number = 1;
  private lineFeeds = 0;

  add(part: Buffer): void {
    this.length += part.length;
    for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) this.lineFeeds += 1;
    if (this.length > MAX_LINE_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  take(): RawLine {
    const { number, length } = this;
    const bytes = length > MAX_LINE_BYTES ? null : withoutFrame(Buffer.concat(this.parts), number);
    this.parts = [];
    this.length = 0;
    this.number += 1 + this.lineFeeds;
    this.lineFeeds = 0;
    return { number, bytes, length };
  }
}

/** Removes a byte order mark before the first line and a carriage return at the end. */
function withoutFrame(bytes: Buffer, number: number): Buffer {
  const isMarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return bytes.subarray(isMarked ? 3 : 0, end);
}

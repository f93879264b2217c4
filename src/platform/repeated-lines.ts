import { MINUTE } from '../domain/time';

type Fields = Readonly<Record<string, unknown>>;

/** Writes a line of the log. */
type Write = (fields: Fields, message: string) => void;

/** The latest of several lines about the same failure. */
interface Latest {
  readonly fields: Fields;
  readonly message: string;
  readonly write: Write;
  /** How many lines were left out since one was written. */
  readonly repeated: number;
}

/** Fields that distinguish failures with the same message; others, such as ids, do not. */
const DISTINGUISHING = ['part', 'probe', 'operation', 'outcome', 'channel', 'state'] as const;

/**
 * Maximum number of lines from one summary to the next, a minute later, including those of the first summary. Any 60
 * seconds may therefore have twice as many.
 */
const MAX_LINES = 9;

/**
 * Writes the first of several repeated failures at once, and then one line per minute with the latest and the count: a server
 * that is away for a night would otherwise fill the disk and hide every other line. If more kinds of failure occur at once than a
 * person reads, the remaining ones share a line.
 */
export class RepeatedLines {
  private readonly latest = new Map<string, Latest>();
  /** Written in this minute. */
  private lines = 0;
  private isWaiting = false;

  /** @param after runs work after a delay in ms, without keeping the process alive */
  constructor(private readonly after: (ms: number, work: () => void) => void = unreferenced) {}

  /** Writes the line now, or counts it for the next summary. */
  add(fields: Fields, message: string, write: Write): void {
    const key = keyOf(fields, message);
    const known = this.latest.get(key);
    const line = { fields, message, write, repeated: (known?.repeated ?? 0) + 1 };
    this.latest.set(key, known === undefined && this.hasRoom() ? this.show(line) : line);
    this.waitForSummary();
  }

  private hasRoom(): boolean {
    return this.lines < MAX_LINES;
  }

  private show({ fields, message, write, repeated }: Latest, about: Fields = {}): Latest {
    this.lines += 1;
    write({ ...fields, ...about }, message);
    return { fields, message, write, repeated: repeated - 1 };
  }

  private waitForSummary(): void {
    if (this.isWaiting || this.latest.size === 0) return;
    this.isWaiting = true;
    this.after(MINUTE, () => {
      this.isWaiting = false;
      this.summarize();
      this.waitForSummary();
    });
  }

  private summarize(): void {
    this.lines = 0;
    const others: Latest[] = [];
    for (const [key, line] of this.latest) {
      if (line.repeated === 0) this.latest.delete(key);
      else {
        // New failures keep half of the lines.
        if (this.lines < MAX_LINES / 2) this.show(line, { repeated: line.repeated });
        else others.push(line);
        this.latest.set(key, { ...line, repeated: 0 });
      }
    }
    const last = others.at(-1);
    if (last === undefined) return;
    const repeated = others.reduce((sum, each) => sum + each.repeated, 0);
    const names = [...new Set(others.map(({ message }) => message))];
    this.show(last, { repeated, others: names });
  }
}

function unreferenced(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}

/** Messages that differ only in numbers count as the same. */
function keyOf(fields: Fields, message: string): string {
  const { err } = fields;
  const fault = typeof err === 'object' && err !== null ? { ...(err as Fields) } : {};
  const labels = DISTINGUISHING.map((name) => fields[name]);
  return JSON.stringify([message.replaceAll(/\d+/g, '#'), fault['code'] ?? fault['type'], ...labels]);
}

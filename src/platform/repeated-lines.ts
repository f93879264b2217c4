import { MINUTE } from '../domain/time';

type Fields = Readonly<Record<string, unknown>>;

/** Writes a line of the log. */
type Write = (fields: Fields, message: string) => void;

interface Counted {
  /** The number left out since the last line. */
  repeated: number;
  latest: Fields;
}

/** Fields that distinguish failures with the same message; others, such as ids, do not. */
const DISTINGUISHING = ['part', 'probe', 'operation', 'outcome', 'channel'] as const;

/**
 * Writes the first of several repeated failures at once, and then one line per minute with the latest and the count: a server that
 * is away for a night would otherwise fill the disk and hide every other line.
 */
export class RepeatedLines {
  private readonly counted = new Map<string, Counted>();

  /** @param after runs work after a delay in ms, without keeping the process alive */
  constructor(private readonly after: (ms: number, work: () => void) => void = unreferenced) {}

  /** Writes the line now, or counts it for the next summary. */
  add(fields: Fields, message: string, write: Write): void {
    const key = keyOf(fields, message);
    const known = this.counted.get(key);
    if (known !== undefined) {
      known.repeated += 1;
      known.latest = fields;
      return;
    }
    this.counted.set(key, { repeated: 0, latest: fields });
    write(fields, message);
    this.after(MINUTE, () => this.summarize(key, message, write));
  }

  private summarize(key: string, message: string, write: Write): void {
    const { repeated, latest } = this.counted.get(key) ?? { repeated: 0, latest: {} };
    if (repeated === 0) {
      this.counted.delete(key);
      return;
    }
    this.counted.set(key, { repeated: 0, latest });
    write({ ...latest, repeated }, message);
    this.after(MINUTE, () => this.summarize(key, message, write));
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

import { MINUTE } from '../domain/time';

type Fields = Readonly<Record<string, unknown>>;

/** Writes a line of the log. */
type Write = (fields: Fields, message: string) => void;

interface Counted {
  /** How many were left out since the last line. */
  repeated: number;
  latest: Fields;
}

/** Fields that tell two failures of one message apart; all others, such as ids, do not. */
const DISTINGUISHING = ['part', 'probe', 'operation', 'outcome', 'channel'] as const;

/**
 * Of failures that repeat, the first is written as it is, and then one line a minute with the latest and the count: a server that
 * is away for a night would otherwise fill the disk, and hide every other line.
 */
export class RepeatedLines {
  private readonly counted = new Map<string, Counted>();

  /** @param after runs something after so many ms, without keeping the process alive */
  constructor(private readonly after: (ms: number, work: () => void) => void = unreferenced) {}

  /** Writes the line, now or as one of those that the next one counts. */
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

/** Counts and instants within a message do not make it another one. */
function keyOf(fields: Fields, message: string): string {
  const { err } = fields;
  const fault = typeof err === 'object' && err !== null ? { ...(err as Fields) } : {};
  const labels = DISTINGUISHING.map((name) => fields[name]);
  return JSON.stringify([message.replaceAll(/\d+/g, '#'), fault['code'] ?? fault['type'], ...labels]);
}

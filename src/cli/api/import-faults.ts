/** The answer to one line: the subscription it became, or the reason why it was refused. */
export interface LineAnswer {
  readonly line: number;
  readonly subscriptionId?: string;
  readonly problem?: {
    readonly code: string;
    readonly detail: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
}

/** A fault that lines have in common. */
export interface CommonFault {
  readonly lines: number;
  readonly firstLine: number;
  readonly code: string;
  /** Empty if the fault is not one field's. */
  readonly field: string;
  /** What was expected, and what the first line has. */
  readonly message: string;
}

/** Kinds of faults that are counted separately, so that a file of any length needs no more memory. */
const MAX_KINDS = 200;
const FURTHER = 'further kinds of faults';

/** Counts the lines of an import, and the lines that have each fault. */
export class ImportTally {
  accepted = 0;
  refused = 0;
  private readonly faults = new Map<string, CommonFault>();

  add({ line, problem }: LineAnswer): void {
    if (problem === undefined) {
      this.accepted += 1;
      return;
    }
    this.refused += 1;
    const { code, detail, errors = [] } = problem;
    const found = errors.length > 0 ? errors : [{ path: '', message: detail }];
    for (const { path, message } of found) this.count({ lines: 1, firstLine: line, code, field: path, message });
  }

  /** The most frequent first. */
  get common(): readonly CommonFault[] {
    return [...this.faults.values()].toSorted((a, b) => b.lines - a.lines || a.firstLine - b.firstLine);
  }

  private count(fault: CommonFault): void {
    const kind = kindOf(fault);
    const isFurther = !this.faults.has(kind) && this.faults.size >= MAX_KINDS;
    const key = isFurther ? FURTHER : kind;
    const known = this.faults.get(key);
    const first = isFurther ? { ...fault, code: '', field: '', message: FURTHER } : fault;
    this.faults.set(key, known === undefined ? first : { ...known, lines: known.lines + 1 });
  }
}

/** Two lines have the same fault if the same was expected of the same field, whatever value each line has. */
function kindOf({ code, field, message }: CommonFault): string {
  if (field === '') return `${code} ${message.startsWith('expected') ? expectationOf(message) : ''}`;
  return `${code} ${field} ${expectationOf(message)}`;
}

function expectationOf(message: string): string {
  return message.replace(/; got .*$/s, '').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant');
}

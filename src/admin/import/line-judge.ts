import type { FastifyBaseLogger } from 'fastify';
import type { AdminDeps } from '../admin-deps';
import { parseJson } from '../json-body';
import { isLedgerDown } from '../ledger-down';
import { Problem } from '../problems';
import type { ImportAnswer, ImportLine } from '../schemas/import';
import { faultsBetween } from '../subscription-creation';
import { loggable } from '../../log';
import { faultyLine, readLine } from './import-rules';
import { Lanes } from './lanes';
import { idOf, importMandate } from './mandate-import';
import { MAX_LINE_BYTES, type RawLine } from './raw-lines';
import type { WorkerWatch } from './worker-watch';

/** Who imports, by which workers, and where its faults are logged. */
export interface Import {
  readonly actor: string;
  readonly workers: WorkerWatch;
  readonly log: FastifyBaseLogger;
}

/** Judges lines, each alone; lines of one mandate one after the other, so that the second meets what the first made. */
export class LineJudge {
  private readonly lanes = new Lanes();

  constructor(private readonly deps: AdminDeps) {}

  /** Never rejects: whatever goes wrong is the line's own problem. */
  async judge(raw: RawLine, by: Import): Promise<ImportAnswer> {
    try {
      const line = await this.read(raw);
      const keys = [`subscription ${idOf(line)}`, `payment ${line.paymentId}`];
      const { subscriptionId, warnings } = await this.lanes.run(keys, () => importMandate(this.deps, line, by));
      return { line: raw.number, subscriptionId, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'internal') by.log.error({ err: loggable(error), line: raw.number }, 'a line failed');
      return { line: raw.number, problem: problem.body() as Extract<ImportAnswer, { problem: unknown }>['problem'] };
    }
  }

  /** @throws Problem with every fault of the line. */
  private async read({ bytes, length }: RawLine): Promise<ImportLine> {
    if (bytes === null) throw tooLong(length);
    const parsed = parseJson(bytes);
    if (parsed.kind === 'refused') throw parsed.problem;
    const { policy, clock } = this.deps;
    const read = readLine(parsed.value, policy, clock.now());
    const replaces = read.kind === 'read' ? read.line.replaces : read.known.replaces;
    const between = replaces === undefined ? [] : await faultsBetween(this.deps, { replaces });
    if (read.kind === 'read' && between.length === 0) return read.line;
    throw faultyLine([...(read.kind === 'faulty' ? read.faults : []), ...between]);
  }
}

function tooLong(length: number): Problem {
  return new Problem('payload_too_large', `A line may have at most ${MAX_LINE_BYTES} bytes; this one has ${length}.`);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isLedgerDown(error)) return new Problem('not_ready', 'The ledger cannot be reached. Repeat the line.');
  return new Problem('internal', 'Something went wrong here. The line number is in the log; repeat the line.');
}

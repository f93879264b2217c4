import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import { type Actor, actorOf } from '../../domain/trail/event';
import type { AdoptOutcome, ImportOrder, SubscriptionGateway } from '../../gateway';
import { findMandates, type ImportDraft, type MandateOnRecord } from '../../ledger';
import { loggable } from '../../log';
import type { AdminDeps } from '../dependencies';
import { isLedgerDown } from '../http/error-answers';
import { parseJson } from '../http/json-body';
import { type Fault, Problem, serviceUnavailable, stateConflict } from '../http/problems';
import { agreementOf, replacesFaults } from '../subscriptions/create';
import { alreadyReplaced, creationWarnings } from '../subscriptions/rules';
import { KeyedMutex, MAX_LINE_BYTES, type RawLine } from './lines';
import { effectiveCollectFrom, faultyLine, type ImportAnswer, type ImportLine, readLine } from './schema';

/** Real ms that a line waits for its worker, once another one has waited in vain. */
const SHORT_PATIENCE_MS = 5_000;
/** Lines in a row without an answer, after which none is tried for a while. */
const MOST_SILENT = 16;
/** Real ms. */
const REST_MS = 30_000;

/** Nothing of the line is stored, and no worker was asked. */
export interface NotTried {
  readonly kind: 'not_tried';
}

/**
 * Hands the mandates of one file over, with patience as long as workers answer. Where they have gone, a file of any length
 * would otherwise wait for as long as a line may, at every line.
 */
export class WorkerWatch {
  private heardAt = -Infinity;
  private restUntil = -Infinity;
  private silent = 0;

  constructor(private readonly gateway: Pick<SubscriptionGateway, 'adopt'>) {}

  async adopt(order: ImportOrder): Promise<AdoptOutcome | NotTried> {
    const askedAt = performance.now();
    if (askedAt < this.restUntil) return { kind: 'not_tried' };
    const outcome = await this.gateway.adopt(order, this.silent === 0 ? undefined : SHORT_PATIENCE_MS);
    const now = performance.now();
    if (outcome.kind !== 'not_ready') this.hear(now);
    else if (this.heardAt < askedAt) this.missAnswer(now);
    return outcome;
  }

  private hear(now: number): void {
    [this.heardAt, this.restUntil, this.silent] = [now, -Infinity, 0];
  }

  /** Only where no other line was answered since this one was sent: one that is slow says nothing of the workers. */
  private missAnswer(now: number): void {
    this.silent += 1;
    if (this.silent >= MOST_SILENT) this.restUntil = now + REST_MS;
  }
}

/** Who imports, by which workers, and where its faults are logged. */
export interface Import extends Actor {
  readonly workers: WorkerWatch;
  readonly log: FastifyBaseLogger;
}

/** A mandate that is here now, by this line or by an earlier one. */
interface Imported {
  readonly subscriptionId: SubscriptionId;
  readonly warnings: readonly string[];
}

/** The line's id; else one that follows from the payment, so that a repeated line meets what it made. */
export function idOf({ subscriptionId, paymentId }: Pick<ImportLine, 'subscriptionId' | 'paymentId'>): SubscriptionId {
  const hash = createHash('sha256').update(`import/${paymentId}`).digest('hex').slice(0, 32);
  return (subscriptionId ?? `sub_${hash}`) as SubscriptionId;
}

/**
 * What a line says need be right only when it is first imported: since then its end may have come, and what it replaces has
 * ended.
 * @throws Problem where a fault of the line, the ledger, the payment service or the lack of a worker stands against it.
 */
async function importMandate(deps: AdminDeps, { line, faults }: WellFormed, by: Import): Promise<Imported> {
  const ids = { subscriptionId: idOf(line), paymentId: line.paymentId };
  const standing = standingMandate(await findMandates(deps.db, ids), ids);
  if (standing !== null) return standing;
  const allFaults = [...faults, ...(await replacesFaults(deps, line.replaces))];
  if (allFaults.length > 0) throw faultyLine(allFaults);
  return importedBy(await by.workers.adopt(orderOf(deps, line, actorOf(by))), ids.subscriptionId);
}

type MandateIds = Pick<ImportDraft, 'subscriptionId' | 'paymentId'>;

/**
 * The same mandate, here already; null where all that is in the way may be an expired draft.
 * @throws Problem where the id is another payment's, or the payment another subscription's.
 */
function standingMandate(found: readonly MandateOnRecord[], ids: MandateIds): Imported | null {
  const { subscriptionId, paymentId } = ids;
  const standing = found.filter(({ isDraft }) => !isDraft);
  const same = standing.find((each) => each.subscriptionId === subscriptionId && each.paymentId === paymentId);
  if (same !== undefined) return same;
  const ofPayment = standing.find((each) => each.paymentId === paymentId);
  const other = ofPayment ?? standing[0];
  if (other !== undefined) throw taken(subscriptionId, other.subscriptionId);
  return null;
}

function taken(id: SubscriptionId, by: SubscriptionId): Problem {
  return stateConflict(by === id ? `The id ${id} is taken.` : `The payment belongs to subscription ${by}.`);
}

function orderOf(deps: AdminDeps, line: ImportLine, by: Actor): ImportOrder {
  const { paymentId, amount, consentAmount = null, lastIncreaseAt = null } = line;
  const collectFrom = effectiveCollectFrom(line, deps.clock.now());
  return {
    draft: {
      ...agreementOf(deps, line, idOf(line)),
      paymentId,
      amount,
      // Until the service has answered it.
      consentAmount: consentAmount ?? amount,
      warnings: creationWarnings(line),
      adoption: { consentAmount, collectFrom, lastIncreaseAt, ...by },
    },
  };
}

function importedBy(outcome: AdoptOutcome | NotTried, subscriptionId: SubscriptionId): Imported {
  switch (outcome.kind) {
    case 'adopted':
      return { subscriptionId, warnings: outcome.warnings };
    case 'taken':
      throw taken(subscriptionId, outcome.by);
    case 'refused':
      throw faultyLine(outcome.faults);
    case 'replaced_by_another':
      throw alreadyReplaced(outcome);
    case 'unavailable':
      throw serviceUnavailable('Nothing is left of this line; it may be repeated.', outcome.reason);
    case 'not_ready':
      throw new Problem(
        'not_ready',
        `No worker answered in time. Subscription ${subscriptionId} may still be imported: repeat the line.`,
      );
    case 'not_tried':
      throw new Problem('not_ready', 'No worker answers: the line was not tried. Repeat it.');
  }
}

/** A line in the form of one, and what else is wrong with it. */
interface WellFormed {
  readonly line: ImportLine;
  readonly faults: readonly Fault[];
}

/** Judges lines, each alone; lines of one mandate one after the other, so that the second meets what the first made. */
export class LineJudge {
  private readonly lanes = new KeyedMutex();

  constructor(private readonly deps: AdminDeps) {}

  /** Never rejects: every fault becomes the problem in the line's answer. */
  async judge(raw: RawLine, by: Import): Promise<ImportAnswer> {
    try {
      const read = await this.read(raw);
      const keys = [`subscription ${idOf(read.line)}`, `payment ${read.line.paymentId}`];
      const { subscriptionId, warnings } = await this.lanes.run(keys, () => importMandate(this.deps, read, by));
      return { line: raw.number, subscriptionId, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'internal') by.log.error({ err: loggable(error), line: raw.number }, 'a line failed');
      return { line: raw.number, problem: problem.body() as Extract<ImportAnswer, { problem: unknown }>['problem'] };
    }
  }

  /** @throws Problem with every fault of a line that has not the form of one. */
  private async read({ bytes, length }: RawLine): Promise<WellFormed> {
    if (bytes === null) throw tooLong(length);
    const { policy, clock } = this.deps;
    const { line, known, faults } = readLine(parseJson(bytes), policy, clock.now());
    if (line === undefined) throw faultyLine([...faults, ...(await replacesFaults(this.deps, known.replaces))]);
    return { line, faults };
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

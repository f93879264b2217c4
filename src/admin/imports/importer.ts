import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import type { GrantedConsent } from '../../domain/subscription/mandate';
import { dueAt, firstCycleFrom } from '../../domain/subscription/schedule';
import { type Actor, actorOf } from '../../domain/audit/event';
import { frozenFor } from '../../temporal';
import { inLanes } from '../../jobs/repeated-work';
import {
  findMandates,
  importMandates,
  importAlone,
  isRefusedByLedger,
  type MandateIds,
  type RecordedMandate,
  type NewMandate,
} from '../../ledger';
import { loggable } from '../../platform/log';
import { type AdminDeps, limitsOf } from '../dependencies';
import { isLedgerDown } from '../http/error-answers';
import { type Fault, Problem, serviceUnavailable, stateConflict } from '../http/problems';
import { agreementOf, replacesFaults } from '../subscriptions/create';
import { alreadyReplaced } from '../subscriptions/rules';
import { creationWarnings, duplicateWarnings } from '../subscriptions/warnings';
import type { Line } from './lines';
import { checkMandate } from './mandate';
import { carriedBy } from './state';
import { effectiveCollectFrom, faultyLine, type ImportAnswer, type ImportLine, readLine } from './schema';

/** Mandates of one batch that are checked at the service concurrently. */
export const CONCURRENT_CHECKS = 16;
/** Rounds in addition to one per line of a batch, because others may import the same mandates concurrently. */
const EXTRA_ROUNDS = 3;

/** Who imports, and the log for errors. */
export interface Import extends Actor {
  readonly log: FastifyBaseLogger;
  /** Whether every check is made and nothing is stored. */
  readonly isDryRun: boolean;
}

/** A parsed line that has no answer yet. */
interface OpenLine extends MandateIds {
  readonly number: number;
  readonly line: ImportLine;
  /** The line as it was sent. */
  readonly written: unknown;
  /** Faults beyond the schema. */
  readonly faults: readonly Fault[];
}

/** A line whose mandate may be imported. */
interface ReadyLine extends OpenLine {
  readonly mandate: NewMandate;
}

/** The line's id; otherwise one derived from the payment, so that a repeated line finds what it created. */
function idOf({ subscriptionId, paymentId }: Pick<ImportLine, 'subscriptionId' | 'paymentId'>): SubscriptionId {
  const hash = createHash('sha256').update(`import/${paymentId}`).digest('hex').slice(0, 32);
  return (subscriptionId ?? `sub_${hash}`) as SubscriptionId;
}

/** Imports a batch of lines: checks their mandates at the service, then stores them in order in one transaction. */
export class Importer {
  constructor(private readonly deps: AdminDeps) {}

  /** Returns one answer per line, in the order of the lines. Never rejects: every fault becomes a problem in a line's answer. */
  async importBatch(lines: readonly Line[], by: Import): Promise<readonly ImportAnswer[]> {
    const answers = new BatchAnswers(by);
    const read = await inLanes(lines, 1, (line) => answers.attempt([line], () => this.read(line)));
    let open: readonly OpenLine[] = read.filter((each) => each !== undefined);
    for (let rounds = open.length + EXTRA_ROUNDS; open.length > 0 && rounds > 0; rounds -= 1) {
      const waiting = open;
      await answers.attempt(waiting, () => this.importRound(waiting, answers, by));
      open = answers.unanswered(waiting);
    }
    for (const { number } of open) answers.refuse(number, new Problem('not_ready', ANOTHER_IMPORTS));
    return answers.of(lines);
  }

  /** @throws Problem with all faults of a line that does not match the schema */
  private async read({ number, read }: Line): Promise<OpenLine> {
    const { policy, clock } = this.deps;
    const written = read();
    const { line, known, faults } = readLine(written, policy, clock.now());
    if (line === undefined) throw faultyLine([...faults, ...(await replacesFaults(this.deps, known.replaces))]);
    return { number, line, written, faults, subscriptionId: idOf(line), paymentId: line.paymentId };
  }

  /**
   * A line needs to be valid only when it is first imported: later its end may have passed, or the subscription that it replaces
   * may have ended. Of several lines of one mandate, the first is imported first, so that the others find the subscription it created.
   */
  private async importRound(open: readonly OpenLine[], answers: BatchAnswers, by: Import): Promise<void> {
    const found = [...(await findMandates(this.deps.db, open)), ...answers.accepted];
    for (const line of open) answers.answerIfKnown(line, found);
    const first = firstOfEach(answers.unanswered(open));
    const until = performance.now() + limitsOf(this.deps).mandatesMs;
    const checked = await inLanes(first, CONCURRENT_CHECKS, (line) =>
      answers.attempt([line], () => this.check(line, until)),
    );
    const ready = await this.withWarnings(checked.filter((each) => each !== undefined));
    const alone = ready.filter(({ mandate }) => mandate.replaces !== null || mandate.carried !== null);
    const together = ready.filter((each) => !alone.includes(each));
    if (by.isDryRun) for (const each of together) answers.take(each);
    else await this.store(together, answers, by);
    for (const each of alone) await answers.attempt([each], () => this.storeAlone(each, answers, by));
  }

  private async withWarnings(ready: readonly ReadyLine[]): Promise<readonly ReadyLine[]> {
    const agreements = ready.map(({ line, subscriptionId: id }) => ({ ...line, id }));
    const duplicates = await duplicateWarnings(this.deps, agreements);
    return ready.map((each) => {
      const warning = duplicates.get(each.subscriptionId);
      if (warning === undefined) return each;
      const { mandate } = each;
      const warnings = [...mandate.consent.warnings, warning];
      return { ...each, mandate: { ...mandate, consent: { ...mandate.consent, warnings } } };
    });
  }

  /** @throws Problem if the line or the mandate is invalid, or the service gives no readable answer */
  private async check(open: OpenLine, until: number): Promise<ReadyLine> {
    const { imports, clock } = this.deps;
    const { line } = open;
    const faults = [...open.faults, ...(await replacesFaults(this.deps, line.replaces))];
    if (faults.length > 0) throw faultyLine(faults);
    const { endAt = null, consentAmount = null, lastIncreaseAt = null } = line;
    const collectFrom = effectiveCollectFrom(line, clock.now());
    const wanted = { ...line, endAt, consentAmount, lastIncreaseAt, collectFrom };
    const { service } = imports;
    // With the priority of collecting, so that an import of any length does not delay due debits.
    const verdict = await service.as('collecting', () => checkMandate(service, wanted, until));
    if (verdict.kind === 'refused') throw faultyLine(verdict.faults);
    if (verdict.kind === 'unavailable') {
      throw serviceUnavailable('Nothing was imported from this line; it may be repeated.', verdict.reason);
    }
    return { ...open, mandate: this.mandateOf(open, collectFrom, verdict.consent) };
  }

  private mandateOf(
    { line, written, subscriptionId }: OpenLine,
    collectFrom: number,
    consent: GrantedConsent,
  ): NewMandate {
    const agreement = agreementOf(this.deps, line, subscriptionId);
    const cycle = firstCycleFrom(agreement, collectFrom);
    const { consentAmount, warnings, ...rest } = consent;
    return {
      ...agreement,
      consentAmount,
      paymentId: line.paymentId,
      amount: line.amount,
      cycle,
      dueAt: dueAt(agreement, cycle),
      collectFrom,
      consent: { ...rest, warnings: [...creationWarnings(line, written, this.deps.policy), ...warnings] },
      carried: carriedBy(line, this.deps),
      frozen: frozenFor(this.deps.imports, subscriptionId),
    };
  }

  /** If PostgreSQL rejects a record, each line is stored separately, so that it does not affect the others. */
  private async store(ready: readonly ReadyLine[], answers: BatchAnswers, by: Import): Promise<void> {
    if (ready.length === 0) return;
    await answers.attempt(ready, async () => {
      const mandates = ready.map(({ mandate }) => mandate);
      const { db, clock } = this.deps;
      try {
        const stored = await importMandates(db, mandates, { ...actorOf(by), at: clock.now() });
        for (const each of ready) if (stored.has(each.subscriptionId)) answers.take(each);
      } catch (error) {
        if (!isRefusedByLedger(error) || ready.length === 1) throw error;
        for (const each of ready) await this.store([each], answers, by);
      }
    });
  }

  private async storeAlone(ready: ReadyLine, answers: BatchAnswers, by: Import): Promise<void> {
    const { db, clock, subscriptions, logger } = this.deps;
    const outcome = await importAlone(db, ready.mandate, { ...actorOf(by), at: clock.now() }, by.isDryRun);
    switch (outcome.kind) {
      case 'taken':
        return;
      case 'replaced_by_another':
        throw alreadyReplaced(outcome);
      case 'refused': {
        const { path = 'state', message } = outcome.refusal;
        throw faultyLine([{ path, message }]);
      }
      case 'imported': {
        answers.take(ready);
        const { other } = outcome;
        // If this fails, the job that finds unacknowledged revisions notifies the workflow.
        const failed = (error: unknown) =>
          logger.warn({ err: loggable(error) }, 'a replaced subscription was not notified');
        if (other !== null) void subscriptions.notify(other.subscriptionId, other.revision).catch(failed);
      }
    }
  }
}

const ANOTHER_IMPORTS = 'Another request is importing the same mandate. Repeat the line.';

/** The lines before which no other line has the same id or payment. */
function firstOfEach(lines: readonly OpenLine[]): readonly OpenLine[] {
  const seen = new Set<string>();
  return lines.filter(({ subscriptionId, paymentId }) => {
    const keys = [`subscription ${subscriptionId}`, `payment ${paymentId}`];
    const isFirst = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isFirst;
  });
}

/** Collects the answers to the lines of one batch. */
class BatchAnswers {
  private readonly byNumber = new Map<number, ImportAnswer>();
  /** Mandates of accepted lines: later lines are compared with them, also in a dry run, which stores none. */
  readonly accepted: RecordedMandate[] = [];

  constructor(private readonly by: Import) {}

  /** Runs work for lines; if it fails, the error becomes the answer to each line without one. @returns undefined if it failed */
  async attempt<T>(lines: readonly { readonly number: number }[], work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const problem = problemOf(error);
      const failed = this.unanswered(lines);
      const numbers = failed.map(({ number }) => number);
      if (problem.code === 'internal') this.by.log.error({ err: loggable(error), lines: numbers }, 'lines failed');
      for (const number of numbers) this.refuse(number, problem);
      return undefined;
    }
  }

  /** Answers a line whose mandate is already imported, or whose id or payment belongs to another one. */
  answerIfKnown({ number, subscriptionId, paymentId }: OpenLine, found: readonly RecordedMandate[]): void {
    const ofPayment = found.find((each) => each.paymentId === paymentId);
    const other = ofPayment ?? found.find((each) => each.subscriptionId === subscriptionId);
    if (other === undefined) return;
    if (other.subscriptionId === subscriptionId && other.paymentId === paymentId)
      this.imported(number, other, { duplicate: true });
    else this.refuse(number, taken(subscriptionId, other.subscriptionId));
  }

  take({ number, subscriptionId, paymentId, mandate }: ReadyLine): void {
    const { warnings } = mandate.consent;
    this.accepted.push({ subscriptionId, paymentId, warnings });
    this.imported(number, { subscriptionId, warnings }, {});
  }

  refuse(line: number, problem: Problem): void {
    const body = problem.body() as Extract<ImportAnswer, { problem: unknown }>['problem'];
    this.byNumber.set(line, { line, problem: body });
  }

  unanswered<T extends { readonly number: number }>(lines: readonly T[]): readonly T[] {
    return lines.filter(({ number }) => !this.byNumber.has(number));
  }

  of(lines: readonly Line[]): readonly ImportAnswer[] {
    return lines.flatMap(({ number }) => this.byNumber.get(number) ?? []);
  }

  private imported(
    line: number,
    { subscriptionId, warnings }: Pick<RecordedMandate, 'subscriptionId' | 'warnings'>,
    duplicate: { readonly duplicate?: true },
  ): void {
    const dryRun = this.by.isDryRun ? { dryRun: true as const } : {};
    const warned = warnings.length === 0 ? {} : { warnings: [...warnings] };
    this.byNumber.set(line, { line, subscriptionId, ...duplicate, ...dryRun, ...warned });
  }
}

function taken(id: SubscriptionId, by: SubscriptionId): Problem {
  return stateConflict(by === id ? `The id ${id} is already in use.` : `The payment belongs to subscription ${by}.`);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isLedgerDown(error)) return new Problem('not_ready', 'The ledger cannot be reached. Repeat the line.');
  return new Problem('internal', 'Internal error. The log has details under the line number; repeat the line.');
}

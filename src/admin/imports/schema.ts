import { z } from 'zod';
import { amountFaults } from '../../domain/subscription/adoption';
import { dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { toIso, type Instant } from '../../domain/time';
import type { Policy } from '../dependencies';
import { InstantIn, MoneyIn, PaymentIdText } from '../http/fields';
import { ProblemOut, type Fault, invalidRequest, Problem } from '../http/problems';
import { faultsOf } from '../http/validation';
import { readableFields, ruleFaults } from '../subscriptions/rules';
import { CreateSubscription } from '../subscriptions/schema';

/** One line of `POST /v1/subscriptions/import`. What its fields must be to each other is judged by {@link readLine}. */
export const ImportLine = CreateSubscription.omit({ returnURL: true })
  .extend({
    paymentId: PaymentIdText,
    consentAmount: MoneyIn.optional(),
    lastIncreaseAt: InstantIn.optional(),
    collectFrom: InstantIn.optional(),
  })
  .meta({ id: 'ImportLine', description: 'One line of the file: a mandate granted elsewhere.' });

export type ImportLine = z.output<typeof ImportLine>;

const Line = z.int().min(1).meta({ description: 'Counted from 1; blank lines count' });

/** One line of the answer, in the order of the lines that it answers. */
export const ImportAnswer = z
  .union([
    z.object({ line: Line, subscriptionId: z.string(), warnings: z.array(z.string()).optional() }),
    z.object({ line: Line, problem: ProblemOut }),
  ])
  .meta({ id: 'ImportAnswer', description: 'The outcome of one line.' });

export type ImportAnswer = z.output<typeof ImportAnswer>;

type Known = Partial<ImportLine>;

/** What a line says, as far as it can be read, and every fault of it that the line alone shows. */
export function readLine(value: unknown, policy: Policy, now: Instant) {
  const result = ImportLine.safeParse(value);
  const known = result.success ? result.data : readableFields(ImportLine, value);
  const faults = [...(result.success ? [] : faultsOf(result.error, value)), ...importFaults(known, policy, now)];
  return { line: result.data, known, faults };
}

/** 400 with every fault of the line. */
export function faultyLine(faults: readonly Fault[]): Problem {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return new Problem('invalid_request', `${count} in the line.`, invalidRequest(faults).more);
}

/** Nothing due before it is collected: not before the import, even if the line names an earlier time. */
export function effectiveCollectFrom({ collectFrom }: Known, now: Instant): Instant {
  return Math.max(now, collectFrom ?? now);
}

function importFaults(known: Known, policy: Policy, now: Instant): Fault[] {
  const { amount, consentAmount, repetition } = known;
  const canJudge = amount !== undefined && consentAmount !== undefined && repetition !== undefined;
  return [
    // The first payment may be long past: judged as at the beginning of time.
    ...ruleFaults(known, policy, 0),
    ...calendarFaults(known, now),
    ...increaseFaults(known, now),
    // Whether a cycle has been collected is for the service to say.
    ...(canJudge ? amountFaults({ amount, repetition }, consentAmount, true) : []),
  ];
}

/** Something must be left to collect. */
function calendarFaults(known: Known, now: Instant): Fault[] {
  const { firstPaymentAt, repetition, endAt } = known;
  if (firstPaymentAt === undefined || repetition === undefined) return [];
  const calendar = { firstPaymentAt, repetition, endAt: endAt ?? null };
  const collectFrom = effectiveCollectFrom(known, now);
  const first = firstCycleFrom(calendar, collectFrom);
  if (hasCycle(calendar, first)) return [];
  const due = dueAt(calendar, first);
  if (endAt === undefined || due < endAt) {
    // Of a first payment that is too late, firstPaymentAt is the fault.
    if (first === 0) return [];
    return [{ path: 'collectFrom', message: `expected a time with a due date to come; got ${toIso(collectFrom)}` }];
  }
  // One that is before firstPaymentAt is a fault already.
  if (endAt <= firstPaymentAt) return [];
  const expected = `a time after ${toIso(due)}, the first due date from ${toIso(collectFrom)} on`;
  return [{ path: 'endAt', message: `expected ${expected}; got ${toIso(endAt)}` }];
}

function increaseFaults({ lastIncreaseAt }: Known, now: Instant): Fault[] {
  if (lastIncreaseAt === undefined || lastIncreaseAt <= now) return [];
  const message = `expected a time not after now, ${toIso(now)}; got ${toIso(lastIncreaseAt)}`;
  return [{ path: 'lastIncreaseAt', message }];
}

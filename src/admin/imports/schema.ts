import { z } from 'zod';
import { amountFaults } from '../../domain/subscription/mandate';
import { collectionWindow, dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { toIso, type Instant } from '../../domain/time';
import type { Policy } from '../dependencies';
import { InstantIn, MoneyIn, PaymentIdText } from '../http/fields';
import { ProblemOut, type Fault, invalidRequest, type Problem } from '../http/problems';
import { faultsOf } from '../http/validation';
import { readableFields, ruleFaults } from '../subscriptions/rules';
import { CreateSubscription } from '../subscriptions/schema';
import { StateIn, stateFaults } from './state';

/** One line of `POST /v1/subscriptions/import`. {@link readLine} checks conditions across fields. */
export const ImportLine = CreateSubscription.omit({ returnURL: true })
  .extend({
    paymentId: PaymentIdText,
    consentAmount: MoneyIn.optional(),
    lastIncreaseAt: InstantIn.optional(),
    collectFrom: InstantIn.optional(),
    state: StateIn.optional(),
  })
  .meta({ id: 'ImportLine', description: 'One line of the file: an existing mandate.' });

export type ImportLine = z.output<typeof ImportLine>;

const Line = z.int().min(1).meta({ description: 'Counted from 1; blank lines count' });

/** The query of `POST /v1/subscriptions/import`. */
export const ImportQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Checks every line, at the payment service too, and stores nothing; needs no approval' }),
});

const DryRun = z.literal(true).optional().meta({ description: 'Present in a dry run: nothing was stored' });

/** One line of the response, in the order of the request. */
export const ImportAnswer = z
  .union([
    z.object({
      line: Line,
      subscriptionId: z.string(),
      dryRun: DryRun,
      duplicate: z
        .literal(true)
        .optional()
        .meta({ description: 'Present if the mandate had already been imported: the line added nothing' }),
      warnings: z.array(z.string()).optional(),
    }),
    z.object({ line: Line, problem: ProblemOut }),
  ])
  .meta({ id: 'ImportAnswer', description: 'The outcome of one line.' });

export type ImportAnswer = z.output<typeof ImportAnswer>;

type Known = Partial<ImportLine>;

/** The content of a line, as far as it is valid, and all faults that the line itself shows. */
export function readLine(value: unknown, policy: Policy, now: Instant) {
  const result = ImportLine.safeParse(value);
  const known = result.success ? result.data : readableFields(ImportLine, value);
  const faults = [...(result.success ? [] : faultsOf(result.error, value)), ...importFaults(known, policy, now)];
  return { line: result.data, known, faults };
}

/** 400 with all faults of the line. */
export function faultyLine(faults: readonly Fault[]): Problem {
  return invalidRequest(faults);
}

/**
 * No due date before this time is collected. It is the time of the import or later, unless the line comes from an export: a due
 * date for which the exporting installation had sent nothing is collected here if its window is still open.
 */
export function effectiveCollectFrom(known: Known, now: Instant): Instant {
  const { collectFrom = now, state, firstPaymentAt, repetition, endAt = null } = known;
  if (collectFrom >= now) return collectFrom;
  if (state === undefined || firstPaymentAt === undefined || repetition === undefined) return now;
  const calendar = { firstPaymentAt, repetition, endAt };
  // Windows do not overlap, so only the latest due date can have an open one.
  const latest = firstCycleFrom(calendar, now) - 1;
  const isHere = hasCycle(calendar, latest) && dueAt(calendar, latest) >= collectFrom;
  return isHere && collectionWindow(calendar, latest).collectBy > now ? dueAt(calendar, latest) : now;
}

function importFaults(known: Known, policy: Policy, now: Instant): Fault[] {
  const { amount, consentAmount, repetition } = known;
  const canJudge = amount !== undefined && consentAmount !== undefined && repetition !== undefined;
  return [
    // The first payment may be long past, so it is not compared with the current time.
    ...ruleFaults(known, policy, 0),
    ...calendarFaults(known, now),
    ...increaseFaults(known, now),
    ...stateFaults(known.state, now),
    // Only the service knows whether a cycle has been collected.
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
    // If the first payment is too late, firstPaymentAt has already been reported.
    if (first === 0) return [];
    return [{ path: 'collectFrom', message: `expected a time with a later due date; got ${toIso(collectFrom)}` }];
  }
  // An endAt before firstPaymentAt has already been reported.
  if (endAt <= firstPaymentAt) return [];
  const expected = `a time after ${toIso(due)}, the first due date from ${toIso(collectFrom)} on`;
  return [{ path: 'endAt', message: `expected ${expected}; got ${toIso(endAt)}` }];
}

function increaseFaults({ lastIncreaseAt }: Known, now: Instant): Fault[] {
  if (lastIncreaseAt === undefined || lastIncreaseAt <= now) return [];
  const message = `expected a time not after now, ${toIso(now)}; got ${toIso(lastIncreaseAt)}`;
  return [{ path: 'lastIncreaseAt', message }];
}

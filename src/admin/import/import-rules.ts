import { amountFaults } from '../../domain/subscription/adoption';
import { dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { toIso, type Instant } from '../../domain/time';
import { type Policy, readableFields, ruleFaults } from '../creation-rules';
import { type Fault, invalidRequest, Problem } from '../problems';
import { ImportLine } from '../schemas/import';
import { LAST_INSTANT } from '../schemas/instants';
import { faultsOf } from '../validation-faults';

type Known = Partial<ImportLine>;

export type ReadLine =
  | { readonly kind: 'read'; readonly line: ImportLine }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[]; readonly known: Known };

/** What a line says, or every fault of it that the line alone shows. */
export function readLine(value: unknown, policy: Policy, now: Instant): ReadLine {
  const result = ImportLine.safeParse(value);
  const known = result.success ? result.data : readableFields(ImportLine, value);
  const faults = [...(result.success ? [] : faultsOf(result.error, value)), ...importFaults(known, policy, now)];
  return result.success && faults.length === 0
    ? { kind: 'read', line: result.data }
    : { kind: 'faulty', faults, known };
}

/** 400 with every fault of the line. */
export function faultyLine(faults: readonly Fault[]): Problem {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return new Problem('invalid_request', `${count} in the line.`, invalidRequest(faults).more);
}

/** Nothing due before it is collected: not before the import, whatever the line says. */
export function effectiveCollectFrom({ collectFrom }: Known, now: Instant): Instant {
  return Math.max(now, collectFrom ?? now);
}

function importFaults(known: Known, policy: Policy, now: Instant): Fault[] {
  const { amount, consentAmount, repetition } = known;
  const canJudge = amount !== undefined && consentAmount !== undefined && repetition !== undefined;
  return [
    // The first payment may be long past: judged as at the beginning of time.
    ...ruleFaults(agreement(known), policy, 0),
    ...calendarFaults(known, now),
    ...increaseFaults(known, now),
    // Whether a cycle has been collected is for the service to say.
    ...(canJudge ? amountFaults({ amount, repetition }, consentAmount, true) : []),
  ];
}

function agreement({ amount, startAt, firstPaymentAt, endAt }: Known) {
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(firstPaymentAt === undefined ? {} : { firstPaymentAt }),
    ...(endAt === undefined ? {} : { endAt }),
  };
}

/** Something must be left to collect. */
function calendarFaults(known: Known, now: Instant): Fault[] {
  const { firstPaymentAt, repetition, endAt } = known;
  if (firstPaymentAt === undefined || repetition === undefined) return [];
  const calendar = { firstPaymentAt, repetition, endAt: endAt ?? null };
  const collectFrom = effectiveCollectFrom(known, now);
  const first = firstCycleFrom(calendar, collectFrom);
  const due = dueAt(calendar, first);
  if (due > LAST_INSTANT) {
    return [{ path: 'collectFrom', message: `expected a time with a due date to come; got ${toIso(collectFrom)}` }];
  }
  // One that is before firstPaymentAt is told of already.
  if (endAt === undefined || endAt <= firstPaymentAt || hasCycle(calendar, first)) return [];
  const expected = `a time after ${toIso(due)}, the first due date from ${toIso(collectFrom)} on`;
  return [{ path: 'endAt', message: `expected ${expected}; got ${toIso(endAt)}` }];
}

function increaseFaults({ lastIncreaseAt }: Known, now: Instant): Fault[] {
  if (lastIncreaseAt === undefined || lastIncreaseAt <= now) return [];
  const message = `expected a time not after now, ${toIso(now)}; got ${toIso(lastIncreaseAt)}`;
  return [{ path: 'lastIncreaseAt', message }];
}

import { randomUUID } from 'node:crypto';
import { MINUTE, toIso } from '../../src/domain/time';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { dueAt } from '../../src/domain/subscription/schedule';
import {
  beginSendIfUnchanged,
  chainAuditLog,
  fanOut,
  type Outcome,
  outcomeData,
  placeEvents,
  type Pool,
  recordAccepted,
  recordBooked,
  settledStep,
  SUMMED_AT_ONCE,
  sumCollectionChanges,
  surveyAttempt,
} from '../../src/ledger';
import { DUE, type Subscribed } from '../../test/ledger/ledger-fixture';

/** When a cycle is collected: a minute after it falls due. */
function collectedAt(cycle: number): number {
  return dueAt({ firstPaymentAt: DUE, repetition: 'WEEKLY', endAt: null }, cycle) + MINUTE;
}

/**
 * Collects a cycle of a weekly subscription with the queries that an activity makes, and the answers of a service that accepts and
 * books at once.
 * @throws if the ledger plans anything else
 */
export async function collectCycle(ledger: Pool, of: Subscribed, cycle: number): Promise<void> {
  const { subscriptionId, paymentId } = of;
  const [at, realAt] = [collectedAt(cycle), Date.now()];
  const survey = await surveyAttempt(ledger, { subscriptionId, cycle, attempt: 0 }, at);
  const known = survey?.current.acknowledged ?? 0;
  const step = survey === null ? null : settledStep(survey.current, { at, followed: [], revision: known })?.step;
  if (survey === null || step?.kind !== 'collect' || step.plan.cycle !== cycle)
    throw new Error(`cycle ${cycle} of ${subscriptionId} should be collected now; the next step is ${step?.kind}`);
  const { attempt, amount, collectBy, sendBefore, nextDueAt } = step.plan;
  const row = await beginSendIfUnchanged(
    ledger,
    {
      subscriptionId,
      paymentId,
      cycle,
      attempt,
      amount,
      dueAt: step.plan.dueAt,
      collectBy,
      at,
      realAt,
      revision: survey.current.state.revision,
      knownIds: survey.knownAuthorizations.map(({ id }) => id),
      owner: 'bench',
      consent: { subscriptionId, status: 'successful', at, reason: null },
      grounds: { sendBefore: toIso(sendBefore), consentReadAt: toIso(at) },
    },
    survey,
  );
  if (row === null) throw new Error(`cycle ${cycle} of ${subscriptionId} could not be sent`);
  const made = { authorizationId: randomUUID() as AuthorizationId, createdAt: at, reportedReal: realAt };
  const outcome = { state: 'pending', ...made } as const;
  const accepted = await recordAccepted(ledger, { row, outcome, at, event: eventOf(cycle, outcome) });
  if (accepted === null) throw new Error(`the answer about cycle ${cycle} of ${subscriptionId} could not be recorded`);
  const booked = { state: 'successful', ...made, captureId: randomUUID() as CaptureId, nextDueAt } as const;
  const update = { row: accepted.send, outcome: booked, at, event: eventOf(cycle, booked) };
  if ((await recordBooked(ledger, update, accepted)) === null)
    throw new Error(`cycle ${cycle} of ${subscriptionId} was not recorded as collected`);
}

function eventOf(cycle: number, outcome: Outcome) {
  return { type: `attempt.${outcome.state}`, data: { cycle, attempt: 0, send: 0, ...outcomeData(outcome) } } as const;
}

/** What the jobs of a process do with what was committed: positions and deliveries of events, sums, and the chain of the audit log. */
export async function doJobs(ledger: Pool): Promise<void> {
  while ((await placeEvents(ledger)) > 0);
  while (await fanOut(ledger));
  while ((await sumCollectionChanges(ledger)) === SUMMED_AT_ONCE);
  while (await chainAuditLog(ledger));
}

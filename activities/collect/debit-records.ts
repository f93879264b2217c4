import type { PaymentRef } from '../../src/contract/activities';
import type { Again, Settled, SideEffect } from '../../src/domain/attempt/action';
import { type Contradicted, isRefusedState, type KnownRecord } from '../../src/domain/evidence';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import type { CollectPlan } from '../../src/domain/subscription/state';
import { toIso } from '../../src/domain/time';
import type { EventData, SignedMark } from '../../src/domain/audit/event';
import type { EventType } from '../../src/domain/audit/events';
import {
  onceOf,
  applyChange,
  type AttemptRecord,
  findSendByAuthorization,
  describeRefusal,
  endListItem,
  isRefusedByLedger,
  knownAuthorizations,
  openContradiction,
  openListItem,
  type Outcome,
  outcomeData,
  type OutcomeEvent,
  recordAccepted,
  recordBooked,
  recordOutcome,
  refuseAgain,
  reopenAttempt,
} from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import type { AuditMemory } from './audit-memory';
import { named, outcomeOf } from './debit-forms';
import type { SendRow, WrittenOutcome } from './send-row';

/** A debit, with what recording its outcome or an entry about it needs. */
export interface Recording {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'counting'>;
  readonly input: PaymentRef &
    Pick<CollectPlan, 'cycle' | 'attempt' | 'collectBy' | 'parked' | 'nextDueAt'> & {
      readonly auditPosition?: SignedMark | undefined;
    };
  /** The audit memory of this worker. */
  readonly memory: AuditMemory;
  readonly row: SendRow;
}

/** Records the outcome of the send at hand. @returns null if the stored row already has an outcome, which counts */
export async function recordSettled(recording: Recording, settled: Settled): Promise<WrittenOutcome | null> {
  const { deps, input } = recording;
  const row = recording.row.requireRecord();
  if (settled.state === 'refused_again') {
    const send = await refuseAgain(deps.ledger, row, deps.clock.now());
    return send === null ? null : { send };
  }
  if (settled.state === 'accepted') return storeAccepted(recording, row, settled.made);
  return recordAttempt(recording, row, outcomeOf(settled, input.parked ? undefined : input.nextDueAt));
}

/** If the ledger refuses to store what the service accepted, the answer is kept as JSON: the debit was made (rules 38, 43). */
async function storeAccepted(recording: Recording, row: AttemptRecord, made: Listed): Promise<WrittenOutcome | null> {
  try {
    const accepted = await acceptAtOnce(recording, row, pendingAs(recording.deps, made));
    return accepted ?? (await recordAttempt(recording, row, await outcomeOfAccepted(recording, made)));
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
    const reason = `the ledger refused to store what the service accepted: ${describeRefusal(error)}`;
    const kept = await recordAttempt(recording, row, { state: 'unresolved', reason, accepted: JSON.stringify(made) });
    if (kept !== null) return kept;
    // The row already has an outcome: another try to store the answer would only be refused again.
    throw error;
  }
}

/**
 * An answer may name an authorization that the ledger already has. If it belongs to a refused attempt of the same cycle, it is
 * reopened as this attempt; otherwise the outcome is unresolved (rule 38).
 */
async function outcomeOfAccepted({ deps, input }: Recording, made: Listed): Promise<Outcome> {
  const existing = await findSendByAuthorization(deps.ledger, input.paymentId, made.id);
  if (existing === null || (isRefusedState(existing.state) && existing.cycle === input.cycle))
    return pendingAs(deps, made);
  const whose = `cycle ${existing.cycle}, attempt ${existing.attempt}`;
  const { id, createdAt, amount, status } = made;
  return {
    state: 'unresolved',
    reason: `the service accepted it as ${id}, which belongs to ${whose}`,
    accepted: JSON.stringify({ authorizationId: id, createdAt: toIso(createdAt), amount, status }),
  };
}

function pendingAs({ clock }: Recording['deps'], made: Listed): Extract<Outcome, { state: 'pending' }> {
  const authorized = made.status === 'successful';
  return { state: 'pending', ...named(made), authorized, reportedReal: clock.realNow() };
}

/** A final outcome is never overwritten. @returns the row, if it was written */
async function recordAttempt(
  recording: Recording,
  row: AttemptRecord,
  outcome: Outcome,
): Promise<WrittenOutcome | null> {
  const { deps, input, memory } = recording;
  const booked = outcome.state === 'successful' ? await bookAtOnce(recording, row, outcome) : null;
  if (booked !== null) return booked;
  const write = () => recordOutcome(deps.ledger, row, outcome, deps.clock.now(), eventOf(row, outcome));
  const written = await memory.watch(deps, input.auditPosition, write);
  if (written.kind !== 'recorded') return null;
  deps.counting.recordAttempt(outcome.state);
  return { send: written.send };
}

function eventOf({ cycle, attempt, send }: AttemptRecord, outcome: Outcome): OutcomeEvent {
  return { type: `attempt.${outcome.state}`, data: { cycle, attempt, send, ...outcomeData(outcome) } };
}

/**
 * Writes an accepted answer in one statement.
 * @returns null if several statements are needed
 */
async function acceptAtOnce(
  { deps, input, memory }: Recording,
  row: AttemptRecord,
  outcome: Extract<Outcome, { state: 'pending' }>,
): Promise<WrittenOutcome | null> {
  const update = { row, outcome, at: deps.clock.now(), event: eventOf(row, outcome) };
  const { accepted } = await memory.watch(deps, input.auditPosition, async () => {
    const found = await recordAccepted(deps.ledger, update);
    return { accepted: found, mark: found?.mark ?? null };
  });
  if (accepted === null) return null;
  deps.counting.recordAttempt(outcome.state);
  return { send: accepted.send, reopened: accepted.reopened, accepted };
}

/**
 * Writes a successful outcome in one statement.
 * @returns null if it has further consequences, or if the ledger has changed since this run read it
 */
async function bookAtOnce(
  { deps, input, memory, row: { accepted } }: Recording,
  row: AttemptRecord,
  outcome: Extract<Outcome, { state: 'successful' }>,
): Promise<WrittenOutcome | null> {
  if (accepted === null) return null;
  const update = { row, outcome, at: deps.clock.now(), event: eventOf(row, outcome) };
  const { booked } = await memory.watch(deps, input.auditPosition, async () => {
    const found = await recordBooked(deps.ledger, update, accepted);
    return { booked: found, mark: found?.mark ?? null };
  });
  if (booked === null) return null;
  deps.counting.recordAttempt(outcome.state);
  return { send: booked.send, reopened: booked.reopened, current: booked.current };
}

/**
 * Reopens a refused attempt of any cycle of the payment (rule 36).
 * @param asker `workflow`: the subscription's workflow learns of this from the activity's result; `caller`: it is notified
 */
export async function reopenRefused(
  { ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>,
  { paymentId }: PaymentRef,
  { known, found, isCaptured }: Again,
  { asker }: { readonly asker: 'workflow' | 'caller' },
): Promise<void> {
  const row = (await knownAuthorizations(ledger, paymentId)).find(
    ({ id, state }) => id === known.id && isRefusedState(state),
  );
  if (row === undefined) return;
  const finding = { at: clock.now(), realAt: clock.realNow(), found, isCaptured };
  await reopenAttempt(ledger, row, finding, asker === 'workflow');
}

/** Writes an audit entry, once for each attempt and type. */
export async function recordEvent({ deps, input }: Recording, type: EventType, data: EventData = {}): Promise<void> {
  const { subscriptionId, cycle, attempt } = input;
  await applyChange(deps.ledger, {
    subscriptionId,
    key: onceOf(type, input),
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type, data: { cycle, attempt, ...data } }],
  });
}

export async function recordSideEffect(recording: Recording, sideEffect: SideEffect): Promise<void> {
  const { deps, input } = recording;
  const { subscriptionId, cycle, attempt } = input;
  switch (sideEffect.kind) {
    case 'alert':
      deps.log.warn({ subscriptionId, cycle, attempt, ...sideEffect.data }, sideEffect.type);
      return recordEvent(recording, sideEffect.type, sideEffect.data);
    case 'entry':
      return recordEvent(recording, sideEffect.type);
    case 'list':
      if (sideEffect.reason === null) return endListItem(deps.ledger, input);
      return openListItem(deps.ledger, { ...input, reason: sideEffect.reason, at: deps.clock.now() });
    case 'failed_again':
      return reportFailedAgain(recording, sideEffect.found);
    case 'contradiction':
      return reportContradiction(recording, sideEffect);
    case 'operator':
    case 'overdue':
      throw new Error(`${sideEffect.kind} is a side effect for orders`);
  }
}

/** A successful debit never becomes failed: its capture has decided its outcome, and an operator is notified (rule 37). */
async function reportFailedAgain(
  { deps, input }: Recording,
  found: readonly Contradicted<KnownRecord, Listed>[],
): Promise<void> {
  const known = await knownAuthorizations(deps.ledger, input.paymentId);
  for (const { known: record, listed: shown } of found) {
    const row = known.find(({ id, state }) => id === record.id && state === 'successful');
    if (row === undefined) continue;
    const contradiction = {
      subscriptionId: row.subscriptionId,
      paymentId: input.paymentId,
      cycle: row.cycle,
      amount: row.amount,
      authorizationId: row.id,
      ledger: { state: row.state, at: row.createdAt ?? row.dueAt },
      service: { state: shown.status, at: shown.createdAt },
      detail: `${row.id} was successful; the service now lists it as ${shown.status}. Compare the captures before you refund anything.`,
    };
    await openContradiction(deps.ledger, contradiction, deps.clock.now());
  }
}

async function reportContradiction(
  { deps, row: { record: row } }: Recording,
  { record, detail }: Extract<SideEffect, { kind: 'contradiction' }>,
): Promise<void> {
  if (row === null) throw new Error('a contradiction needs an authorization that the ledger has');
  const { subscriptionId, paymentId, cycle, amount } = row;
  const contradiction = {
    subscriptionId,
    paymentId,
    cycle,
    amount,
    authorizationId: record.id as AuthorizationId,
    detail,
    ledger: { state: 'successful', at: row.at },
    service: { state: record.status, at: record.createdAt },
  };
  await openContradiction(deps.ledger, contradiction, deps.clock.now());
}

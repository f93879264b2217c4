import type { Settled, SideEffect } from '../../src/domain/attempt/action';
import type { Send, ServiceRecord } from '../../src/domain/attempt/attempt';
import { toIso } from '../../src/domain/time';
import type { EventData } from '../../src/domain/audit/event';
import type { EventType } from '../../src/domain/audit/events';
import {
  applyChange,
  openOrderItem,
  describeRefusal,
  updateOverdueItem,
  insertEvent,
  isRefusedByLedger,
  knownOrders,
  namesOfOrder,
  type OrderOutcome,
  type OrderSendRecord,
  type OrderSubject,
  recordOrderOutcome,
} from '../../src/ledger';
import type { Dependencies } from '../dependencies';

/** An order, with what recording its outcome or an entry about it needs. */
interface Recording {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log'>;
  readonly subject: OrderSubject;
}

/** Fields that have a meaning only for debits. */
const DEBIT_ONLY_FIELDS = {
  adopted: false,
  wasRefused: false,
  authorized: false,
  isResolved: false,
  unlistedSinceReal: null,
  contradictedSinceReal: null,
} as const;

export function sendOf(row: OrderSendRecord): Send {
  const { serviceId: id, serviceCreatedAt: createdAt } = row;
  return { ...row, id, createdAt, ...DEBIT_ONLY_FIELDS };
}

/** Records the outcome of a send. @returns whether it was written; if not, the stored row already has an outcome, which counts */
export async function recordSettled(recording: Recording, send: number, settled: Settled): Promise<boolean> {
  switch (settled.state) {
    case 'accepted':
      return storeAccepted(recording, send, settled.made);
    case 'successful': {
      const { state, id: serviceId, createdAt } = settled;
      const reportedReal = recording.deps.clock.realNow();
      return recordOrder(recording, send, { state, serviceId, createdAt, reportedReal });
    }
    case 'refused': {
      const { detail, description, made } = settled;
      return recordOrder(recording, send, { state: 'failed', detail, description, ...(made && serviceRef(made)) });
    }
    case 'not_sent':
    case 'unknown':
    case 'unresolved':
      return recordOrder(recording, send, settled);
    case 'capture_failed':
    case 'refused_again':
      throw new Error(`${settled.state} is an outcome for debits`);
  }
}

/** If the ledger refuses to store what the service accepted, the answer is kept as JSON: the order was made (rules 38, 43). */
async function storeAccepted(recording: Recording, send: number, made: ServiceRecord): Promise<boolean> {
  try {
    return await recordOrder(recording, send, await outcomeOfAccepted(recording, made));
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
    const reason = `the ledger refused to store what the service accepted: ${describeRefusal(error)}`;
    const accepted = JSON.stringify(made);
    if (await recordOrder(recording, send, { state: 'unresolved', reason, accepted })) return true;
    // The row already has an outcome: another try to store the answer would only be refused again.
    throw error;
  }
}

/**
 * If an answer names a record that the ledger already has, it is unknown what was made (rule 38). A record that the service reports
 * as successful is final at once: no later answer can make it fail (rule 37).
 */
async function outcomeOfAccepted({ deps, subject }: Recording, made: ServiceRecord): Promise<OrderOutcome> {
  const { ledger, clock } = deps;
  const { records } = await knownOrders(ledger, subject.paymentId, subject.orderId);
  const { id, createdAt, amount, status } = made;
  if (!records.some((each) => each.id === id)) {
    const state = status === 'successful' ? status : 'pending';
    return { state, ...serviceRef(made), reportedReal: clock.realNow() };
  }
  return {
    state: 'unresolved',
    reason: `the service accepted it as ${id}, which belongs to another order`,
    accepted: JSON.stringify({ id, createdAt: toIso(createdAt), amount, status }),
  };
}

function serviceRef({ id, createdAt }: Pick<ServiceRecord, 'id' | 'createdAt'>) {
  return { serviceId: id, createdAt };
}

async function recordOrder({ deps, subject }: Recording, send: number, outcome: OrderOutcome): Promise<boolean> {
  const { kind, orderId } = subject;
  if (outcome.state === 'failed' || outcome.state === 'unresolved') {
    deps.log.warn({ ...namesInLog(subject), send, ...outcome }, `${kind}.${outcome.state}`);
  }
  return (await recordOrderOutcome(deps.ledger, { orderId, send }, outcome, deps.clock.now())).kind === 'recorded';
}

export async function recordSideEffect(recording: Recording, sideEffect: SideEffect): Promise<void> {
  const { deps, subject } = recording;
  const { ledger, clock, log } = deps;
  switch (sideEffect.kind) {
    case 'alert':
      log.warn({ ...namesInLog(subject), ...sideEffect.data }, sideEffect.type);
      return recordEvent(recording, sideEffect.type, sideEffect.data);
    case 'entry':
      return recordEvent(recording, sideEffect.type);
    case 'operator':
      return openOrderItem(ledger, subject.orderId, sideEffect.reason, clock.now());
    case 'overdue':
      return updateOverdueItem(ledger, subject.orderId, sideEffect.reason, clock.now());
    case 'list':
    case 'failed_again':
    case 'contradiction':
      throw new Error(`${sideEffect.kind} is a side effect for debits`);
  }
}

/** Writes an audit entry, once for each order and type. */
async function recordEvent({ deps, subject }: Recording, type: EventType, data: EventData = {}): Promise<void> {
  const { subscriptionId, orderId, paymentId } = subject;
  const event = { type, data: { ...namesOfOrder(subject), ...data } };
  const change = { key: `${type}/${orderId}`, at: deps.clock.now(), actor: 'dueday' };
  if (subscriptionId === null) {
    const { key: changeKey, at, actor } = change;
    await insertEvent(deps.ledger, { ...event, subscriptionId, paymentId, changeKey, at, actor });
  } else {
    await applyChange(deps.ledger, { subscriptionId, ...change, events: [event] });
  }
}

function namesInLog(subject: OrderSubject): EventData {
  const { subscriptionId, paymentId } = subject;
  return { ...(subscriptionId === null ? { paymentId } : { subscriptionId }), ...namesOfOrder(subject) };
}

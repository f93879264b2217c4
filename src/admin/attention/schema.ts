import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment';
import type { AttemptState } from '../../domain/send';
import { ORPHANED } from '../../domain/subscription/pauses';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import {
  ATTENTION_SORTS,
  type AttentionItem,
  type ConsentMatter,
  DUEDAY,
  type Evidence,
  type Halt,
  MOST_COUNTED,
} from '../../ledger';
import { InstantOut, leftOut, line, MoneyOut, PAGE_FIELDS, Reason } from '../http/fields';

export const AttentionQuery = z.strictObject({
  ...PAGE_FIELDS,
  kind: line(100).optional(),
  assignee: z.string().max(100).optional().meta({ description: 'Empty: items without an assignee' }),
  sort: z
    .enum(ATTENTION_SORTS)
    .default('-since')
    .meta({ description: 'The largest first where there is a hyphen; without a deadline, last' }),
});

export const AttentionParams = z.object({ item: z.string().regex(/^att_[\da-f]{24}$/, 'the id of an item') });

export const AssignBody = z.strictObject({ assignee: line(100).nullable() }).meta({ id: 'AssignAttention' });
export const NoteBody = z.strictObject({ note: Reason.nullable() }).meta({ id: 'NoteAttention' });
export const CloseBody = z.strictObject({ reason: Reason }).meta({ id: 'CloseAttention' });

const EvidenceOut = z
  .object({
    state: z.string(),
    amount: leftOut(MoneyOut),
    at: leftOut(InstantOut),
    id: leftOut(z.string()),
    detail: leftOut(z.string()),
  })
  .meta({ id: 'Evidence', description: 'What one side says of it' });

/**
 * What waits for a person: one matter of a subscription, of a one-time payment (no `subscriptionId`), of an endpoint
 * (`endpointId` alone) or of the installation (no id at all).
 */
export const AttentionOut = z
  .object({
    item: z.string().meta({ description: 'Its id: the same matter, come back, has the same' }),
    kind: z.string(),
    subscriptionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    orderId: leftOut(z.string()),
    endpointId: leftOut(z.string()).describe('Of dead letters'),
    cycle: z.int().min(0).nullable().meta({ description: 'Null if it is about no cycle' }),
    status: z.enum([...SUBSCRIPTION_STATUSES, ...PAYMENT_STATUSES]).nullable(),
    matters: z
      .array(
        z.object({
          kind: z.string(),
          cycle: leftOut(z.int().min(0)),
          since: leftOut(InstantOut),
          advice: leftOut(z.string()).describe('What a person does about it'),
        }),
      )
      .meta({ description: 'The one matter' }),
    amount: MoneyOut.nullable().meta({ description: 'What it is about; null where it is about no money' }),
    since: InstantOut,
    deadline: InstantOut.nullable().meta({ description: 'Until when a person can still change something' }),
    ledger: EvidenceOut.nullable(),
    service: EvidenceOut.nullable().meta({ description: 'Null where it has nothing of the kind, or cannot be asked' }),
    assignee: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Attention' });

type AttentionOut = z.output<typeof AttentionOut>;
type EvidenceOut = z.output<typeof EvidenceOut>;

/** @param halt the one that stands, for the item that is about it */
export function viewAttention(item: AttentionItem, halt: Halt | null = null): AttentionOut {
  const { kind, cycle, since } = item;
  return {
    ...item,
    item: item.itemId,
    matters: [{ kind, cycle, since, advice: adviceOf(item, halt) }],
    ledger: ledgerOf(item),
    service: serviceOf(item),
  };
}

/** Where the kind alone does not say it all. */
function adviceOf({ kind, source, endpoint }: AttentionItem, halt: Halt | null): string | null {
  if (source === 'endpoint') {
    const { enabled, undelivered } = endpoint;
    const mend = enabled === true ? 'Mend the endpoint' : 'Mend the endpoint and enable it';
    return `${countOf(undelivered ?? 0)} given up. ${mend}, then replay: POST /v1/webhook-endpoints/{endpointId}/replay with onlyFailed. Close it where they are not wanted any more: POST /v1/attention/{item}/close.`;
  }
  if (source === 'order') {
    const call = kind === 'capture_unresolved' ? 'captures' : 'refunds';
    return `dueday keeps asking. Later captures and a release of the payment wait behind a capture, every other order behind one that was sent. Look at the service's own records; once you know whether it was made, say so: POST /v1/${call}/{orderId}/resolve.`;
  }
  if (source === 'difference') {
    return 'Find out which side is right. Once it is explained, close it: POST /v1/attention/{item}/close.';
  }
  if (source === 'installation') {
    return 'One cause seems to concern many subscriptions: this item stands for theirs, which are listed again once they are few. Its ledger.detail says how many there are, and what to check first.';
  }
  if (source === 'overdue') {
    return 'Something that should have happened has not: ledger.detail says what. Check that a worker runs (dueday doctor) and look at the workflow in Temporal; if none runs, POST /v1/subscriptions/{subscriptionId}/restart. The item ends by itself.';
  }
  if (kind === 'unrecordable') {
    return 'PostgreSQL refuses what is to be written for its data: ledger.detail names the activity, SQLSTATE and column. Find out what differs about it, by the log and the service’s records. It is tried again, and the item ends once it is written.';
  }
  if (halt?.by === DUEDAY) {
    return `All sending is halted: ${halt.reason}. Run dueday reconcile: once it finds no difference, sending goes on. What is not sent by the end of its window is missed.`;
  }
  if (halt !== null) {
    return `${halt.by} halted all sending: ${halt.reason}. When the cause is mended, lift it: DELETE /v1/halt. What is not sent by the end of its window is missed.`;
  }
  if (source === 'consent') return CONSENT_ADVICE[kind as ConsentMatter];
  if (kind === 'release_unresolved') {
    return 'dueday keeps asking for the release until the deadline; then the authorization expires. Ask the operator why it is not made.';
  }
  if (kind !== ORPHANED || source !== 'payment') return null;
  return 'Its workflow was terminated, failed, or lost with Temporal’s database. Find out why, then begin it again: POST /v1/payments/{paymentId}/restart.';
}

/** What an operator does about a consent; `service.detail` of the item has the service's last answer. */
const CONSENT_ADVICE: Readonly<Record<ConsentMatter, string>> = {
  cancellation_unconfirmed:
    'Nothing is collected any more, but the service has not ended the consent. Have it ended there, then ask: POST /v1/subscriptions/{subscriptionId}/consent-check. dueday repeats the deletion, once an hour at last.',
  consent_unreadable:
    'What is due is held. Ask the payment service what became of the consent. If it is gone for good, cancel the subscription: POST /v1/subscriptions/{subscriptionId}/cancel.',
  consent_unsettled:
    'Its session was over long ago. Look at the payment in the service’s own records; once that is mended, ask at once: POST …/consent-check. dueday asks once an hour.',
};

function countOf(events: number): string {
  if (events >= MOST_COUNTED) return `${MOST_COUNTED} events or more were`;
  return events === 1 ? '1 event was' : `${events} events were`;
}

function ledgerOf({ source, ledger, status, attempt }: AttentionItem): EvidenceOut | null {
  if (source === 'difference' || ledger !== null) return viewEvidence(ledger);
  if (attempt.state === null) return status === null ? null : { state: status };
  const { state, amount, at, authorizationId: id, detail, reason } = attempt;
  return { state, amount, at, id, detail: reason ?? detail };
}

/** Of an attempt, what it has said of the authorization; else, of the consent. */
function serviceOf({ source, service, consent, attempt }: AttentionItem): EvidenceOut | null {
  if (source === 'difference' || source === 'order' || service !== null) return viewEvidence(service);
  if (attempt.state === null) {
    return consent.status === null ? null : { state: `consent ${consent.status}`, at: consent.checkedAt };
  }
  const state = SAID[attempt.state];
  const { amount, authorizationCreatedAt: at, authorizationId: id, detail } = attempt;
  return state === null ? null : { state, amount, at, id, detail };
}

function viewEvidence(evidence: Evidence | null): EvidenceOut | null {
  return evidence === null ? null : { ...evidence, at: evidence.at === undefined ? null : Date.parse(evidence.at) };
}

/** What the service has said of the authorization, or the debit, that an attempt in this state made; null where nothing. */
const SAID: Readonly<Record<AttemptState, string | null>> = {
  sending: null,
  unknown: null,
  unresolved: null,
  not_sent: null,
  pending: 'pending',
  successful: 'successful',
  rejected: 'failed',
  rejected_retryable: 'failed',
  capture_failed: 'capture failed',
};

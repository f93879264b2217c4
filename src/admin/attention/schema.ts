import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { ATTENTION_SORTS } from '../../ledger';
import { InstantOut, leftOut, line, lineOrNothing, MoneyOut, PAGE_FIELDS, Reason } from '../http/fields';

export const AttentionQuery = z.strictObject({
  ...PAGE_FIELDS,
  kind: line(100).optional(),
  assignee: lineOrNothing(100).optional().meta({ description: 'Empty: items without an assignee' }),
  sort: z
    .enum(ATTENTION_SORTS)
    .default('-since')
    .meta({ description: 'The largest first where there is a hyphen; without a deadline, last' }),
});

export const AttentionParams = z.object({ item: z.string().regex(/^att_[\da-f]{24}$/, 'the id of an item') });

export const AssignBody = z
  .strictObject({ assignee: line(100).nullable() })
  .meta({ id: 'AssignAttention', description: 'The operator to whom the item is assigned.' });
export const NoteBody = z
  .strictObject({ note: Reason.nullable() })
  .meta({ id: 'NoteAttention', description: 'The note; null removes it.' });
export const CloseBody = z
  .strictObject({ reason: Reason })
  .meta({ id: 'CloseAttention', description: 'Why the item is closed.' });

export const EvidenceOut = z
  .object({
    state: z.string(),
    amount: leftOut(MoneyOut),
    at: leftOut(InstantOut),
    id: leftOut(z.string()),
    detail: leftOut(z.string()),
  })
  .meta({ id: 'Evidence', description: 'What one side has on record.' });

const RecommendedCallOut = z
  .object({
    method: z.enum(['POST', 'PATCH']),
    path: z.string(),
    body: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RecommendedCall', description: 'A call of this API, as it would be sent.' });

const EvidenceRowOut = z
  .object({
    what: z.enum(['state', 'amount', 'at', 'id', 'detail']),
    ledger: z.string().nullable(),
    service: z.string().nullable(),
    differs: z.boolean().meta({ description: 'Whether the two cannot both be true' }),
  })
  .meta({
    id: 'EvidenceRow',
    description: 'What ledger and service have on record of one thing; null if a side has nothing.',
  });

/**
 * What waits for an operator: one matter of a subscription, of a one-time payment (no `subscriptionId`), of an endpoint
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
    title: z.string().meta({ description: 'What has happened, in a few words' }),
    explanation: z.string().meta({ description: 'What it means, and what an operator does about it' }),
    recommended: RecommendedCallOut.nullable().meta({ description: 'Null if an operator must look first' }),
    amount: MoneyOut.nullable().meta({ description: 'What it is about; null where it is about no money' }),
    since: InstantOut,
    deadline: InstantOut.nullable().meta({ description: 'Until when a person can still change something' }),
    ledger: EvidenceOut.nullable(),
    service: EvidenceOut.nullable().meta({ description: 'Null where it has nothing of the kind, or cannot be asked' }),
    evidence: z.array(EvidenceRowOut).meta({ description: 'The records of both sides, line by line' }),
    related: z
      .array(z.string())
      .meta({ description: 'Ids of other open items of the same subscription or payment, at most 20' }),
    assignee: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Attention', description: 'An item that needs an operator.' });

export type AttentionOut = z.output<typeof AttentionOut>;
export type EvidenceOut = z.output<typeof EvidenceOut>;

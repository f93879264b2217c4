import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { ATTENTION_SORTS } from '../../ledger';
import { PayerOut } from '../payers/schema';
import {
  InstantOut,
  omitNull,
  line,
  lineOrNothing,
  MoneyOut,
  PAGE_FIELDS,
  Reason,
  PaymentIdText,
  SubscriptionIdText,
} from '../http/fields';

export const AttentionQuery = z.strictObject({
  ...PAGE_FIELDS,
  kind: line(100).optional().meta({ description: 'Only items of this kind, such as unresolved' }),
  subscriptionId: SubscriptionIdText.optional().meta({ description: 'Only items of this subscription' }),
  paymentId: PaymentIdText.optional().meta({ description: 'Only items of this one-time payment' }),
  assignee: lineOrNothing(100).optional().meta({ description: 'Empty: items without an assignee' }),
  sort: z
    .enum(ATTENTION_SORTS)
    .default('-since')
    .meta({ description: 'A hyphen sorts largest first; items without a deadline are last' }),
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
    amount: omitNull(MoneyOut),
    at: omitNull(InstantOut),
    id: omitNull(z.string()),
    detail: omitNull(z.string()),
  })
  .meta({ id: 'Evidence', description: 'What one side, the ledger or the payment service, has recorded.' });

const RecommendedCallOut = z
  .object({
    method: z.enum(['POST', 'PATCH']),
    path: z.string(),
    body: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RecommendedCall', description: 'A call of this API, ready to be sent.' });

const EvidenceRowOut = z
  .object({
    what: z.enum(['state', 'amount', 'at', 'id', 'detail']),
    ledger: z.string().nullable(),
    service: z.string().nullable(),
    differs: z.boolean().meta({ description: 'Whether the two contradict each other' }),
  })
  .meta({
    id: 'EvidenceRow',
    description: 'One field in the records of ledger and payment service; null if a side has no value.',
  });

/**
 * What waits for an operator: an item of a subscription, of a one-time payment (no `subscriptionId`), of an endpoint
 * (only `endpointId`) or of the installation (no id).
 */
export const AttentionOut = z
  .object({
    item: z.string().meta({ description: 'The id of the item; if the same problem occurs again, the id is the same' }),
    kind: z.string(),
    subscriptionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    orderId: omitNull(z.string()),
    endpointId: omitNull(z.string()).describe('Only for dead letters'),
    cycle: z.int().min(0).nullable().meta({ description: 'Null if the item does not concern a cycle' }),
    payer: PayerOut.optional().describe('Only for items of a subscription or a payment'),
    status: z.enum([...SUBSCRIPTION_STATUSES, ...PAYMENT_STATUSES]).nullable(),
    title: z.string().meta({ description: 'What has happened, in a few words' }),
    explanation: z.string().meta({ description: 'What the item means, and what an operator should do' }),
    recommended: RecommendedCallOut.nullable().meta({ description: 'Null if an operator must investigate first' }),
    amount: MoneyOut.nullable().meta({ description: 'The amount concerned; null if the item concerns no money' }),
    since: InstantOut,
    deadline: InstantOut.nullable().meta({ description: 'Until when an operator can still change the outcome' }),
    ledger: EvidenceOut.nullable(),
    service: EvidenceOut.nullable().meta({
      description: 'Null if the payment service has no such record, or cannot be asked',
    }),
    evidence: z.array(EvidenceRowOut).meta({ description: 'The records of both sides, field by field' }),
    related: z
      .array(z.string())
      .meta({ description: 'Ids of other open items of the same subscription or payment, at most 20' }),
    assignee: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Attention', description: 'An item that needs an operator.' });

export type AttentionOut = z.output<typeof AttentionOut>;
export type EvidenceOut = z.output<typeof EvidenceOut>;

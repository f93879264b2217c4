import { z } from 'zod';
import { APPROVAL_STATES } from '../../domain/approvals';
import type { ApprovalRecord } from '../../ledger';
import { InstantOut, omitNull, MoneyOut, PAGE_FIELDS } from '../http/fields';

export const ApprovalParams = z.object({ id: z.uuid('a UUID') });

export const ApprovalsQuery = z.strictObject({ ...PAGE_FIELDS, state: z.enum(APPROVAL_STATES).optional() });

/** A request that needs or needed approval. All times are real. */
export const ApprovalOut = z
  .object({
    approvalId: z.string(),
    state: z
      .enum(APPROVAL_STATES)
      .meta({ description: '`used`: the permitted request was started; the approval permits no other' }),
    operation: z.string().meta({ description: 'The operationId of the call' }),
    call: z.string().meta({ description: 'Method and path' }),
    subscriptionId: omitNull(z.string()),
    paymentId: omitNull(z.string()),
    amount: omitNull(MoneyOut),
    facts: z.record(z.string(), z.unknown()).meta({ description: 'Further details of the request' }),
    requestedBy: z.string().meta({ description: 'The name of the API key that made the request' }),
    holder: z
      .string()
      .meta({ description: 'The holder of the key that made the request; another person must approve' }),
    createdAt: InstantOut,
    expiresAt: InstantOut,
    decidedBy: omitNull(z.string()).meta({ description: 'The name of the API key that approved or rejected' }),
    decidedAt: omitNull(InstantOut),
    usedAt: omitNull(InstantOut),
  })
  .meta({ id: 'Approval', description: 'A request that a second person must approve, and the decision on it.' });

export function viewApproval(record: ApprovalRecord): z.output<typeof ApprovalOut> {
  const { createdRealAt: createdAt, expiresRealAt: expiresAt } = record;
  const { decidedRealAt: decidedAt, usedRealAt: usedAt } = record;
  return { ...record, createdAt, expiresAt, decidedAt, usedAt };
}

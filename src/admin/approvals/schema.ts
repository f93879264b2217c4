import { z } from 'zod';
import { APPROVAL_STATES } from '../../domain/approvals';
import type { ApprovalRecord } from '../../ledger';
import { InstantOut, leftOut, MoneyOut, PAGE_FIELDS } from '../http/fields';

export const ApprovalParams = z.object({ id: z.uuid('a UUID') });

export const ApprovalsQuery = z.strictObject({ ...PAGE_FIELDS, state: z.enum(APPROVAL_STATES).optional() });

/** A request that waits for a second person, or waited. All its times are real. */
export const ApprovalOut = z
  .object({
    approvalId: z.string(),
    state: z
      .enum(APPROVAL_STATES)
      .meta({ description: '`used`: the request that it permits was begun; no other one is permitted' }),
    operation: z.string().meta({ description: 'The operationId of the call' }),
    call: z.string().meta({ description: 'Method and path' }),
    subscriptionId: leftOut(z.string()),
    paymentId: leftOut(z.string()),
    amount: leftOut(MoneyOut),
    facts: z.record(z.string(), z.unknown()).meta({ description: 'What else of the request has to be known' }),
    requestedBy: z.string().meta({ description: 'The name of the API key' }),
    holder: z.string().meta({ description: 'The person who has that key; another one approves' }),
    createdAt: InstantOut,
    expiresAt: InstantOut,
    decidedBy: leftOut(z.string()).meta({ description: 'The name of the API key' }),
    decidedAt: leftOut(InstantOut),
    usedAt: leftOut(InstantOut),
  })
  .meta({ id: 'Approval', description: 'A request that a second person must approve, and the decision on it.' });

export function viewApproval(record: ApprovalRecord): z.output<typeof ApprovalOut> {
  const { createdRealAt: createdAt, expiresRealAt: expiresAt } = record;
  const { decidedRealAt: decidedAt, usedRealAt: usedAt } = record;
  return { ...record, createdAt, expiresAt, decidedAt, usedAt };
}

import { z } from 'zod';
import { InstantIn, InstantOut } from './instants';
import { PAGE_FIELDS } from './listing';
import { line, PaymentIdText, SubscriptionIdText } from './text';

/** The numbered rule that a decision rests on, in the service's words or, where they say nothing, in ours. */
const RuleOut = z
  .object({ decision: z.int(), sentence: z.string(), source: z.enum(['reference', 'dueday']) })
  .meta({ id: 'Rule' });

const TrailEntry = {
  at: InstantOut,
  actor: z.string(),
  type: z.string(),
  text: z.string().describe('The entry in a few plain sentences'),
  rule: RuleOut.nullable(),
  data: z.record(z.string(), z.unknown()),
};

/** One entry of the trail of a subscription or of a one-time payment. */
export const EventOut = z.object(TrailEntry).meta({ id: 'Event' });

/** One entry of the whole trail; `subscriptionId` is null where it concerns none, `paymentId` is a one-time payment's. */
export const AuditEntryOut = z
  .object({ ...TrailEntry, subscriptionId: z.string().nullable(), paymentId: z.string().optional() })
  .meta({ id: 'AuditEntry' });

export const AuditQuery = z.strictObject({
  ...PAGE_FIELDS,
  subscriptionId: SubscriptionIdText.optional(),
  paymentId: PaymentIdText.optional(),
  actor: line(100).optional(),
  type: line(100).optional(),
  from: InstantIn.optional(),
  to: InstantIn.optional(),
});

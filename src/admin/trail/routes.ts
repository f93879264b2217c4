import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { explain } from '../../domain/trail/events';
import { type EventRecord, isNumberCursor, listEvents, readList } from '../../ledger';
import { type AdminDeps, listing, type TypedApp } from '../dependencies';
import {
  checkSpan,
  InstantIn,
  InstantOut,
  leftOut,
  PAGE_FIELDS,
  line,
  PaymentIdText,
  SubscriptionIdText,
  pageOf,
  listOf,
} from '../http/fields';
import { FAULT_ANSWERS } from '../http/problems';

/** The numbered rule that a decision rests on, in the service's words or, where they say nothing, in ours. */
const RuleOut = z
  .object({ decision: z.int(), sentence: z.string(), source: z.enum(['reference', 'dueday']) })
  .meta({ id: 'Rule' });

const TrailEntry = {
  at: InstantOut,
  actor: z.string(),
  keyId: z
    .string()
    .nullable()
    .describe('Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did'),
  type: z.string(),
  text: z.string().describe('The entry in a few plain sentences'),
  rule: RuleOut.nullable(),
  data: z.record(z.string(), z.unknown()),
};

/** One entry of the trail of a subscription or of a one-time payment. */
export const EventOut = z.object(TrailEntry).meta({ id: 'Event' });

/** One entry of the whole trail; `subscriptionId` is null where it concerns none, `paymentId` is a one-time payment's. */
export const AuditEntryOut = z
  .object({ ...TrailEntry, subscriptionId: z.string().nullable(), paymentId: leftOut(z.string()) })
  .meta({ id: 'AuditEntry' });

export const AuditQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    subscriptionId: SubscriptionIdText.optional(),
    paymentId: PaymentIdText.optional(),
    actor: line(100).optional(),
    keyId: z.uuid('a UUID').optional(),
    type: line(100).optional(),
    from: InstantIn.optional(),
    to: InstantIn.optional(),
  })
  .superRefine((query, context) => checkSpan(query, ['from', 'to'], context));

export function viewEvent(event: EventRecord) {
  return { ...event, text: explain(event), data: { ...event.data } };
}

/** `GET /audit`. */
export function trailRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/audit',
    {
      config: { role: 'viewer', scope: 'audit' },
      schema: {
        tags: ['trail'],
        operationId: 'listAudit',
        summary: 'Lists the whole trail, newest first; `from` inclusive, `to` exclusive',
        querystring: AuditQuery,
        response: { 200: listOf(AuditEntryOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => {
      const { subscriptionId, paymentId, ...rest } = query;
      const filter = {
        ...rest,
        subscriptionId: subscriptionId as SubscriptionId | undefined,
        ofPayment: paymentId as PaymentId | undefined,
      };
      const page = pageOf(query, isNumberCursor);
      const { items, nextCursor } = await readList(listing(deps), (db) => listEvents(db, filter, page));
      return { items: items.map(viewEvent), nextCursor };
    },
  );
}

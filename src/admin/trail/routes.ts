import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { toIso } from '../../domain/time';
import { explain } from '../../domain/trail/events';
import {
  type EventRecord,
  type CreationPlace,
  creationStart,
  type Db,
  isCreationCursor,
  isNumberCursor,
  listEvents,
  listOrphanedPayments,
  listSubscriptions,
  mergePages,
  type Page,
  readHalt,
  readList,
} from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import {
  InstantIn,
  InstantOut,
  PAGE_FIELDS,
  line,
  PaymentIdText,
  SubscriptionIdText,
  named,
  pageOf,
  listOf,
  PageQuery,
} from '../http/fields';
import { FAULT_ANSWERS } from '../http/problems';
import { AttentionOut, viewAttention, viewHaltAttention, viewOrphanedPayment } from '../subscriptions/schema';

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

export function viewEvent(event: EventRecord) {
  const { at, actor, type, rule, data } = event;
  return { at: toIso(at), actor, type, text: explain(event), rule, data: { ...data } };
}

export function viewAuditEntry(event: EventRecord) {
  return {
    ...viewEvent(event),
    subscriptionId: event.subscriptionId,
    ...named('paymentId', event.paymentId),
  };
}

/** `GET /audit` and `GET /attention`. */
export function trailRoutes(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/audit',
    {
      config: { role: 'viewer' },
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
      const { items, nextCursor } = await readList(reading, (db) => listEvents(db, filter, page));
      return { items: items.map(viewAuditEntry), nextCursor };
    },
  );
  app.get(
    '/attention',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['trail'],
        operationId: 'listAttention',
        summary:
          'Lists what waits for a person, and why: first a halt of all sending, then subscriptions and one-time payments, newest first',
        querystring: PageQuery,
        response: { 200: listOf(AttentionOut), ...FAULT_ANSWERS },
      },
    },
    async ({ query }) => readList(reading, (db) => listAttention(db, pageOf(query, isCreationCursor))),
  );
}

interface AttentionPage {
  items: AttentionOut[];
  nextCursor: string | null;
}

/** A halt comes first, and counts as an item of the first page; then what was created last. */
async function listAttention(db: Db, page: Page): Promise<AttentionPage> {
  const halt = page.cursor === null ? await readHalt(db) : null;
  const first = halt === null ? [] : [viewHaltAttention(halt)];
  const limit = page.limit - first.length;
  if (limit === 0) return { items: first, nextCursor: creationStart() };
  const subscriptions = await listSubscriptions(db, { standing: 'needs_attention' }, { ...page, limit });
  const payments = await listOrphanedPayments(db, { ...page, limit });
  const { items, nextCursor } = mergePages<CreationPlace & { readonly item: AttentionOut }>(limit, [
    {
      ...subscriptions,
      items: subscriptions.items.map((each) => {
        return { createdAt: each.createdAt, id: each.subscriptionId, item: viewAttention(each) };
      }),
    },
    { ...payments, items: payments.items.map((each) => ({ ...each, item: viewOrphanedPayment(each) })) },
  ]);
  return { items: [...first, ...items.map(({ item }) => item)], nextCursor };
}
